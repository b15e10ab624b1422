import { beforeAll, expect, test } from 'vitest';
import { createContentMask } from '../../src/lib/secrets/content-mask.ts';
import { createSecretMask } from '../../src/lib/secrets/known-secrets.ts';
import { redactSecrets } from '../../src/lib/secrets/redact.ts';
import { type Literal, readLiterals } from '../helpers/syntax.ts';

/** Schemas, lists of words, sources of expressions, style sheets and catalogues are not said as they are. */
const SAYS =
  /^(?!src\/storage\/|src\/compliance\/catalogues\/|.*(?:\/stores\/|-words\.ts$|\/(?:lines|style)\.ts$|automation\/reading\/(?:words-\w+|zone-names|addresses)\.(?:ts|json)$)|tools\/upsert)/;
/** Sentences of the product: what it says in errors and in its log. */
let sentences: readonly Literal[];
beforeAll(() => {
  sentences = readLiterals().texts.filter(
    ({ file, text }) => SAYS.test(file) && /\p{L}{2} \p{L}{2,}.* \p{L}/u.test(text),
  );
});

test('redaction eats no word of our own messages, with ordinary settings and whatever words a caller uses', () => {
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
