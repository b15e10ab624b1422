import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { bareRepository, git, inGit, workTree } from '../../helpers/git.ts';
import { pastOf, textsOf, withTree } from '../../helpers/repositories.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'magpie-folder-')));
const roots = [join(base, 'roots')];
let count = 0;
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** A new folder under the root that may be scanned. */
function newFolder(files: Record<string, string | Buffer> = {}): string {
  const folder = join(base, 'roots', `folder-${++count}`);
  mkdirSync(folder, { recursive: true });
  write(folder, files);
  return folder;
}

function write(folder: string, files: Record<string, string | Buffer>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

describe('which folders are opened', () => {
  test('a folder is opened only inside the roots, also through symbolic links', async () => {
    const inside = newFolder({ 'a.txt': 'a' });
    const outside = join(base, 'outside');
    write(outside, { 'secret.txt': 'b' });
    symlinkSync(outside, join(base, 'roots', 'way-out'));
    symlinkSync(inside, join(base, 'way-in'));
    mkdirSync(join(base, 'roots-too'));
    const open = (repository: string, more = {}) =>
      withTree(base, { repository, ...more }, textsOf, { roots });
    expect(await open(inside)).toEqual({ 'a.txt': 'a' });
    expect(await open(`file://${inside}`)).toEqual({ 'a.txt': 'a' });
    expect(await open(join(base, 'way-in'))).toEqual({ 'a.txt': 'a' });
    for (const path of [
      outside,
      join(base, 'roots', 'way-out'),
      join(base, 'roots', '..', 'outside'),
      join(base, 'roots-too'),
      join(base, 'nothing'),
      '/etc',
      base,
    ]) {
      await expect(open(path), path).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('MAGPIE_SCAN_ROOTS'),
      });
    }
    await expect(open(join(inside, 'nothing'))).rejects.toMatchObject({ code: 'not_found' });
    expect(await open(join(inside, 'a.txt'))).toEqual({ 'a.txt': 'a' });
    await expect(open('roots')).rejects.toMatchObject({ code: 'bad_request' });
    expect(await open(outside, { anyFolder: true })).toEqual({ 'secret.txt': 'b' });
    await expect(withTree(base, { repository: inside }, textsOf)).rejects.toThrow(
      /no folder of this machine.*\(roots\).*MAGPIE_SCAN_ROOTS/,
    );
  });

  test('a branch is refused for a folder without git', async () => {
    const repository = newFolder({ a: 'a' });
    await expect(withTree(base, { repository, branch: 'main' }, textsOf, { roots })).rejects.toThrow(
      /not under git/,
    );
  });
});

describe('without git', () => {
  test('all files are read except links, devices and dependency folders', async () => {
    const repository = newFolder({
      'b.txt': 'b',
      'a/ä \n.txt': 'odd',
      'a/node_modules/x/index.js': 'x',
      'node_modules/y.js': 'y',
      '.venv/z.py': 'z',
      '.env': 'e',
      'big.bin': 'x'.repeat(2000),
    });
    symlinkSync('/etc/hostname', join(repository, 'link'));
    symlinkSync('..', join(repository, 'up'));
    execFileSync('mkfifo', [join(repository, 'pipe')]);
    const latin = Buffer.concat([Buffer.from(`${repository}/caf`), Buffer.from([0xe9])]);
    writeFileSync(latin, 'latin');
    await withTree(
      base,
      { repository, history: true },
      async (tree) => {
        expect(await textsOf(tree)).toEqual({
          '.env': 'e',
          'a/ä \n.txt': 'odd',
          'b.txt': 'b',
          'caf\\xE9': 'latin',
        });
        expect(tree.files.map(({ path }) => path)).toEqual(['.env', 'a/ä \n.txt', 'b.txt', 'caf\\xE9']);
        expect([...tree.left].sort()).toEqual([
          '1 file over 1000 bytes',
          '1 folder .venv',
          '1 pipe, socket or device',
          '2 folders node_modules',
          '2 symbolic links',
          'the history: the folder is not under git',
        ]);
        expect(tree.commit).toBeUndefined();
        expect(await pastOf(tree)).toEqual([]);
      },
      { roots, limits: { fileBytes: 1000 } },
    );
  });

  test('the limits of file count, file size and total size apply together', async () => {
    const repository = newFolder({ a: 'aaaa', b: 'bbbb', c: 'cccc', d: 'd' });
    const left = (limits: object) =>
      withTree(base, { repository }, (tree) => [tree.files.map(({ path }) => path).join(''), ...tree.left], {
        roots,
        limits,
      });
    expect(await left({ files: 3 })).toEqual(['abc', 'all files past the first 3']);
    expect(await left({ treeBytes: 9 })).toEqual(['abd', '1 file past the first 9 bytes of the tree']);
  });

  test('a file that changes during the scan is refused', async () => {
    const repository = newFolder({ a: 'before' });
    await withTree(
      base,
      { repository },
      async (tree) => {
        writeFileSync(join(repository, 'a'), 'after!');
        const [file = expect.fail('no file')] = tree.files;
        await expect(tree.read(file)).rejects.toThrow(/"a" was changed while it was scanned/);
      },
      { roots },
    );
  });
});

