import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeFolder } from '../../src/lib/make-folder.ts';
import { withoutModel } from '../helpers/embeddings-api.ts';
import { runMagpie, temporaryFolder } from '../helpers/magpie.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

test('missing folders are created for the current user only, and existing folders stay unchanged', () => {
  const deep = join(folder.path, 'a', 'b', 'c');
  makeFolder(deep);
  makeFolder(deep);
  expect(statSync(deep).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder.path, 'a')).mode & 0o777).toBe(0o700);
});

test('a file in the place of the folder, or above it, is an error', () => {
  const file = join(folder.path, 'file');
  writeFileSync(file, '');
  expect(() => makeFolder(file)).toThrow(/EEXIST/);
  expect(() => makeFolder(join(file, 'below'))).toThrow(/ENOTDIR/);
  mkdirSync(join(folder.path, 'made'));
  expect(() => makeFolder(join(folder.path, 'made'))).not.toThrow();
});

test('a data folder that cannot be created is reported at once', async () => {
  const { code, stderr } = await runMagpie(['upsert', 'Mill 4 stands still.'], {
    PATH: process.env.PATH ?? '',
    HOME: folder.path,
    MAGPIE_DATA: '/proc/nothing/here',
    NO_COLOR: '1',
  });
  expect(code).toBe(1);
  expect(stderr).toContain('set MAGPIE_DATA');
});

test('an export to a place where no folder can be created is refused', async () => {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder.path,
    MAGPIE_DATA: join(folder.path, 'data'),
    MAGPIE_USER: 'ada',
    NO_COLOR: '1',
    ...(await withoutModel()),
  };
  await runMagpie(['upsert', 'Mill 4 stands still.'], env);
  const exported = await runMagpie(['user', 'export', 'ada', '/proc/x'], env);
  expect(exported).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('/proc/x cannot be made a folder (ENOENT)'),
  });
  const notes = await runMagpie(['kb', 'export', '--format', 'markdown', '/proc/x'], env);
  expect(notes.code).not.toBe(0);
  expect(notes.stderr).toContain('cannot be used (ENOENT)');
});
