const MASK = '[…]';

/** Number of first letters that suffice to recognize a word of the input, since the end of a text may have been cut off. */
const BEGINNING_CHARACTERS = 4;
/** Maximum length of a message in characters. The rest is cut off. */
const MAX_MESSAGE_CHARACTERS = 8_000;
/** Maximum number of characters of input to compare a text with. With longer input, all words that may be from it are masked. */
const MAX_SENT_CHARACTERS = 200_000;
/** Minimum length in characters of a phrase of the input that is masked. Shorter phrases occur in Magpie's own messages. */
const MIN_PHRASE_CHARACTERS = 10;

const WORDS = /(?:%[0-9a-f]{2})+|[\p{L}\p{N}]+/giu;
/** A string in JSON notation. At the end of a text that was cut off, its closing quote may be missing. */
const QUOTED = /"((?:[^"\\]|\\.)*)"?/gs;
/** Text in single or typographic quotes, up to the closing quote. An apostrophe within a word does not count as a quote. */
const APART = /(?<![\p{L}\p{N}])(['`‘’])([^'`‘’]*)(?=['`‘’](?![\p{L}\p{N}]))/gu;
/** A word with the signs in it, such as a URL, but without the punctuation around it. */
const TOKEN = /[^\s"'`()<>,;…[\]]+/gu;
/** Characters that occur in URLs, file names, numbers and keys, or in other scripts, but not in ordinary English words. */
const ODD = /[\d@%=?&_~]|[.:/\\].|[^\p{ASCII}]/u;
/** A URL and the text before it in the same token. Groups: text before, origin, host, rest. */
const ADDRESS = /^(.*?)([a-z][a-z\d+.-]{0,20}:\/\/([^/?#]+))(.*)/is;

/**
 * Creates a function that masks the values of a call's input (`sent`) in log texts: quotes, URLs, names, numbers, phrases. Words
 * in `ours` stay. Texts are cut off after 8,000 characters.
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

interface Values {
  cites(quoted: string): boolean;
  has(part: string): boolean;
  knows(word: string): boolean;
  /** True if the word begins like a key, a number or a word in another script that the input contains. */
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

/** Masks a word completely or not at all. Of a URL, the names of parameters stay, and the host if it was not in the input. */
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
    // Masks percent-encoded bytes that are not ASCII, since they could be any text.
    if (word.startsWith('%')) return /%[89a-f]/i.test(word) ? MASK : word;
    return values.knows(word) && text[at + word.length] !== '=' ? MASK : word;
  });
}

/** Masks the word if it is a key, a number or in another script and was in the input. */
function maskOdd(word: string, values: Values): string {
  if (!ODD.test(word)) return word;
  return values.knowsOdd(word) || (/[^\p{ASCII}]/u.test(word) && values.has(word)) ? MASK : word;
}

function beginningOf(word: string): string {
  return word.slice(0, BEGINNING_CHARACTERS).toLowerCase();
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return Object.entries(value ?? {}).flatMap(([name, member]) => [name, ...textsIn(member)]);
}
