import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeFolder } from '../../src/storage/make-folder.ts';
import { runMagpie, temporaryFolder } from '../helpers/magpie.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

test('makes what is missing, for its user only, and minds nothing that is there', () => {
  const deep = join(folder.path, 'a', 'b', 'c');
  makeFolder(deep);
  makeFolder(deep);
  expect(statSync(deep).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder.path, 'a')).mode & 0o777).toBe(0o700);
});

test('a file in its place, or above it, is an error', () => {
  const file = join(folder.path, 'file');
  writeFileSync(file, '');
  expect(() => makeFolder(file)).toThrow(/EEXIST/);
  expect(() => makeFolder(join(file, 'below'))).toThrow(/ENOTDIR/);
  mkdirSync(join(folder.path, 'made'));
  expect(() => makeFolder(join(folder.path, 'made'))).not.toThrow();
});

test('a data folder where nothing can be made is told at once', async () => {
  const { code, stderr } = await runMagpie(['upsert', 'Mill 4 stands still.'], {
    PATH: process.env.PATH ?? '',
    HOME: folder.path,
    MAGPIE_DATA: '/proc/nothing/here',
    NO_COLOR: '1',
  });
  expect(code).toBe(1);
  expect(stderr).toContain('set MAGPIE_DATA');
});
