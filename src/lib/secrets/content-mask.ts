import { takeCharacters } from '../text/text.ts';

const MASK = '[…]';
/** A word of the input is recognized by this many first letters. A message may cut off the other letters. */
const BEGINNING_CHARACTERS = 4;
const MAX_MESSAGE_CHARACTERS = 8_000;
/** Maximum characters of input to compare with a message. For longer input, more words are masked. */
const MAX_SENT_CHARACTERS = 200_000;
/** Minimum length of a phrase to mask. Shorter phrases also occur in Magpie's own messages. */
const MIN_PHRASE_CHARACTERS = 10;
const WORDS = /(?:%[0-9a-f]{2})+|[\p{L}\p{N}]+/giu;
const QUOTED = /"((?:[^"\\]|\\.)*)"?/gs;
/** Matches text in single quotes. An apostrophe within a word is not a quote. */
const APART = /(?<![\p{L}\p{N}])(['`‘’])([^'`‘’]*)(?=['`‘’](?![\p{L}\p{N}]))/gu;
const TOKEN = /[^\s"'`()<>,;…[\]]+/gu;
const ODD = /[\d@%=?&_~]|[.:/\\].|[^\p{ASCII}]/u;
/** Matches a URL, with groups for the text before the URL, the origin, the host, and the rest. */
const ADDRESS = /^(.*?)([a-z][a-z\d+.-]{0,20}:\/\/([^/?#]+))(.*)/is;

export function createContentMask(sent: unknown, ours: readonly string[] = []): (text: string) => string {
  const values = createValues(
    textsIn(sent).filter((text) => !ours.includes(text)),
    ours,
  );
  return (text) => {
    const phrases = values.withoutPhrases(
      text.length > MAX_MESSAGE_CHARACTERS ? `${takeCharacters(text, MAX_MESSAGE_CHARACTERS)}…` : text,
    );
    const quoted = phrases.replace(QUOTED, (whole, inner: string) =>
      values.cites(inner) ? `"${MASK}"` : whole,
    );
    return quoted
      .replace(APART, (whole, quote: string, inner: string) => (values.cites(inner) ? quote + MASK : whole))
      .replace(TOKEN, (token) => (ODD.test(token) ? maskToken(token, values) : token));
  };
}

interface ValueLookup {
  cites(quoted: string): boolean;
  has(part: string): boolean;
  knows(word: string): boolean;
  knowsOdd(word: string): boolean;
  withoutPhrases(text: string): string;
}

function createValues(texts: readonly string[], ours: readonly string[]): ValueLookup {
  const all = texts.join('\n').toLowerCase();
  const unsure = all.length > MAX_SENT_CHARACTERS;
  const beginnings = new Set<string>();
  const odd = new Set<string>();
  for (const [word] of all.slice(0, MAX_SENT_CHARACTERS).matchAll(WORDS)) {
    beginnings.add(beginningOf(word));
    if (ODD.test(word)) odd.add(beginningOf(word));
  }
  const phrases = unsure ? [] : texts.map((text) => text.trim()).filter(isPhrase);
  const isIn = (set: ReadonlySet<string>) => (word: string) =>
    word.length >= BEGINNING_CHARACTERS && (unsure || set.has(beginningOf(word)));
  const knows = isIn(beginnings);
  const values: ValueLookup = {
    knows,
    knowsOdd: isIn(odd),
    has: (part) => unsure || all.includes(part.toLowerCase()),
    cites: (quoted) => !ours.includes(quoted) && [...quoted.matchAll(WORDS)].some(([word]) => knows(word)),
    withoutPhrases: (text) =>
      phrases.reduce((out, phrase) => {
        const json = JSON.stringify(phrase).slice(1, -1);
        return out.replaceAll(phrase, MASK).replaceAll(json, MASK);
      }, text),
  };
  return values;
}

const isPhrase = (text: string): boolean => text.length >= MIN_PHRASE_CHARACTERS && /\s/.test(text);

/** Masks words that the caller sent. In a URL, parameter names and a host that was not sent stay readable. */
function maskToken(token: string, values: ValueLookup): string {
  const [bare = ''] = /^.*[\p{L}\p{N}]/u.exec(token) ?? [];
  if (bare.length >= BEGINNING_CHARACTERS && ODD.test(bare) && values.has(bare))
    return MASK + token.slice(bare.length);
  if (ADDRESS.test(token)) {
    return token.replace(
      ADDRESS,
      (_, before: string, origin: string, host: string, rest: string) =>
        maskPart(before, values) + (values.has(host) ? MASK : origin) + maskWords(rest, values),
    );
  }
  return maskPart(token, values);
}

function maskPart(part: string, values: ValueLookup): string {
  return /[?%]./.test(part) ? maskWords(part, values) : part.replace(WORDS, (word) => maskOdd(word, values));
}

function maskWords(text: string, values: ValueLookup): string {
  return text.replace(WORDS, (word, at: number) => {
    // Percent-encoded bytes from 80 (hex) on are always masked, because they may be part of any word.
    if (word.startsWith('%')) return /%[89a-f]/i.test(word) ? MASK : word;
    return values.knows(word) && text[at + word.length] !== '=' ? MASK : word;
  });
}

function maskOdd(word: string, values: ValueLookup): string {
  if (!ODD.test(word)) return word;
  return values.knowsOdd(word) || (/[^\p{ASCII}]/u.test(word) && values.has(word)) ? MASK : word;
}

const beginningOf = (word: string): string => word.slice(0, BEGINNING_CHARACTERS).toLowerCase();

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return Object.entries(value ?? {}).flatMap(([name, member]) => [name, ...textsIn(member)]);
}
