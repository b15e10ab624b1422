import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createFolderBlobs } from '../../../src/documents/blobs/folder.ts';
import { describeBlobStore } from '../../contracts/blob-store.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const root = join(folder.path, 'files');
const blobs = createFolderBlobs(root);
async function* bytes(...pieces: string[]) {
  for (const piece of pieces) yield Buffer.from(piece);
}
const inside = () => readdirSync(root, { recursive: true, encoding: 'utf8' });

describeBlobStore('folder', async () => {
  const { path, remove } = temporaryFolder();
  return { open: () => createFolderBlobs(join(path, 'files')), remove: async () => remove() };
});

test.each(['..', '../bob', '/', 'a/b', '', 'nul\0', 'x'.repeat(300), '🐦', 'ADA', 'ada '])(
  'an owner named %j has a folder inside the root',
  async (owner) => {
    await blobs.put(owner, 'key', bytes('own'));
    expect(inside().every((name) => /^[0-9a-f]{40}(\/[\w-]+)?$/.test(name))).toBe(true);
    await blobs.delete(owner, 'key');
  },
);

test('an interrupted upload leaves no file', async () => {
  await blobs.put('cy', 'key', bytes('whole'));
  const before = inside();
  async function* broken() {
    yield Buffer.from('half');
    throw new Error('gone');
  }
  await expect(blobs.put('cy', 'key', broken())).rejects.toThrow('gone');
  expect(inside()).toEqual(before);
});

test('deleting a key deletes leftovers of a killed process for that key only', async () => {
  const before = inside();
  await blobs.put('dan', 'key', bytes('whole'));
  const [owner = ''] = inside().filter((name) => !before.includes(name) && name.endsWith('/key'));
  const at = join(root, owner);
  writeFileSync(`${at}.11111111-1111-4111-8111-111111111111.part`, 'half');
  writeFileSync(`${at}s.11111111-1111-4111-8111-111111111111.part`, 'of another key');
  await blobs.delete('dan', 'key');
  expect(inside().filter((name) => name.includes('.part'))).toEqual([
    `${owner}s.11111111-1111-4111-8111-111111111111.part`,
  ]);
});

test('the error names an unusable folder, and the folder is used again once it is usable', async () => {
  const path = join(folder.path, 'blocked');
  writeFileSync(path, '');
  const blocked = createFolderBlobs(path);
  await expect(blocked.put('ada', 'key', bytes('x'))).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('a file is in the way'),
  });
  rmSync(path);
  expect(await blocked.put('ada', 'key', bytes('x'))).toBe(1);
});
