import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type InputDeclaration, parseInput } from '../../src/server/input.ts';
import { browse } from '../../tools/browse.ts';
import { query } from '../../tools/query.ts';
import { search } from '../../tools/search.ts';

const q = 'https://a.example/';
const start = { percentile: 1, numofpages: 1 };
const SURFACES = ['reject', 'ignore'] as const;

const read = (given: object, operation: InputDeclaration = browse) =>
  parseInput(operation, { q, ...start, ...given }, 'reject') as Record<string, unknown>;

test('null counts as a value that is not given, for clients that fill in every parameter', () => {
  const none = { section: null, since: null, extract: null, map: null, crawl: null, paging: null };
  expect(read(none)).toEqual(read({}));
  expect(parseInput(browse, { q, ...start, ...none }, 'ignore')).toEqual(read({}));
  for (const surface of SURFACES) {
    expect(() => parseInput(browse, { ...start, q: null }, surface)).toThrow(
      'no query was provided: q is required, an http or https URL',
    );
    expect(() => parseInput(browse, { q, numofpages: 1, percentile: null }, surface)).toThrow(
      'percentile is required: a whole number from 1 to 100',
    );
  }
});

test.each(['', ' ', '\u200b', '\u200b\ufeff\u2060', '\u00ad \n', '\u3164'])(
  'a text of nothing that can be seen is no query: %j',
  (blank) => {
    for (const surface of SURFACES)
      expect(() => parseInput(query, { q: blank }, surface)).toThrow('no query was provided: q is required');
  },
);

test('a number is accepted in place of a text, such as the section of an outline', () => {
  expect(read({ section: 2 })).toMatchObject({ section: '2' });
  expect(read({ q: 2026 }, search)).toMatchObject({ q: '2026' });
  expect(() => read({ section: true })).toThrow('section is true: it takes text');
});

test.each([
  ['<https://a.example/b>', 'https://a.example/b'],
  ['"https://a.example/b"', 'https://a.example/b'],
  ['[a page](https://a.example/b)', 'https://a.example/b'],
  ['(https://a.example/b).', 'https://a.example/b'],
  ['localhost:3000/b', 'http://localhost:3000/b'],
  ['192.168.1.4', 'http://192.168.1.4/'],
  ['a.example/b', 'https://a.example/b'],
  [' a.example, ', 'https://a.example/'],
])('%s is understood as an address', (given, meant) => {
  expect(read({ q: given })).toMatchObject({ q: meant });
});

test.each([
  ['https://a.example/b https://c.example/', 'https://a.example/b'],
  ['read https://a.example/b', 'https://a.example/b'],
  ['readme.md', 'https://readme.md'],
])('%s: the error suggests the address', (given, meant) => {
  expect(() => read({ q: given })).toThrow(` (did you mean ${meant}?): it takes an http or https URL`);
});

test.each([['https://a.example/?next=https://b.example/'], ['https://a.example/https://b.example/']])(
  '%s is one address',
  (given) => {
    expect(read({ q: given })).toMatchObject({ q: given });
  },
);

test.each([
  [browse, 'url', 'q'],
  [search, 'query', 'q'],
  [search, 'freshness', 'timeRange'],
  [search, 'include_domains', 'site'],
  [search, 'excludeDomains', 'excludeSite'],
  [search, 'max_results', 'numofpages'],
  [search, 'country', 'region'],
  [browse, 'page', 'paging'],
  [browse, 'schema', 'extract'],
])('%#: the error for a common wrong parameter name suggests the right one', (operation, name, meant) => {
  expect(() => parseInput(operation, { q, [name]: 'x' }, 'reject')).toThrow(
    `unknown parameter "${name}" (did you mean ${meant}?)`,
  );
});

test('filters are accepted in the usual spellings', () => {
  expect(read({ language: 'DE', region: 'at', site: 'https://docs.a.example/' }, search)).toMatchObject({
    language: 'de',
    region: 'AT',
  });
  expect(read({ language: 'pt-BR' }, search)).toMatchObject({ language: 'pt-br' });
});

