import { beforeAll, expect, test } from 'vitest';
import { createContentMask } from '../src/lib/secrets/content-mask.ts';
import { createSecretMask } from '../src/lib/secrets/known-secrets.ts';
import { redactSecrets } from '../src/lib/secrets/redact.ts';
import {
  collectExpressions,
  type Expression,
  hashOf,
  isBounded,
  judge,
  readProven,
} from './expressions/collect.ts';
import { type Literal, readLiterals } from './helpers/syntax.ts';

/**
 * What the code says literally, which is parsed once for its regular expressions and for its sentences.
 *
 * Every regular expression of src, tools and prompts takes time in proportion to its text: text comes from strangers. Those that
 * `recheck` has found linear are in expressions/linear.json; new ones are judged here (0.2 s each).
 */

/** Expressions that are not linear by themselves, and what bounds them. */
const BOUNDED: readonly { readonly place: string; readonly begins: string; readonly why: string }[] = [
  {
    place: 'src/security/scanners/source/flow/sanitize.ts',
    begins: '',
    why: 'names of functions of at most 100 characters (MAX_NAME_CHARACTERS)',
  },
  {
    place: 'src/knowledge/syncing/file-names.ts',
    begins: '[ .\\u200d]+$',
    why: 'names that are cut before, of at most 80 characters (MAX_NAME_CHARS)',
  },
  {
    place: 'src/browse/readers/html/main-content/boilerplate-lines.ts',
    begins: '',
    why: 'lines of at most 160 characters (MAX_LINE_CHARS), and notices of at most 500',
  },
  {
    place: 'src/search/questions/question.ts',
    begins: '(?<![\\p{L}\\p{N}_])(?:',
    why: 'the first 600 characters of a question (MAX_READ_CHARS)',
  },
  {
    place: 'src/wiring/load-in-steps.ts',
    begins: '^(?:import|export)',
    why: 'the modules of this installation, no text from outside',
  },
  {
    place: 'src/knowledge/importing/conversation-turn.ts',
    begins: '\\[[^\\]]*\\]|^\\W*',
    why: 'the first 80 characters of a turn (SPEAKER_CHARS)',
  },
];

/** Made while Magpie runs: of our own words, with nothing in them that repeats. */
const LATER = ['src/operation.ts'];

/** Schemas, lists of words, sources of expressions, style sheets and catalogues are not said as they are. */
const SAYS =
  /^(?!src\/storage\/|src\/compliance\/catalogues\/|.*(?:\/stores\/|-words\.(?:ts|json)$|\/(?:boilerplate-lines|page-trouble|named-days)\.json$|automation\/reading\/(?:words-\w+|zone-names|addresses)\.(?:ts|json)$)|tools\/upsert)/;

let expressions: readonly Expression[];
let unseen: readonly string[];
/** Sentences of the product: what it says in errors and in its log. */
let sentences: readonly Literal[];
beforeAll(async () => {
  const literals = readLiterals();
  sentences = literals.texts.filter(
    ({ file, text }) => SAYS.test(file) && /\p{L}{2} \p{L}{2,}.* \p{L}/u.test(text),
  );
  ({ expressions, unseen } = await collectExpressions(literals));
});

test('every `new RegExp` is evaluated when its module is loaded, so that its expression can be checked', () => {
  expect(unseen.map((place) => place.split(':', 1)[0])).toEqual(LATER);
});

test('every expression takes time that is linear in the length of its text', async () => {
  expect(expressions.length).toBeGreaterThan(1000);
  const proven = readProven();
  const open = expressions.filter((one) => !isBounded(one.source) && !proven.has(hashOf(one)));
  const used = new Set<object>();
  const found: string[] = [];
  for (const one of open) {
    const entry = BOUNDED.find(
      ({ place, begins }) =>
        one.places.every((at) => at.startsWith(`${place}:`)) && one.source.startsWith(begins),
    );
    if (entry) used.add(entry);
    else {
      const verdict = await judge(one);
      if (verdict !== 'linear') found.push(`${one.places.join(' ')} ${verdict}: /${one.source}/${one.flags}`);
    }
  }
  expect(found).toEqual([]);
  expect(BOUNDED.filter((entry) => !used.has(entry))).toEqual([]);
}, 600_000);

test.each([
  ['(?:^|[^a])b+$', '2nd degree polynomial'],
  ['^(?:a|aa)+$', 'exponential'],
  ['(?<!b)b+$', 'linear'],
  ['^[a-z]+:', 'linear'],
])(
  'the checker classifies /%s/ as %s',
  async (source, verdict) => {
    expect(await judge({ source, flags: '', places: [] })).toContain(verdict);
  },
  600_000,
);

test.each([
  ['a{2,5}b?', true],
  ['[*+]\\*\\+', true],
  ['[\\]*]x', true],
  ['a*', false],
  ['(?:[^\\]]|b)+', false],
  ['a{3,}', false],
])('/%s/ has an upper bound for each repetition: %s', (source, bounded) => {
  expect(isBounded(source)).toBe(bounded);
});

test('redaction removes no word of our own messages, with ordinary settings and any words of a caller', () => {
  expect(sentences.length).toBeGreaterThan(1000);
  const words = [...new Set(sentences.flatMap(({ text }) => text.match(/\p{L}+/gu) ?? []))];
  const asked = createContentMask({
    q: words.join(' '),
    user: 'magpie',
    host: 'localhost',
    path: '/root/magpie',
  });
  const known = createSecretMask([
    'magpie',
    'localhost',
    '/root/.local/share/magpie',
    'local',
    'postgres',
    'wiki',
    ...words.filter((word) => /^(?:[A-Z]?[a-z]{1,10}|[A-Z]{1,10})$/.test(word)),
  ]);
  const said = sentences.map(({ text }) => withoutQuotes(text));
  // Thousands of secrets are looked for in all sentences at once, and in each one only where something was found.
  const all = said.join(' ¶ ');
  const isKnown = known(all) !== all;
  const eaten = sentences.filter((_, at) => {
    const one = said[at] ?? '';
    return redactSecrets(one) !== one || asked(one) !== one.slice(0, 8000) || (isKnown && known(one) !== one);
  });
  expect(
    eaten.map(
      ({ file, line, text }) => `${file}:${line} ${known(redactSecrets(asked(withoutQuotes(text))))}`,
    ),
  ).toEqual([]);
});

/** What stands in quotes, in the path of an address or is assigned is a value by its place, whatever word it is. */
function withoutQuotes(text: string): string {
  return text
    .replace(/["'`‘’“”]/g, '')
    .replace(/\S{0,200}[/?]\S{1,200}/g, '')
    .replaceAll('=', ' ');
}
