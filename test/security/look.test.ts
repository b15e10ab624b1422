import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { createRepositoryAccess } from '../../src/security/git/remote/repositories.ts';
import type { FileTree } from '../../src/security/trees/tree.ts';
import { git } from '../helpers/git.ts';
import { scanRoom } from '../helpers/scan-room.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'magpie-look-'));
  folders.push(made);
  return made;
}

const signal = AbortSignal.timeout(60_000);

test('a tree stays open while it is read', async () => {
  const { room, open, close } = await scanRoom({ folder: await folder() });
  const tree = await folder();
  await writeFile(join(tree, 'a.txt'), 'one');
  await writeFile(join(tree, 'b.skip'), 'two');
  const request = { repository: tree, deep: false };
  const seen = await room.readTree('ann', request, { anyFolder: true }, signal, async (at) => {
    expect(open()).toBe(1);
    return at.files.map(({ path }) => path);
  });
  expect(seen).toEqual(['a.txt', 'b.skip']);
  expect(open()).toBe(0);
  const failing = room.readTree('ann', request, {}, signal, async () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(open()).toBe(0);
  await close();
});

test('the tree of a scan can be read before it is closed, and its scanners report how many files they read', async () => {
  const { room, open, close } = await scanRoom({ folder: await folder() });
  const repository = await folder();
  await writeFile(join(repository, 'a.txt'), 'one');
  await writeFile(join(repository, 'b.skip'), 'two');
  const request = { repository, deep: false, dependencies: false };
  const watch = { signal, progress() {} };
  let read: (number | string)[] = [];
  const use = async (tree: FileTree) => {
    const files = await Promise.all(tree.files.map(async (file) => (await tree.read(file)).length));
    read = [open(), ...files];
  };
  const { report } = await room.scan('ann', request, { use }, watch);
  expect(read).toEqual([1, 3, 3]);
  expect(open()).toBe(0);
  expect(report?.scanners).toMatchObject([{ name: 'marks', files: 1 }]);
  const broken = room.scan(
    'ann',
    request,
    {
      async use() {
        throw new AppError('upstream', 'the tree is gone');
      },
    },
    watch,
  );
  await expect(broken).rejects.toThrow('the tree is gone');
  expect(open()).toBe(0);
  expect((await room.listScans('ann')).map(({ state }) => state)).toEqual(['failed', 'completed']);
  await close();
});

test('signed commits are recognised without running programs that the repository names', async () => {
  const repository = await folder();
  await git(repository, ['init', '-q']);
  await writeFile(join(repository, 'a.txt'), 'one');
  await git(repository, ['add', '.']);
  await git(repository, ['commit', '-qm', 'gpgsig is not in the headers\n\ngpgsig here']);
  const first = (await git(repository, ['cat-file', 'commit', 'HEAD'])).trim();
  const signature = 'gpgsig -----BEGIN SSH SIGNATURE-----\n U1NIU0lH\n -----END SSH SIGNATURE-----';
  const raw = `${first.replace(/^(committer .*)$/m, `$1\n${signature}`)}\n`;
  const signed = (await git(repository, ['hash-object', '-t', 'commit', '-w', '--stdin'], raw)).trim();
  await git(repository, ['update-ref', 'HEAD', signed]);
  await git(repository, ['config', 'gpg.program', '/bin/false']);
  await git(repository, ['commit', '-qm', 'plain', '--allow-empty']);
  const repositories = createRepositoryAccess({ folder: await folder(), roots: [], allowHosts: [] });
  const request = { repository, history: false, anyFolder: true };
  const watch = { signal, progress() {} };
  const asItStands = await repositories.open(request, watch);
  expect(await asItStands.signatures?.(signal)).toEqual({ seen: 2, signed: 1 });
  await asItStands.close();
  const byCommit = await repositories.open({ ...request, branch: signed }, watch);
  expect(await byCommit.signatures?.(signal)).toEqual({ seen: 1, signed: 1 });
  await byCommit.close();
  const plain = await folder();
  const tree = await repositories.open({ ...request, repository: plain }, watch);
  expect(tree.signatures).toBeUndefined();
  await tree.close();
  await repositories.close();
});
