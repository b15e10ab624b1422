import { expect, test } from 'vitest';
import { expandBraces } from '../../../src/security/scanners/source/rules/compile.ts';

test.each([
  ['os.system', ['os.system']],
  ['fs.{read,write}', ['fs.read', 'fs.write']],
  ['*.{Execute}', ['*.Execute']],
  ['{a,b}.{c,d}()', ['a.c()', 'a.d()', 'b.c()', 'b.d()']],
  ['http.Client{}().Get', ['http.Client{}().Get']],
  ['a.{b', ['a.{b']],
])('%s stands for %j', (pattern, all) => {
  expect(expandBraces(pattern)).toEqual(all);
});

test('a pattern with too many expansions is refused', () => {
  expect(() => expandBraces('{a,b}'.repeat(40))).toThrow(RangeError);
});
