const MASK = '[…]';

/** Minimum number of first letters by which a word of the input is recognised, because the end of a text may be cut off. */
const BEGINNING_CHARACTERS = 4;
/** Maximum length of a message in characters. The rest is cut off. */
const MAX_MESSAGE_CHARACTERS = 8_000;
/** Maximum number of characters of input to compare with. For longer input, every word that may be from it is masked. */
const MAX_SENT_CHARACTERS = 200_000;
/** Minimum length in characters of a masked phrase of the input. Shorter phrases also occur in Magpie's own messages. */
const MIN_PHRASE_CHARACTERS = 10;

const WORDS = /(?:%[0-9a-f]{2})+|[\p{L}\p{N}]+/giu;
/** A string in JSON notation. At the end of a text that was cut off, its closing quote may be missing. */
const QUOTED = /"((?:[^"\\]|\\.)*)"?/gs;
/** Text in single or typographic quotes, up to the closing quote. An apostrophe within a word does not count as a quote. */
const APART = /(?<![\p{L}\p{N}])(['`‘’])([^'`‘’]*)(?=['`‘’](?![\p{L}\p{N}]))/gu;
/** A word with the signs inside it, such as a URL, without the punctuation around it. */
const TOKEN = /[^\s"'`()<>,;…[\]]+/gu;
/** Characters that show that a word is a URL, file name, number, key, or in another script, and not an ordinary English word. */
const ODD = /[\d@%=?&_~]|[.:/\\].|[^\p{ASCII}]/u;
/** A URL and the text before it in the same token. Groups: text before, origin, host, rest of the URL. */
const ADDRESS = /^(.*?)([a-z][a-z\d+.-]{0,20}:\/\/([^/?#]+))(.*)/is;

/**
 * Returns a function that masks the values of a call's input (`sent`) in log texts: quotes, URLs, names, numbers, phrases. The
 * words in `ours` are not masked. Texts are cut off after 8,000 characters.
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
  /** True if the input contains a key, a number or a word in another script with the same beginning as the word. */
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

/** Masks a word entirely or not at all. In a URL, parameter names are kept, and the host is kept if it was not in the input. */
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
    // Masks percent-encoded bytes outside of ASCII, because they could be any text.
    if (word.startsWith('%')) return /%[89a-f]/i.test(word) ? MASK : word;
    return values.knows(word) && text[at + word.length] !== '=' ? MASK : word;
  });
}

/** Masks the word if it looks like a key, a number or a word in another script, and the input contained it. */
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
