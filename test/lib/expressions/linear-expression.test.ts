import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileLinearRegex } from '../../../src/lib/expressions/linear-expression.ts';

describe('an expression gives the same result as RegExp', () => {
  test.each([
    ['^md[245]$', '', ['md5', 'md3', 'xmd5', 'md55']],
    ['sql|psycopg', 'i', ['import SQLite', 'psycop', 'PSYCOPG2']],
    ['a{2,3}b?c+', '', ['aac', 'abc', 'aaabcc', 'aaaabc', '']],
    ['\\bsession\\b', '', ['a session b', 'sessions', 'session']],
    ['[^\\w.-]x', '', ['ax', ' x', '.x', '-x', '/x']],
    ['^(?:get|set)(?:_\\w+)*$', '', ['get_a_b', 'got', 'set', 'set_']],
    ['.', '', ['\n', 'a', '']],
    ['.', 's', ['\n', '']],
    ['(?:a*)*b', '', ['aaaa', 'aab', 'b']],
    ['', '', ['', 'x']],
    ['a||b', '', ['x']],
    ['[]a]', '', ['a', ']']],
    ['[a\\]\\-z]', 'i', ['A', ']', '-', 'Z', 'b']],
    ['\\.\\/\\$\\{', '', ['./${', './{']],
    ['x{2}', '', ['x', 'xx']],
    ['x{0,}y', '', ['y', 'xxy', 'x']],
    ['{a', '', ['{a', 'a']],
    ['\\B-', '', ['a-', ' -', '--']],
  ])('/%s/%s', (source, flags, texts) => {
    const ours = compileLinearRegex(source, flags);
    for (const text of texts)
      expect(ours.test(text), JSON.stringify(text)).toBe(new RegExp(source, flags).test(text));
  });

  test('for any expression of its syntax, and any text', () => {
    const leaf = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\b', '^', '$', '(?:ab|b)');
    const source = fc.array(fc.tuple(leaf, fc.constantFrom('', '', '*', '+', '?', '{1,2}', '{2}')), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        source,
        fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n'), maxLength: 8 }),
        (parts, text) => {
          const written = parts
            .map(([one, times]) => (/^(?:\\b|\^|\$)$/.test(one) ? one : one + times))
            .join('');
          expect(compileLinearRegex(written, '').test(text)).toBe(new RegExp(written).test(text));
        },
      ),
      { numRuns: 3000 },
    );
  });
});

test.each([
  ['a(?=b)', '', /\(\?=/],
  ['(?<!a)b', '', /\(\?=/],
  ['(a)\\1', '', /\\1 is not taken/],
  ['\\p{L}', '', /\\p is not taken/],
  ['a(b', '', /without its \)/],
  ['a)b', '', /without its \(/],
  ['[ab', '', /without its \]/],
  ['*a', '', /nothing before \*/],
  ['a\\', '', /ends with a backslash/],
  ['[z-a]', '', /wrong order/],
  ['a{3,2}', '', /is not taken/],
  ['(?:a{1000}){1000}', '', /too large/],
  ['a', 'g', /flag g/],
  ['('.repeat(100), '', /too deep/],
])('/%s/%s is refused with the reason', (source, flags, why) => {
  expect(() => compileLinearRegex(source, flags)).toThrow(why);
});

test('a repeated empty match takes a few steps', () => {
  const source = `${'(?:'.repeat(20)}${'){1000}'.repeat(20)}a`;
  expect(compileLinearRegex(source, '').test('ba')).toBe(true);
});

test('a match that takes other engines exponential time takes steps in proportion to the text', () => {
  const text = `${'a'.repeat(9_000)}!`;
  for (const source of ['^(?:a|aa)+$', '(?:a*)*b', '(?:a?){200}a{200}b', '^(?:(?:a+)+)+$'])
    expect(compileLinearRegex(source, '').test(text)).toBe(false);
});