describe('with git', () => {
  test('files that are tracked or not ignored are read in their state on the disk', async () => {
    const folder = newFolder();
    await workTree(folder, () =>
      write(folder, {
        '.gitignore': '*.log\nout/\n',
        'a.txt': 'a',
        'gone.txt': 'g',
        'src/b.ts': 'b',
        'forced.log': '',
      }),
    );
    await git(folder, ['add', '-f', 'forced.log']);
    rmSync(join(folder, 'gone.txt'));
    write(folder, { 'a.txt': 'changed', 'new.txt': 'n', 'x.log': 'x', 'out/y': 'y', 'src/private.txt': 'p' });
    appendFileSync(inGit(folder, 'info', 'exclude'), 'private.txt\n');
    const head = await git(folder, ['rev-parse', 'HEAD']);
    await withTree(
      base,
      { repository: folder, history: true },
      async (tree) => {
        expect(await textsOf(tree)).toEqual({
          '.gitignore': '*.log\nout/\n',
          'a.txt': 'changed',
          'forced.log': '',
          'new.txt': 'n',
          'src/b.ts': 'b',
        });
        expect(tree.commit).toBe(head);
        expect(tree.files.find(({ path }) => path === 'src/b.ts')?.blob).toBe(
          await git(folder, ['rev-parse', 'HEAD:src/b.ts']),
        );
        expect((await pastOf(tree)).map(({ path, commit }) => [path, commit])).toEqual([
          ['a.txt', head],
          ['gone.txt', head],
        ]);
      },
      { roots },
    );
    await withTree(
      base,
      { repository: join(folder, 'src'), history: true },
      async (tree) => {
        expect(await textsOf(tree)).toEqual({ 'b.ts': 'b' });
        expect(await pastOf(tree)).toEqual([]);
      },
      { roots },
    );
    expect(await git(folder, ['status', '--porcelain'])).toBe(
      'M a.txt\nA  forced.log\n D gone.txt\n?? new.txt',
    );
  });

  test('branches, short ids, linked work trees and bare repositories are read', async () => {
    const folder = newFolder();
    await workTree(folder, () => write(folder, { a: 'one' }));
    const first = await git(folder, ['rev-parse', 'HEAD']);
    write(folder, { a: 'two', 'sub/b': 'three' });
    await git(folder, ['add', '-A']);
    await git(folder, ['commit', '-qm', 'second']);
    await git(folder, ['branch', 'old', first]);
    await git(folder, ['pack-refs', '--all']);
    await git(folder, ['worktree', 'add', '-q', `${folder}-linked`, 'old']);
    const bare = `${folder}.git`;
    await git(base, ['clone', '-q', '--bare', folder, bare]);
    const open = (repository: string, branch?: string) =>
      withTree(base, { repository, branch: branch || undefined }, textsOf, { roots });
    expect(await open(folder, 'old')).toEqual({ a: 'one' });
    expect(await open(folder, first.slice(0, 10))).toEqual({ a: 'one' });
    expect(await open(join(folder, 'sub'), 'main')).toEqual({ b: 'three' });
    expect(await open(`${folder}-linked`)).toEqual({ a: 'one' });
    expect(await open(bare)).toEqual({ a: 'two', 'sub/b': 'three' });
    expect(await open(bare, 'old')).toEqual({ a: 'one' });
    await expect(open(bare, 'mian')).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('the nearest are "main", "old"'),
    });
  });

  test('a folder with a split or broken index is read', async () => {
    const folder = newFolder();
    await workTree(folder, () => write(folder, { a: 'a', b: 'b' }));
    await git(folder, ['update-index', '--split-index']);
    expect(await withTree(base, { repository: folder }, textsOf, { roots })).toEqual({ a: 'a', b: 'b' });
    writeFileSync(inGit(folder, 'index'), 'DIRC and nothing else');
    expect(await withTree(base, { repository: folder }, textsOf, { roots })).toEqual({ a: 'a', b: 'b' });
  });

  test('a repository without a commit reports that it has no history, and that is not a gap', async () => {
    const folder = newFolder({ a: 'one' });
    await git(folder, ['init', '-q']);
    await withTree(
      base,
      { repository: folder, history: true },
      async (tree) => {
        expect(tree.left).toEqual(['the history: there is no commit yet']);
        expect(tree.gaps).toEqual([]);
      },
      { roots },
    );
  });

  test('a repository with SHA-256 ids is read with its history', async () => {
    const folder = newFolder();
    await git(folder, ['init', '-q', '--object-format=sha256']);
    write(folder, { a: 'one' });
    await git(folder, ['add', 'a']);
    await git(folder, ['commit', '-qm', 'one']);
    write(folder, { a: 'two' });
    await withTree(
      base,
      { repository: folder, history: true },
      async (tree) => {
        expect(await textsOf(tree)).toEqual({ a: 'two' });
        expect((await pastOf(tree)).map(({ content }) => Buffer.from(content).toString())).toEqual(['one']);
      },
      { roots },
    );
  });
});

