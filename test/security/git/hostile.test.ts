import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGitStore } from '../../../src/security/git/store.ts';
import { isSafePath } from '../../../src/security/git/write-tree-files.ts';
import type { OpenFileTree } from '../../../src/security/trees/tree.ts';
import { bareRepository, type GitSite, git, startGitSite } from '../../helpers/git.ts';
import { pastOf, textsOf, withTree as withTreeIn } from '../../helpers/repositories.ts';

const base = mkdtempSync(join(tmpdir(), 'magpie-hostile-'));
const served = join(base, 'served');
const signal = new AbortController().signal;
let site: GitSite;
beforeAll(async () => {
  site = await startGitSite(served);
});
afterAll(async () => {
  await site.close();
  rmSync(base, { recursive: true, force: true });
});

const withTree: (
  name: string,
  ...rest: [use: Parameters<typeof withTreeIn>[2], limits?: object, history?: boolean]
) => Promise<unknown> = (name, use, limits = {}, history = false) =>
  withTreeIn(base, { repository: `${site.url}/${name}`, history }, use, { allowHosts: [site.host], limits });

/** Writes an object under its id, whatever git thinks of it. */
async function object(folder: string, type: string, content: string | Buffer): Promise<string> {
  return git(folder, ['hash-object', '-w', '--literally', '-t', type, '--stdin'], content);
}

