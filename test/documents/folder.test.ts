import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createFolderBlobs } from '../../src/documents/blobs/folder.ts';
import { temporaryFolder } from '../helpers/magpie.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const root = join(folder.path, 'files');
const blobs = createFolderBlobs(root);
async function* bytes(...pieces: string[]) {
  for (const piece of pieces) yield Buffer.from(piece);
}
const text = async (owner: string, key: string) => {
  const stream = await blobs.get(owner, key);
  return stream && new Response(stream).text();
};
const inside = () => readdirSync(root, { recursive: true, encoding: 'utf8' });

test('keeps, replaces, gives and deletes; each owner has a place of its own', async () => {
  expect(await blobs.put('ada', 'one', bytes('first ', 'text'))).toBe(10);
  expect(await blobs.put('bob', 'one', bytes('of bob'))).toBe(6);
  expect(await text('ada', 'one')).toBe('first text');
  await blobs.put('ada', 'one', bytes('second'));
  expect([await text('ada', 'one'), await text('bob', 'one')]).toEqual(['second', 'of bob']);
  expect(await blobs.delete('ada', 'one')).toBe(true);
  expect(await blobs.delete('ada', 'one')).toBe(false);
  expect([await text('ada', 'one'), await text('bob', 'one')]).toEqual([undefined, 'of bob']);
});

test.each(['..', '../bob', '/', 'a/b', '', 'nul\0', 'x'.repeat(300), '🐦', 'ADA', 'ada '])(
  'an owner named %j is nobody else',
  async (owner) => {
    await blobs.put('ada', 'key', bytes('of ada'));
    expect(await text(owner, 'key')).toBeUndefined();
    await blobs.put(owner, 'key', bytes('own'));
    expect([await text(owner, 'key'), await text('ada', 'key')]).toEqual(['own', 'of ada']);
    expect(inside().every((name) => /^[0-9a-f]{40}(\/[\w-]+)?$/.test(name))).toBe(true);
    await blobs.delete(owner, 'key');
  },
);

test.each(['..', '../x', 'a/b', '', 'a.b', 'nul\0', 'x'.repeat(101)])('%j is no key', async (key) => {
  await expect(blobs.put('ada', key, bytes('x'))).rejects.toThrow('is no key');
  await expect(blobs.get('ada', key)).rejects.toThrow('is no key');
  await expect(blobs.delete('ada', key)).rejects.toThrow('is no key');
});

test('what breaks off leaves what was there, and nothing else', async () => {
  await blobs.put('cy', 'key', bytes('whole'));
  const before = inside();
  async function* broken() {
    yield Buffer.from('half');
    throw new Error('gone');
  }
  await expect(blobs.put('cy', 'key', broken())).rejects.toThrow('gone');
  expect(inside()).toEqual(before);
  expect(await text('cy', 'key')).toBe('whole');
});

test('a folder that cannot be used is said, and used again once it can be', async () => {
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
