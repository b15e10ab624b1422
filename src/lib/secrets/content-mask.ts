const MASK = '[…]';

/** Letters by which a word is known again; one that is cut off in a message is still the same. */
const BEGINNING_CHARACTERS = 4;
/** Of a longer message the rest is left out. */
const MAX_MESSAGE_CHARACTERS = 8_000;
/** Of a caller who sent more, everything is masked that may be a value. */
const MAX_SENT_CHARACTERS = 200_000;
/** A shorter text of several words may be one of our own. */
const MIN_PHRASE_CHARACTERS = 10;

const WORDS = /(?:%[0-9a-f]{2})+|[\p{L}\p{N}]+/giu;
/** A text as JSON writes it; one that was cut off has no end. */
const QUOTED = /"((?:[^"\\]|\\.)*)"?/gs;
/** What stands between two other quotes, without the last one, where neither of them is an apostrophe within a word. */
const APART = /(?<![\p{L}\p{N}])(['`‘’])([^'`‘’]*)(?=['`‘’](?![\p{L}\p{N}]))/gu;
/** Between blanks, without the punctuation around it. */
const TOKEN = /[^\s"'`()<>,;…[\]]+/gu;
/** Not a word of a language: an address, a name of a file, a number, a key. */
const ODD = /[\d@%=?&_~]|[.:/\\].|[^\p{ASCII}]/u;
/** An address, with what stands before it in one token: the origin, the host of it, and the rest. */
const ADDRESS = /^(.*?)([a-z][a-z\d+.-]{0,20}:\/\/([^/?#]+))(.*)/is;

/**
 * Takes what a caller sent out of a text about it, for the log. It hides values: what stands in quotes or in an
 * address, names, numbers and whole phrases. The words of our own messages stay, also where the caller used the
 * same; `ours` are names that may be shown, such as those of parameters. At most 8,000 characters are kept.
 */
export function createContentMask(sent: unknown, ours: readonly string[] = []): (text: string) => string {
  const values = createValues(
    textsIn(sent).filter((text) => !ours.includes(text)),
    ours,
  );
  return (text) => {
    const phrases = values.withoutPhrases(
      text.length > MAX_MESSAGE_CHARACTERS ? `${text.slice(0, MAX_MESSAGE_CHARACTERS)}…` : text,
    );
    const quoted = phrases.replace(QUOTED, (whole, inner: string) =>
      values.cites(inner) ? `"${MASK}"` : whole,
    );
    return quoted
      .replace(APART, (whole, quote: string, inner: string) => (values.cites(inner) ? quote + MASK : whole))
      .replace(TOKEN, (token) => (ODD.test(token) ? maskToken(token, values) : token));
  };
}

/** What a caller sent, and what of it a text may show. */
interface Values {
  /** Whether this quoted text is, or has in it, something that was sent. */
  cites(quoted: string): boolean;
  /** Whether this stands in something that was sent. */
  has(part: string): boolean;
  /** Whether a word begins as one that was sent. */
  knows(word: string): boolean;
  /** Whether a word begins as one that was sent and is of no language that we write: a key, a number, another script. */
  knowsOdd(word: string): boolean;
  withoutPhrases(text: string): string;
}

function createValues(texts: readonly string[], ours: readonly string[]): Values {
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
  const values: Values = {
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

function isPhrase(text: string): boolean {
  return text.length >= MIN_PHRASE_CHARACTERS && /\s/.test(text);
}

/** Of an address the host stays, unless it was sent, and the names of parameters; another token goes whole or stays. */
function maskToken(token: string, values: Values): string {
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

function maskPart(part: string, values: Values): string {
  return /[?%]./.test(part) ? maskWords(part, values) : part.replace(WORDS, (word) => maskOdd(word, values));
}

function maskWords(text: string, values: Values): string {
  return text.replace(WORDS, (word, at: number) => {
    // Escaped bytes are not Latin text and could be anything.
    if (word.startsWith('%')) return /%[89a-f]/i.test(word) ? MASK : word;
    return values.knows(word) && text[at + word.length] !== '=' ? MASK : word;
  });
}

/** A word of a language stays; a key or a number, and a word of another script than our messages', are values. */
function maskOdd(word: string, values: Values): string {
  if (!ODD.test(word)) return word;
  return values.knowsOdd(word) || (/[^\p{ASCII}]/u.test(word) && values.has(word)) ? MASK : word;
}

function beginningOf(word: string): string {
  return word.slice(0, BEGINNING_CHARACTERS).toLowerCase();
}

/** All texts within a value as JSON has it, names of members included. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return Object.entries(value ?? {}).flatMap(([name, member]) => [name, ...textsIn(member)]);
}
