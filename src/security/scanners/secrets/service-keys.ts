import { readFileSync } from 'node:fs';
import { entropy } from './entropy.ts';
import { SECRET_RULES_BY_NAME, type SecretHit } from './hit.ts';
import { isExampleToken } from './placeholder.ts';

/** A service whose keys have no recognisable format. A key is recognised by the service's name before it. */
interface ServiceCredentials {
  readonly title: string;
  /** Names of the service in settings, in lower case. `-` matches a hyphen, an underscore, a space or nothing. */
  readonly names: readonly string[];
  readonly values: RegExp;
}

/** Services from `services.tsv`: title, names and pattern, separated by tabs. Source: manuals, real keys. */
const SERVICES_WITH_CREDENTIALS: readonly ServiceCredentials[] = readFileSync(
  new URL('./services.tsv', import.meta.url),
  'utf8',
)
  .split('\n')
  .filter(Boolean)
  .map((line) => {
    const [title = '', names = '', values] = line.split('\t');
    return { title, names: names.split(' '), values: new RegExp(`^(?:${values})$`, 'i') };
  });

const SPELLINGS = new Map(
  SERVICES_WITH_CREDENTIALS.flatMap((service) =>
    service.names.flatMap((name) =>
      ['', '-', '_', ' '].map((sign) => [name.replaceAll('-', sign), service] as const),
    ),
  ),
);
const NAMES = new RegExp([...SPELLINGS.keys()].join('|'), 'g');
/** Minimum length of a service name that counts inside a longer word. `lob` is too short to count in `blob`. */
const MIN_INNER_CHARACTERS = 6;

const GIVES =
  /[\w \t.-]{0,25}["'`\]]?\)?[ \t]{0,5}(?::{1,2}=|=>|\|\||\?=|[=:,>])[ \t]{0,5}(?:\r?\n[ \t]{1,20})?\\?["'`]?/y;
const VALUE = /[A-Za-z0-9_=+/:%.-]{12,120}/y;
const MAX_HITS = 100;
const MIN_BITS = 3;
const MIN_DIGITS = 2;

export function serviceKeysIn(text: string): SecretHit[] {
  const hits: SecretHit[] = [];
  // Replaces the dotted capital I, whose lower case is longer and would shift all later offsets.
  const lower = text.replaceAll('\u0130', 'I').toLowerCase();
  for (const { 0: name, index } of lower.matchAll(NAMES)) {
    const service = SPELLINGS.get(name);
    const end = index + name.length;
    if (name.length < MIN_INNER_CHARACTERS && isInWord(text, index, end)) continue;
    const hit = service && keyAfter(text, end, service);
    if (hit) hits.push(hit);
    if (hits.length === MAX_HITS) break;
  }
  return hits;
}

/** True if the name is part of a longer word: `lob` in `global`. In `lobToken`, it is a word of its own. */
const isInWord = (text: string, start: number, end: number): boolean =>
  /[A-Za-z]/.test(text[start - 1] ?? '') || /[a-z]/.test(text[end] ?? '');

function keyAfter(text: string, from: number, { title, values }: ServiceCredentials): SecretHit | undefined {
  GIVES.lastIndex = from;
  if (!GIVES.test(text)) return undefined;
  VALUE.lastIndex = GIVES.lastIndex;
  const start = GIVES.lastIndex;
  const secret = VALUE.exec(text)?.[0].replace(/[.:]$/, '');
  if (secret === undefined || !values.test(secret) || isExampleToken(secret)) return undefined;
  const digits = secret.match(/\d/g)?.length ?? 0;
  if (digits < MIN_DIGITS || entropy(secret) < MIN_BITS - (secret.length < 16 ? 0.3 : 0)) return undefined;
  const about = {
    ...SECRET_RULES_BY_NAME.serviceKey,
    title: `Key of ${title}`,
    revoke: `Make a new one at ${title}, and end this one`,
  };
  return { ...about, secret, start, end: start + secret.length, random: true };
}
