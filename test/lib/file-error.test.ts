import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeFileError } from '../../src/lib/file-error.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'magpie-trouble-'));
  writeFileSync(join(folder, 'file'), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['none', undefined, 'it is not there; check the path'],
  ['none', 'its signature is not there', 'its signature is not there'],
  ['file/beneath', undefined, 'it is not there; check the path'],
  ['.', 'its signature is not there', 'it is a folder'],
])('the error for the file %j, with absence described as %j, is: %s', (name, absent, words) => {
  expect(describeFileError(troubleOf(join(folder, name)), absent)).toBe(words);
});

test('an error without a text of its own is described in the words of the system', () => {
  expect(describeFileError(troubleOf(join(folder, 'x'.repeat(300))))).toContain('ENAMETOOLONG');
});

function troubleOf(path: string): unknown {
  try {
    readFileSync(path);
  } catch (cause) {
    return cause;
  }
  throw new Error('it was read');
}