describe('hostile repositories', () => {
  test('programs that the configuration, attributes, hooks or filters name do not run', async () => {
    const canary = join(base, 'canary');
    const script = join(base, 'script.sh');
    writeFileSync(script, `#!/bin/sh\necho ext >> ${canary}\n`, { mode: 0o755 });
    const bait = (name: string) => `sh -c 'echo ${name} >> ${canary}'`;
    const folder = newFolder();
    await workTree(folder, () =>
      write(folder, {
        a: 'one\n',
        '.gitattributes': '* filter=evil diff=evil merge=evil text eol=crlf ident\n',
      }),
    );
    write(folder, { a: 'two\n', b: 'new\n' });
    await git(folder, ['commit', '-qam', 'second']);
    write(folder, { a: 'three\n' });
    const lines: [string, string][] = [
      ['core.fsmonitor', bait('fsmonitor')],
      ['core.sshCommand', bait('ssh')],
      ['core.pager', bait('pager')],
      ['core.editor', bait('editor')],
      ['core.askPass', bait('askpass')],
      ['core.gitProxy', bait('proxy')],
      ['core.alternateRefsCommand', bait('alternates')],
      ['core.hooksPath', join(folder, 'hooks')],
      ['credential.helper', `!${bait('credential')}`],
      ['filter.evil.clean', bait('clean')],
      ['filter.evil.smudge', bait('smudge')],
      ['filter.evil.process', bait('process')],
      ['filter.evil.required', 'true'],
      ['diff.external', bait('external')],
      ['diff.evil.command', bait('diff')],
      ['diff.evil.textconv', bait('textconv')],
      ['merge.evil.driver', bait('merge')],
      ['gpg.program', bait('gpg')],
      ['pager.log', bait('pager-log')],
      ['alias.ls-files', `!${bait('alias')}`],
      ['alias.rev-list', `!${bait('alias')}`],
      ['include.path', '/dev/zero'],
      ['includeIf.gitdir:/.path', '/dev/zero'],
      ['core.excludesFile', '/dev/zero'],
      ['core.attributesFile', '/dev/zero'],
      ['core.worktree', '/etc'],
      ['extensions.partialClone', 'evil'],
      ['extensions.worktreeConfig', 'true'],
      ['remote.evil.promisor', 'true'],
      ['remote.evil.url', `ext::${script}`],
      ['remote.evil.uploadpack', bait('uploadpack')],
      ['protocol.allow', 'always'],
      ['uploadpack.packObjectsHook', bait('pack')],
    ];
    const sections = lines.map(([key, value]) => {
      const [section = '', ...rest] = key.split('.');
      const name = rest.pop();
      const sub = rest.length > 0 ? ` ${JSON.stringify(rest.join('.'))}` : '';
      return `[${section}${sub}]\n\t${name} = ${JSON.stringify(value)}\n`;
    });
    for (const hooks of [join(folder, 'hooks'), inGit(folder, 'hooks')]) {
      mkdirSync(hooks, { recursive: true });
      for (const name of [
        'post-index-change',
        'reference-transaction',
        'post-checkout',
        'fsmonitor-watchman',
      ]) {
        writeFileSync(join(hooks, name), `#!/bin/sh\necho ${name} >> ${canary}\n`);
        chmodSync(join(hooks, name), 0o755);
      }
    }
    // A content that is missing, which a partial clone would fetch by what its remote names.
    const missing = await git(folder, ['rev-parse', 'HEAD~1:a']);
    rmSync(inGit(folder, 'objects', missing.slice(0, 2), missing.slice(2)));
    appendFileSync(inGit(folder, 'config'), `[core]\n\trepositoryformatversion = 1\n${sections.join('')}`);
    await withTree(
      base,
      { repository: folder, history: true },
      async (tree) => {
        const texts = await textsOf(tree);
        expect(texts).toMatchObject({ a: 'three\n', b: 'new\n' });
        expect((await pastOf(tree)).map(({ content }) => Buffer.from(content).toString())).toEqual(['two\n']);
      },
      { roots },
    );
    await withTree(
      base,
      { repository: folder, branch: 'main' },
      async (tree) => {
        expect(await textsOf(tree)).toMatchObject({ a: 'two\n' });
      },
      { roots },
    );
    expect(existsSync(canary)).toBe(false);
    // The bait works: git itself, in the folder, would have taken it.
    const config = readFileSync(inGit(folder, 'config'), 'utf8');
    writeFileSync(
      inGit(folder, 'config'),
      config.replaceAll('/dev/zero', '/dev/null').replace('/etc', folder),
    );
    // As large as what is in the index: of a file of another size git need not read the content through the filter.
    writeFileSync(join(folder, 'a'), 'six\n');
    utimesSync(join(folder, 'a'), 1, 1);
    await git(folder, ['status']).catch(() => {});
    await git(folder, ['cat-file', '-p', missing]).catch(() => {});
    const taken = readFileSync(canary, 'utf8').split('\n');
    expect(taken).toEqual(expect.arrayContaining(['fsmonitor', 'process', 'ext']));
  });

  test('objects that are borrowed or linked from outside the roots are not read', async () => {
    const outside = await bareRepository(join(base, `outside-${++count}.git`), [
      [{ path: 'secret', data: 'of others' }],
    ]);
    const head = await git(outside, ['rev-parse', 'main']);
    const borrow = async (steal: (folder: string) => void) => {
      const folder = newFolder();
      await workTree(folder, () => write(folder, { a: 'a' }));
      writeFileSync(inGit(folder, 'refs', 'heads', 'theirs'), `${head}\n`);
      steal(folder);
      await withTree(
        base,
        { repository: folder, history: true },
        async (tree) => {
          expect(await textsOf(tree)).toEqual({ a: 'a' });
          expect(await pastOf(tree)).toEqual([]);
          expect(tree.left).toEqual([expect.stringMatching(/^the history: its? /)]);
        },
        { roots },
      );
      await expect(
        withTree(base, { repository: folder, branch: 'theirs' }, textsOf, { roots }),
      ).rejects.toMatchObject({
        code: expect.stringMatching(/forbidden|not_found/),
      });
    };
    await borrow((folder) =>
      writeFileSync(inGit(folder, 'objects', 'info', 'alternates'), `${outside}/objects\n`),
    );
    await borrow((folder) => {
      rmSync(inGit(folder, 'objects', 'pack'), { recursive: true, force: true });
      symlinkSync(join(outside, 'objects', 'pack'), inGit(folder, 'objects', 'pack'));
    });
    // `.git` itself, as a link and as a file that names a folder outside.
    for (const steal of ['link', 'file']) {
      const folder = newFolder({ a: 'a' });
      if (steal === 'link') symlinkSync(outside, join(folder, '.git'));
      else writeFileSync(join(folder, '.git'), `gitdir: ${outside}\n`);
      await withTree(
        base,
        { repository: folder, history: true },
        async (tree) => {
          expect(Object.keys(await textsOf(tree))).not.toContain('secret');
          expect(await pastOf(tree)).toEqual([]);
          expect(tree.commit).toBeUndefined();
        },
        { roots },
      );
    }
  });

  test('a tracked folder that became a link is not followed', async () => {
    const folder = newFolder();
    await workTree(folder, () => write(folder, { 'sub/passwd': 'mine', a: 'a' }));
    renameSync(join(folder, 'sub'), join(folder, 'other'));
    symlinkSync('/etc', join(folder, 'sub'));
    await withTree(
      base,
      { repository: folder },
      async (tree) => {
        expect(await textsOf(tree)).toEqual({ a: 'a', 'other/passwd': 'mine' });
        expect(tree.left).toContain('1 symbolic link');
      },
      { roots },
    );
  });
});
