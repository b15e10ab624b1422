import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scanRepository } from '../../src/commands/scanning/scan.ts';
import { createRepositoryAccess, type RepositoryLimits } from '../../src/security/git/remote/repositories.ts';
import { createDependenciesScanner } from '../../src/security/scanners/dependencies.ts';
import { createOmissions, GAP_KINDS } from '../../src/security/scans/omissions.ts';
import { bareRepository, git, workTree } from '../helpers/git.ts';
import { scanRoom } from '../helpers/scan-room.ts';

/** What should have been scanned and was not: each kind of gap from real folders and repositories. */

const base = realpathSync(mkdtempSync(join(tmpdir(), 'magpie-gaps-')));
afterAll(async () => {
  await usual.close();
  rmSync(base, { recursive: true, force: true });
});
let count = 0;

function folder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = join(base, `tree-${++count}`);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

interface Asked {
  readonly deep?: boolean;
  readonly branch?: string;
  readonly dependencies?: boolean;
  readonly limits?: Partial<RepositoryLimits>;
}

/** A room that reads repositories within these limits. */
async function roomWithin(limits: Partial<RepositoryLimits>) {
  const data = mkdtempSync(join(base, 'data-'));
  const repositories = createRepositoryAccess({ folder: data, roots: [], allowHosts: [], limits });
  const made = await scanRoom({
    folder: data,
    openTree: repositories.open,
    trees: [createDependenciesScanner({ sources: () => [], privateNames: [] })],
  });
  return {
    room: made.room,
    async close() {
      await made.close();
      await repositories.close();
    },
  };
}

let usual: Awaited<ReturnType<typeof roomWithin>>;
beforeAll(async () => {
  usual = await roomWithin({});
});