const declared = {
  name: 'sample',
  input: z.object({
    yes: z.boolean().optional(),
    count: z.int().optional(),
    share: z.number().optional(),
    words: z.array(z.string()).optional(),
    level: z.enum(['low', 'High']).optional(),
    text: z.string().optional(),
    any: z.record(z.string(), z.unknown()).optional(),
    options: z
      .object({
        deep: z.boolean().optional(),
        least: z.number().optional(),
        hook: z.string().optional(),
        rules: z.array(z.object({ name: z.string(), on: z.boolean().optional() })).optional(),
      })
      .optional(),
  }),
};
describe.each(SURFACES)(
  'texts that can mean one thing only, on the surface that %ss unknown parameters',
  (unknown) => {
    const readOn = (given: Record<string, unknown>) => parseInput(declared, given, unknown);

    test.each([
      [{ yes: 'True' }, { yes: true }],
      [{ yes: ' FALSE ' }, { yes: false }],
      [{ yes: 'yes' }, { yes: true }],
      [{ yes: 'Off' }, { yes: false }],
      [{ count: '5' }, { count: 5 }],
      [{ count: ' +5 ' }, { count: 5 }],
      [{ count: '5.0' }, { count: 5 }],
      [{ count: '-3' }, { count: -3 }],
      [{ share: '.5' }, { share: 0.5 }],
      [{ share: '5e-1' }, { share: 0.5 }],
      [{ words: '["a,b","c"]' }, { words: ['a,b', 'c'] }],
      [{ words: 'a, b' }, { words: ['a', 'b'] }],
      [{ words: '"a,b"' }, { words: ['a,b'] }],
      [{ level: 'high' }, { level: 'High' }],
      [{ level: ' LOW' }, { level: 'low' }],
      [{ any: '{"type":"object"}' }, { any: { type: 'object' } }],
      [{ options: '{"deep":"True","least":"7"}' }, { options: { deep: true, least: 7 } }],
      [{ options: { deep: 'true', least: '7.5' } }, { options: { deep: true, least: 7.5 } }],
      [{ options: { hook: '' } }, { options: { hook: '' } }],
      [
        { options: { rules: '[{"name":"a","on":"no"}]' } },
        { options: { rules: [{ name: 'a', on: false }] } },
      ],
      [{ options: { rules: ['{"name":"a"}'] } }, { options: { rules: [{ name: 'a' }] } }],
      [{ options: { rules: '{"name":"a"}' } }, { options: { rules: [{ name: 'a' }] } }],
      [{ yes: null, count: null, words: null, options: null, level: null }, {}],
      [{ options: { deep: null, least: 1, rules: null } }, { options: { least: 1 } }],
      [{ options: { rules: [{ name: 'a', on: null }] } }, { options: { rules: [{ name: 'a' }] } }],
      [{ text: 'True' }, { text: 'True' }],
      [{ text: 'null' }, { text: 'null' }],
      [{ text: '["a"]' }, { text: '["a"]' }],
    ])('%j', (given, wanted) => {
      expect(readOn(given)).toEqual(wanted);
    });

    test.each([
      [{ yes: 'maybe' }, 'yes is "maybe": it takes true or false'],
      [{ yes: '2' }, 'yes is "2"'],
      [{ count: '5.5' }, 'count is "5.5"'],
      [{ count: '1,000' }, 'count is "1,000"'],
      [{ count: '0x10' }, 'count is "0x10"'],
      [{ count: 'five' }, 'count is "five"'],
      [{ count: '1e999' }, 'count is "1e999"'],
      [{ share: '5%' }, 'share is "5%"'],
      [{ level: 'mid' }, 'level is "mid": it takes one of low, High'],
      [{ any: '{"a"' }, 'any is'],
      [{ options: '[1]' }, 'options is "[1]": it takes an object with deep'],
      [{ options: { deep: 'perhaps' } }, 'options.deep is not usable: it takes true or false'],
    ])('%j is refused', (given, problem) => {
      expect(() => readOn(given)).toThrow(problem);
    });
  },
);

test.each([
  [{ yes: 'None', count: 'null', words: 'undefined', any: 'null' }, {}],
  [{ level: 'null' }, {}],
  [{ options: { deep: null, least: 'None', rules: null } }, { options: {} }],
  [{ yes: 1 }, { yes: true }],
  [{ yes: 0 }, { yes: false }],
  [{ yes: '1' }, { yes: true }],
  [{ words: 5 }, { words: ['5'] }],
  [{ words: [5, 'a'] }, { words: ['5', 'a'] }],
  [{ options: { rules: { name: 7 } } }, { options: { rules: [{ name: '7' }] } }],
])('an assistant may send %j', (given, wanted) => {
  expect(parseInput(declared, given, 'reject')).toEqual(wanted);
});

test.each([
  [{ optoins: {} }, 'unknown parameter "optoins" (did you mean options?): sample takes yes'],
  [{ options: { depp: true } }, 'unknown parameter "depp" (did you mean deep?): sample.options takes deep'],
  [
    { options: { rules: [{ name: 'a' }, { nmae: 'b' }] } },
    'unknown parameter "nmae" (did you mean name?): sample.options.rules takes name, on',
  ],
  [{ options: '{"rules":[{"nmae":"b"}]}' }, 'unknown parameter "nmae" (did you mean name?)'],
  [{ yes: { toString: 1, valueOf: 1 } }, 'it takes true or false'],
  [{ yes: [1] }, 'yes is [1]: it takes true or false'],
])('%j is an error that names the right parameter', (given, problem) => {
  expect(() => parseInput(declared, given, 'reject')).toThrow(problem);
});

test('values that are written as texts, at any depth and in any order, are the values themselves', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const asText = (value: boolean | number) =>
    typeof value === 'boolean'
      ? [String(value), value ? 'True' : 'False', value ? 'YES' : 'no'][random(3)]
      : [String(value), ` ${value}`, value.toExponential()][random(3)];
  for (let run = 0; run < 500; run++) {
    const plain = { yes: random(2) === 1, count: random(1000) - 500, share: random(1000) / 8 };
    const inner = { deep: random(2) === 1, least: random(100) };
    const rules = Array.from({ length: random(4) }, (_, at) => ({ name: `r${at}`, on: random(2) === 1 }));
    const wanted = { ...plain, options: { ...inner, rules } };
    const written = rules.map(({ name, on }) => ({ name, on: asText(on) }));
    const options = {
      deep: asText(inner.deep),
      least: asText(inner.least),
      rules: random(2)
        ? written
        : random(2)
          ? JSON.stringify(written)
          : written.map((one) => JSON.stringify(one)),
    };
    const given = {
      ...Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, asText(value)])),
      options: random(2) ? options : JSON.stringify(options),
    };
    expect(parseInput(declared, given, random(2) ? 'reject' : 'ignore')).toEqual(wanted);
  }
});