const treeOf = (entries: readonly (readonly [mode: string, name: string, id: string])[]) =>
  Buffer.concat(
    entries.flatMap(([mode, name, id]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
  );

async function commit(folder: string, tree: string): Promise<void> {
  const id = await git(folder, ['commit-tree', '-m', 'x', tree]);
  await git(folder, ['update-ref', 'refs/heads/main', id]);
}

test('hostile names, links and attributes have no effect, and only harmless files are written', async () => {
  const folder = await bareRepository(join(served, 'names.git'), []);
  const blob = (text: string) => object(folder, 'blob', text);
  const inner = await object(
    folder,
    'tree',
    treeOf([['100644', 'config', await blob('[core]\n\tfsmonitor = touch /tmp/x\n')]]),
  );
  const up = await object(folder, 'tree', treeOf([['100644', 'up.txt', await blob('up')]]));
  const root = await object(
    folder,
    'tree',
    treeOf([
      ['40000', '..', up],
      ['40000', '.git', inner],
      ['100644', '.gitattributes', await blob('* filter=evil text eol=crlf ident export-subst\n')],
      ['100644', '.gitmodules', await blob('[submodule "a"]\n\tpath = sub\n\turl = ext::touch /tmp/x\n')],
      ['100644', 'A.txt', await blob('upper')],
      ['40000', 'GIT~1', inner],
      ['100644', 'a.txt', await blob('lower')],
      ['100644', 'back\\slash', await blob('b')],
      ['100644', 'line\nbreak \u001b[31m', await blob('n')],
      ['120000', 'link', await blob('/etc/passwd')],
      ['120000', 'outside', await blob('../../../..')],
      ['100755', 'run.sh', await blob('#!/bin/sh\n')],
      ['160000', 'sub', 'a'.repeat(40)],
      ['100644', 'x'.repeat(300), await blob('long')],
    ]),
  );
  await commit(folder, root);
  await withTree(
    'names.git',
    async (tree) => {
      const texts = await textsOf(tree);
      expect(Object.keys(texts).sort()).toEqual(
        [
          '../up.txt',
          '.git/config',
          '.gitattributes',
          '.gitmodules',
          'A.txt',
          'GIT~1/config',
          'a.txt',
          'back\\slash',
          'line\nbreak \u001b[31m',
          'run.sh',
          'x'.repeat(300),
        ].sort(),
      );
      expect(texts['a.txt']).toBe('lower');
      expect(tree.left).toEqual(['2 symbolic links', '1 submodule']);
      const target = join(base, 'written', 'here');
      mkdirSync(target, { recursive: true });
      expect(await tree.materialise(target, signal)).toBe(6);
      expect(readdirSync(target).sort()).toEqual([
        '.gitattributes',
        '.gitmodules',
        'A.txt',
        'a.txt',
        'run.sh',
      ]);
      expect(readdirSync(join(base, 'written'))).toEqual(['here']);
      expect(readFileSync(join(target, 'a.txt'), 'utf8')).toBe('lower');
      expect(lstatSync(join(target, 'run.sh')).mode & 0o777).toBe(0o600);
      // A second time there is nothing left to write: what is there is not touched.
      expect(await tree.materialise(target, signal)).toBe(11);
    },
    {},
    true,
  );
});

test.each([
  '.git/config',
  'a/.GIT/x',
  'git~1/x',
  '../x',
  'a/../x',
  'a//b',
  '/etc/x',
  '.git\u200c/x',
  'a\\b',
  'c:x',
  'a./b',
  'a\u0000b',
  `${'a/'.repeat(600)}b`,
])('%j is not written', (path) => {
  expect(isSafePath(path)).toBe(false);
  expect(isSafePath('.github/größe 1.txt')).toBe(true);
});

test('a file of 1 GB is left out, on the disk and in a small pack', async () => {
  const folder = join(base, 'sparse');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a'), 'small');
  writeFileSync(join(folder, 'huge'), '');
  truncateSync(join(folder, 'huge'), 2 ** 30);
  const expectSmall = async (tree: OpenFileTree) => {
    expect(await textsOf(tree)).toEqual({ a: 'small' });
    expect(tree.left).toEqual(['1 file over 10 MB']);
  };
  await withTreeIn(base, { repository: folder, anyFolder: true }, expectSmall);
  await bareRepository(join(served, 'huge.git'), [
    [
      { path: 'a', data: 'small' },
      { path: 'huge', data: Buffer.alloc(16 * 2 ** 20) },
    ],
  ]);
  await withTree('huge.git', expectSmall);
});

test('a pack of a few bytes that would unpack to 1 GB in memory is refused', async () => {
  const store = await createGitStore({
    folder: mkdtempSync(join(base, 'store-')),
    searchPath: '/usr/bin:/bin',
  });
  const chunk = 0xffffff;
  // A delta (gitformat-pack): sizes of source and result, then copies of the whole source again and again.
  const size = (number: number) => {
    const bytes: number[] = [];
    for (let rest = number; ; rest = Math.floor(rest / 128)) {
      bytes.push(rest < 128 ? rest : (rest % 128) | 128);
      if (rest < 128) return bytes;
    }
  };
  const delta = Buffer.from([
    ...size(chunk),
    ...size(chunk * 64),
    ...Array(64).fill([0xf0, 0xff, 0xff, 0xff]).flat(),
  ]);
  const source = Buffer.alloc(chunk, 'a');
  const header = (type: number, length: number) => {
    const rest = Math.floor(length / 16);
    return rest === 0 ? [(type << 4) | (length % 16)] : [128 | (type << 4) | (length % 16), ...size(rest)];
  };
  const id = createHash('sha1').update(`blob ${chunk}\0`).update(source).digest();
  const body = Buffer.concat([
    Buffer.from('PACK\0\0\0\x02\0\0\0\x02', 'latin1'),
    Buffer.from(header(3, chunk)),
    deflateSync(source),
    Buffer.from(header(7, delta.length)),
    id,
    deflateSync(delta),
  ]);
  const pack = Buffer.concat([body, createHash('sha1').update(body).digest()]);
  expect(pack.length).toBeLessThan(40_000);
  const process = await store.start(['index-pack', '--stdin'], signal);
  process.stdin.end(pack);
  expect(await process.ended).toEqual({
    ok: false,
    stderr: expect.stringContaining('attempting to allocate'),
  });
});

test('20,000 files are listed, and a tree of ten levels with ten thousand million paths is cut at the limit', async () => {
  const files = await bareRepository(join(served, 'files.git'), []);
  const lines = [
    'blob\nmark :1\ndata 1\na\n',
    'commit refs/heads/main\ncommitter M <m@example.org> 1 +0000\ndata 0\n',
  ];
  for (let index = 0; index < 20_000; index++) lines.push(`M 100644 :1 ${index % 500}/${index}\n`);
  await git(files, ['fast-import', '--quiet'], lines.join(''));
  await withTree('files.git', (tree) => expect([tree.files.length, tree.left]).toEqual([20_000, []]));
  const bomb = await bareRepository(join(served, 'bomb.git'), []);
  let [mode, id] = ['100644', await object(bomb, 'blob', 'boom')];
  for (let level = 0; level < 10; level++) {
    const entries = Array.from({ length: 10 }, (_, index) => [mode, `d${index}`, id] as const);
    [mode, id] = ['40000', await object(bomb, 'tree', treeOf(entries))];
  }
  await commit(bomb, id);
  await withTree(
    'bomb.git',
    async (tree) => {
      expect([tree.files.length, tree.left]).toEqual([3000, ['all files past the first 3000']]);
      expect(await pastOf(tree)).toEqual([]);
    },
    { files: 3000 },
    true,
  );
});

test('a file a hundred long folder names deep is left out and reported', async () => {
  await bareRepository(join(served, 'deep.git'), [
    [
      { path: `${`${'d'.repeat(50)}/`.repeat(100)}f`, data: 'deep' },
      { path: 'a', data: 'a' },
    ],
  ]);
  await withTree('deep.git', async (tree) => {
    expect(await textsOf(tree)).toEqual({ a: 'a' });
    expect(tree.left).toEqual(['1 file with a path that is too long']);
  });
});

test('a history with large contents, odd names and merges is read', async () => {
  const folder = await bareRepository(join(served, 'past.git'), [
    [
      { path: 'large', data: Buffer.alloc(3 * 2 ** 20, 'l') },
      { path: 'line\nbreak', data: 'in a line' },
      { path: 'binary', data: Buffer.from([0, 10, 255, 10]) },
      { path: 'empty', data: '' },
    ],
    [{ path: 'now', data: 'now' }],
  ]);
  const head = await git(folder, ['rev-parse', 'main']);
  // A merge whose tree is of neither parent hides what it brings from a plain log.
  const evil = treeOf([['100644', 'evil', await object(folder, 'blob', 'only in a merge')]]);
  const merge = await git(folder, [
    'commit-tree',
    '-m',
    'm',
    '-p',
    'main',
    '-p',
    'main~1',
    await object(folder, 'tree', evil),
  ]);
  await git(folder, [
    'update-ref',
    'refs/heads/main',
    await git(folder, ['commit-tree', '-m', 'n', '-p', merge, `${head}^{tree}`]),
  ]);
  await git(folder, ['tag', 'of-a-blob', await object(folder, 'blob', 'under a tag alone')]);
  await withTree(
    'past.git',
    async (tree) => {
      expect(await textsOf(tree)).toEqual({ now: 'now' });
      const past = await pastOf(tree);
      expect(
        Object.fromEntries(past.map(({ path, content }) => [path, Buffer.from(content).toString('latin1')])),
      ).toEqual({
        evil: 'only in a merge',
        line: 'in a line',
        binary: '\0\n\u00ff\n',
        empty: '',
      });
      expect(past.find(({ path }) => path === 'evil')?.commit).toBe(merge);
      expect(tree.left).toEqual(['contents of the history over 2 MB: 1']);
    },
    {},
    true,
  );
});

test('a scan that is cancelled while it reads the history stops', async () => {
  const commits = Array.from({ length: 40 }, (_, index) => [{ path: 'a', data: `version ${index}` }]);
  await bareRepository(join(served, 'long.git'), commits);
  await withTree(
    'long.git',
    async (tree) => {
      const controller = new AbortController();
      const seen: string[] = [];
      const reading = (async () => {
        for await (const { content } of tree.history(controller.signal)) {
          seen.push(Buffer.from(content).toString());
          if (seen.length === 3) controller.abort(new Error('enough'));
        }
      })();
      await expect(reading).rejects.toThrow('enough');
      expect(seen[0]).toBe('version 38');
      for await (const past of tree.history(signal)) {
        expect(past.path).toBe('a');
        break;
      }
    },
    {},
    true,
  );
});