async function reportOf(repository: string, { limits, deep = false, ...asked }: Asked = {}) {
  const made = limits ? await roomWithin(limits) : usual;
  try {
    const request = { repository, deep, dependencies: asked.dependencies === true };
    const scan = await made.room.scan(
      'ann',
      { ...request, branch: asked.branch },
      { anyFolder: true },
      { signal: AbortSignal.timeout(60_000), progress() {} },
    );
    const { gaps = [], left = [] } = scan.report ?? {};
    return {
      gaps: gaps.map(({ kind, what }) => `${kind}: ${what}`),
      left,
      fixes: gaps.map(({ fix }) => fix),
    };
  } finally {
    if (made !== usual) await made.close();
  }
}

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12345\n`;

test('a file over the size limit is a gap where a scanner would read it', async () => {
  const { gaps, left } = await reportOf(
    folder({ 'a.txt': 'x'.repeat(200), 'film.skip': 'x'.repeat(200), 'b.txt': 'b' }),
    { limits: { fileBytes: 100 } },
  );
  expect(gaps).toEqual(['large-files: 1 file over 100 bytes']);
  expect(left).toEqual(
    expect.arrayContaining(['1 file over 100 bytes', '1 file over 100 bytes that no scanner reads']),
  );
});

test('a file that is too large for all scanners but the one for secrets is a gap', async () => {
  const { gaps } = await reportOf(
    folder({ 'a.txt': 'x'.repeat(2_000_001), 'b.skip': 'x'.repeat(2_000_001) }),
  );
  expect(gaps).toEqual(['large-files: 1 file over 2 MB, searched for secrets alone']);
});

test('files past the limits of a tree are a gap', async () => {
  const files = folder({ 'a.txt': 'a', 'b.txt': 'bb', 'c.txt': 'c' });
  expect((await reportOf(files, { limits: { files: 2 } })).gaps).toEqual([
    'limits: all files past the first 2',
  ]);
  expect((await reportOf(files, { limits: { treeBytes: 2 } })).gaps).toEqual([
    'limits: 1 file past the first 2 bytes of the tree',
  ]);
});

test('file names are listed up to a limit, with git and without, and the names past the limit are reported', async () => {
  const files = { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', 'd.txt': 'd' };
  const limits = { entries: 3 };
  expect((await reportOf(folder(files), { limits })).gaps).toEqual([
    'limits: 1 or more entries past the first 3',
  ]);
  const tracked = folder(files);
  await workTree(tracked, () => {});
  const { gaps } = await reportOf(tracked, { limits });
  expect(gaps).toEqual(['limits: 1 or more names past the first 3 that git names']);
  expect((await reportOf(tracked, { limits: { entries: 4 } })).gaps).toEqual([]);
});

test('a folder that git ignores is a gap, and the gap says how to scan the folder', async () => {
  const root = folder({ '.gitignore': 'out/\n', 'out/a.js': 'eval(x)', 'a.txt': 'a' });
  await workTree(root, () => {});
  mkdirSync(join(root, 'empty'));
  const { gaps, fixes } = await reportOf(join(root, 'out'));
  expect(gaps).toEqual(['ignored: the folder: git ignores all that is in it']);
  expect(fixes).toEqual([expect.stringContaining('scan a copy of it outside the repository')]);
  for (const path of [root, join(root, 'empty')]) expect((await reportOf(path)).gaps).toEqual([]);
});

test('submodules, symbolic links in place of lockfiles, and git-lfs pointers are gaps of a commit', async () => {
  const repository = await bareRepository(join(base, 'all.git'), [
    [
      { path: '.gitattributes', data: '*.bin filter=lfs diff=lfs merge=lfs -text\n' },
      { path: 'model.bin', data: POINTER },
      { path: 'other.skip', data: POINTER },
      { path: 'sub', id: '1'.repeat(40), mode: '160000' },
      { path: 'package-lock.json', data: 'elsewhere.json', mode: '120000' },
      { path: 'to-a.txt', data: 'a.txt', mode: '120000' },
      { path: 'a.txt', data: 'a' },
    ],
  ]);
  const { gaps, left } = await reportOf(repository, { dependencies: true });
  expect(gaps.sort()).toEqual([
    'lfs: 1 file that git-lfs keeps elsewhere, of which only pointers are here: model.bin',
    'links: 1 lockfile that is a symbolic link',
    'submodules: 1 submodule',
  ]);
  expect(left).toContain('1 symbolic link');
  expect((await reportOf(repository)).left).toContain('2 symbolic links');
});

test('submodules, symbolic links in place of lockfiles, and git-lfs pointers are gaps of a folder', async () => {
  const files = folder({
    '.gitattributes': '*.bin filter=lfs\n',
    'model.bin': POINTER,
    'a/elsewhere.json': '{}',
  });
  symlinkSync('elsewhere.json', join(files, 'a', 'package-lock.json'));
  await workTree(files, () => {});
  const inner = join(files, 'inner');
  mkdirSync(inner);
  writeFileSync(join(inner, 'x.txt'), 'x');
  await workTree(inner, () => {});
  await git(files, ['add', 'inner']).catch(() => {});
  const { gaps } = await reportOf(files, { dependencies: true });
  expect(gaps.sort()).toEqual([
    'lfs: 1 file that git-lfs keeps elsewhere, of which only pointers are here: model.bin',
    'links: 1 lockfile that is a symbolic link',
    'submodules: 1 repository inside it',
  ]);
});

test('unreadable files that a scanner names, and a missing history, are gaps', async () => {
  const shallow = folder({ 'a.txt': 'a' });
  await workTree(shallow, () => {});
  const head = await git(shallow, ['rev-parse', 'HEAD']);
  writeFileSync(join(shallow, '.git', 'shallow'), `${head}\n`);
  expect((await reportOf(shallow, { deep: true })).gaps).toEqual([
    'history: the part of the history that a shallow clone does not have',
  ]);
  expect((await reportOf(shallow)).gaps).toEqual([]);
});

test('a manifest without a lockfile is a gap when dependencies are scanned', async () => {
  const asks = JSON.stringify({ dependencies: { a: '^1' } });
  const files = folder({
    'package.json': JSON.stringify({ name: 'none' }),
    'web/package.json': asks,
    'shop/package.json': asks,
    'shop/yarn.lock': '# yarn lockfile v1\n',
    'shop/part/package.json': asks,
    'node_modules/a/package.json': asks,
    'test/fixtures/b/package.json': asks,
    'api/pyproject.toml': '[project]\nname = "api"\ndependencies = [\n  "django>=4",\n]\n',
    'poetry/pyproject.toml': '[tool.poetry.dependencies]\npython = "^3.12"\n\n[build-system]\n',
    'rust/Cargo.toml': '[package]\nname = "r"\n\n[dependencies]\n# none\n\n[features]\n',
    'rust2/Cargo.toml': '[dependencies]\nserde = "1"\n',
    'ruby/Gemfile': "source 'https://rubygems.org'\ngem 'rails'\n",
    'php/composer.json': JSON.stringify({ require: { php: '>=8', 'ext-json': '*' } }),
    'php2/composer.json': JSON.stringify({ require: { 'acme/a': '*' } }),
    'ios/Podfile.lock': 'PODS:',
    'requirements.txt': 'django>=4\nflask==3.0.0\n',
  });
  const { gaps, left, fixes } = await reportOf(files, { dependencies: true });
  const without = (path: string) =>
    `lockfiles: 1 file that asks for packages without a lockfile, so that they are not compared with advisories: ${path}`;
  expect(gaps.sort()).toEqual(
    [
      without('web/package.json'),
      without('rust2/Cargo.toml'),
      without('ruby/Gemfile'),
      without('php2/composer.json'),
      'lockfiles: requirements.txt: 1 requirement without one pinned version, not compared with advisories',
      'lockfiles: 1 lockfile of kinds that are not read: ios/Podfile.lock',
      'advisories: packages of PyPI: no source of advisories that is switched on knows them',
    ].sort(),
  );
  expect(left.filter((what) => what.includes('test/fixtures/b/package.json'))).toHaveLength(1);
  expect(fixes).toContain(
    'run `magpie advisories update --ecosystem PyPI`, or let OSV be asked: MAGPIE_ADVISORIES=osv',
  );
  expect((await reportOf(files)).gaps).toEqual([]);
});

test('a lockfile that cannot be read is a gap as well as a finding', async () => {
  const { gaps } = await reportOf(folder({ 'package-lock.json': '{' }), { dependencies: true });
  expect(gaps).toEqual([expect.stringMatching(/^lockfiles: package-lock\.json: it cannot be read: /)]);
});

test('a kind of gap with one entry is kept beside many gaps of another kind', () => {
  const omissions = createOmissions();
  for (let at = 0; at < 1000; at++) omissions.miss('limits', `file ${at}`);
  omissions.miss('lfs', 'a pointer');
  expect(omissions.gaps).toHaveLength(101);
  expect(omissions.gaps.at(-1)).toMatchObject({ kind: 'lfs', what: 'a pointer' });
  expect(omissions.left.at(-1)).toBe('and 901 more');
});

test('--accept takes every kind of gap', () => {
  for (const kind of GAP_KINDS) {
    expect(scanRepository.input.safeParse({ repository: '.', accept: [kind] }).success).toBe(true);
  }
  expect(scanRepository.input.safeParse({ repository: '.', accept: ['findings'] }).success).toBe(false);
});

test('languages and configuration files without rules are gaps; build scripts are only listed', async () => {
  const root = folder({
    'src/main.rs': 'fn main() {}\n',
    'app/Main.kt': 'fun main() {}\n',
    'lib.c': 'int x;\n',
    'infra/main.bicep': 'param x string\n',
    'build.sh': 'make\n',
  });
  const { gaps, left, fixes } = await reportOf(root);
  const none = 'for which no scanner of ours has rules but those for secrets';
  expect(gaps).toEqual([
    `unread-configuration: 1 file of Bicep, ${none}`,
    `unread-code: 1 file of C, ${none}`,
    `unread-code: 1 file of Kotlin, ${none}`,
    `unread-code: 1 file of Rust, ${none}`,
  ]);
  expect(left).toContain(`1 file of Shell, ${none}`);
  expect(fixes[0]).toContain('checkov');
  expect(fixes[1]).toContain('semgrep');
});

test('scripts without a file extension are recognised by their first line and are read, a gap, or only listed', async () => {
  const root = folder({
    'bin/report': '#!/usr/bin/env perl\nprint "a";\n',
    tool: '#!/usr/local/bin/lua5.4\nprint("a")\n',
    deploy: '#!/bin/bash -e\nmake\n',
    serve: '#!/usr/bin/env -S node --no-warnings\nconsole.log(1);\n',
    'bin/notes': 'a text\n',
  });
  const { gaps, left } = await reportOf(root);
  const none = 'for which no scanner of ours has rules but those for secrets';
  expect(gaps).toEqual([`unread-code: 1 file of Lua, ${none}`, `unread-code: 1 file of Perl, ${none}`]);
  expect(left).toContain(`1 file of Shell, ${none}`);
  expect(left).toContain(`1 file of scripts without an ending, ${none}`);
});

test('unreadable databases of installed packages are named, whatever their size', async () => {
  const root = folder({
    'var/lib/rpm/rpmdb.sqlite': 'SQLite format 3',
    'usr/lib/sysimage/rpm/Packages.db': 'RpmP',
    'var/lib/pacman/local/bash-5.3-1/desc': '%NAME%\nbash\n',
    'var/lib/pacman/local/zlib-1.3-1/desc': '%NAME%\nzlib\n',
    'opt/env/conda-meta/python-3.13.json': '{}',
    'rebar.lock': '{}',
  });
  const { gaps } = await reportOf(root, { dependencies: true });
  expect(gaps).toEqual([
    'lockfiles: 1 lockfile of kinds that are not read: rebar.lock',
    'lockfiles: 4 databases of installed packages of kinds that are not read: conda (opt/env/conda-meta), RPM (usr/lib/sysimage/rpm), pacman (var/lib/pacman/local) and 1 more',
  ]);
  const large = await reportOf(folder({ 'var/lib/rpm/rpmdb.sqlite': 'x'.repeat(2000) }), {
    dependencies: true,
    limits: { fileBytes: 1000 },
  });
  expect(large.gaps).toEqual([expect.stringMatching(/^large-files: 1 file over /)]);
});
