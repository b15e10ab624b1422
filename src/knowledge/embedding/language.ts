import { ENGLISH_WORDS, FOREIGN_WORDS, NAME_WORDS } from '../ranking/function-words.ts';

/**
 * What a text is written in, as far as it can be said: `certain` in other letters than Latin ones, `likely` in Latin
 * letters and not in English, `none` in English, or where it cannot be said: code, numbers, names, or too few words.
 */
export type ForeignText = 'certain' | 'likely' | 'none';

/** UTF-16 units of a text that are read: what follows is of the same language. */
const MAX_CHARS = 800;
/** Units after which a text of so many frequent English words, and of none of another language, is read no further. */
const CLEAR_CHARS = 300;
const CLEAR_ENGLISH = 5;
/** Share of a text's letters in other scripts from which on it is foreign; a word in an English sentence stays below. */
const OTHER_SHARE = 0.3;
/** Letters of other scripts, at least. */
const MIN_OTHER = 4;
/** A Chinese or Korean character says as much as so many letters, a Japanese syllable as so many. */
const CHARACTER_LETTERS = 3;
const KANA_LETTERS = 2;
/** What a word of names weighs, and one with a letter that English has not, where a frequent word of a language has 1. */
const NAME_WEIGHT = 0.4;
/** Words of names that count in a text: by themselves they are not enough. */
const MAX_NAME_WORDS = 2;
const MARKED_WEIGHT = 0.5;
/** Words by which a text in Latin letters is foreign: at least so many, so many times those of English, and as a share. */
const MIN_WEIGHT = 1.7;
const TIMES_ENGLISH = 1.5;
const MIN_DENSITY = 0.12;
const MAX_DENSE_WORDS = 60;
/** What a word counts for English that another language has too. */
const SHARED_ENGLISH = 0.2;

const LANGUAGES = Object.values(FOREIGN_WORDS);

/** A frequent word. */
interface Known {
  /** Place in the lexicon. */
  readonly at: number;
  readonly english: number;
  /** Languages that have it, but for English words. */
  readonly languages: readonly number[];
  readonly weight: number;
}

/** What was read of a text. */
interface Findings {
  latin: number;
  other: number;
  words: number;
  english: number;
  /** Words of any other language. */
  foreign: number;
  /** Words of names. */
  names: number;
  /** Words with letters that English has not, which no list has. */
  marked: number;
  readonly weights: Float64Array;
}

let lexicon: ReadonlyMap<number, Known> | undefined;
/** By the words' places: the number of the text in which each was met last. A word counts once in a text. */
let met = new Uint32Array();
let texts = 0;

/** In time linear in the text: some microseconds for a passage. */
export function judgeText(text: string): ForeignText {
  const { latin, other, words, english, marked, weights } = read(text);
  if (other >= MIN_OTHER && other >= OTHER_SHARE * (latin + other)) return 'certain';
  const best = Math.max(...weights);
  const weight = best + MARKED_WEIGHT * Math.min(marked, Math.ceil(best) * 2);
  const likely =
    best >= 1 &&
    weight >= MIN_WEIGHT &&
    weight >= TIMES_ENGLISH * english &&
    weight >= MIN_DENSITY * Math.min(words, MAX_DENSE_WORDS);
  return likely ? 'likely' : 'none';
}

/**
 * Whether a question is not in English: of few words one of another language is enough beside one with a letter that English has
 * not, where none is of English. It decides on a sentence in an answer and on no model, so that it may be less sure than `judgeText`.
 */
export function isForeignQuestion(text: string): boolean {
  if (judgeText(text) !== 'none') return true;
  const { english, marked, weights } = read(text);
  return english === 0 && marked > 0 && Math.max(...weights) >= 1;
}

function read(text: string): Findings {
  lexicon ??= makeLexicon();
  texts++;
  const found: Findings = {
    ...{ latin: 0, other: 0, words: 0, english: 0, foreign: 0, names: 0, marked: 0 },
    weights: new Float64Array(LANGUAGES.length),
  };
  const end = Math.min(text.length, MAX_CHARS);
  for (let at = 0; at < end; ) {
    if (at >= CLEAR_CHARS && found.english >= CLEAR_ENGLISH && found.foreign + found.other === 0) break;
    const code = text.charCodeAt(at);
    if (lowerOf(code) === 0) {
      if (code >= FIRST_OTHER) found.other += otherLetters(code);
      at++;
    } else at = readWord(text, at, lexicon, found);
  }
  return found;
}

/** Where the word that begins at `start` ends. Words of code do not count: they have digits or signs beside them. */
function readWord(text: string, start: number, known: ReadonlyMap<number, Known>, found: Findings): number {
  let hash = FIRST_HASH;
  let marked = false;
  let at = start;
  for (; ; at++) {
    let lower = lowerOf(text.charCodeAt(at));
    if (lower === 0) {
      if (!isApostrophe(text.charCodeAt(at)) || lowerOf(text.charCodeAt(at + 1)) === 0) break;
      lower = APOSTROPHE;
    }
    if (lower >= FIRST_MARKED) marked = true;
    hash = hashWith(hash, lower);
  }
  found.latin += at - start;
  if (at - start > 1 && !isOfCode(text, start, at)) count(known.get(hash >>> 1), marked, found);
  return at;
}

function count(word: Known | undefined, marked: boolean, found: Findings): void {
  found.words++;
  if (word === undefined) {
    if (marked) found.marked++;
    return;
  }
  if (met[word.at] === texts) return;
  met[word.at] = texts;
  found.english += word.english;
  found.foreign += word.languages.length;
  if (word.weight === NAME_WEIGHT && found.names++ >= MAX_NAME_WORDS) return;
  for (const language of word.languages)
    found.weights[language] = (found.weights[language] ?? 0) + word.weight;
}

const APOSTROPHE = 0x27;
const FIRST_MARKED = 0xc0;
const FIRST_OTHER = 0x370;

function isApostrophe(code: number): boolean {
  return code === APOSTROPHE || code === 0x2019;
}

/** Lower case of Latin letters, and combining accents, by their codes; 0 for all else. */
const LOWER = new Uint16Array(0x1f00);
for (const [from, to] of [
  [0x41, 0x5b],
  [0x61, 0x7b],
  [0xc0, 0xd7],
  [0xd8, 0xf7],
  [0xf8, 0x250],
  [0x300, 0x370],
  [0x1e00, 0x1f00],
] as const) {
  for (let code = from; code < to; code++) {
    LOWER[code] = String.fromCharCode(code).toLowerCase().charCodeAt(0);
  }
}

/** 0 beyond the end of a text as well, where the code is not a number. */
function lowerOf(code: number): number {
  return LOWER[code] ?? 0;
}

/** How many letters a code unit beyond Latin ones counts; 0 for signs. */
function otherLetters(code: number): number {
  if (code < 0x2000) return code >= 0x1e00 && code < 0x1f00 ? 0 : 1;
  if (code < 0x3040) return code >= 0x2e80 && code < 0x3000 ? CHARACTER_LETTERS : 0;
  if (code < 0x3100) return KANA_LETTERS;
  // What is beyond the first plane is an emoji more often than a letter.
  if (code < 0xd800) return CHARACTER_LETTERS;
  return code >= 0xfb50 && code < 0xff00 ? 1 : 0;
}

function signs(list: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const sign of list) table[sign.charCodeAt(0)] = 1;
  return table;
}

/** Signs that stand beside the words of code, of addresses and of paths. */
const CODE_BEFORE = signs('_/\\@#$%&=<>`~|+*.:0123456789');
const CODE_AFTER = signs('_/\\@#$=<>([{`~|+0123456789');

function isOfCode(text: string, start: number, end: number): boolean {
  const sign = text.charCodeAt(end);
  if (CODE_BEFORE[text.charCodeAt(start - 1)] === 1 || CODE_AFTER[sign] === 1) return true;
  if (sign === QUOTE) return text.charCodeAt(end + 1) === COLON;
  return (sign === POINT || sign === COLON) && lowerOf(text.charCodeAt(end + 1)) !== 0;
}

const [QUOTE, POINT, COLON] = [0x22, 0x2e, 0x3a];

/** FNV-1a, so that no word of a text is made a string; of 1,500 words in 2^31 numbers two do not meet. */
const FIRST_HASH = 0x811c9dc5;

function hashWith(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

function hashOf(word: string): number {
  let hash = FIRST_HASH;
  for (let at = 0; at < word.length; at++) hash = hashWith(hash, word.charCodeAt(at));
  return hash >>> 1;
}

function makeLexicon(): ReadonlyMap<number, Known> {
  const wordsOf = (list: string) => list.trim().split(/\s+/);
  const english = new Set(wordsOf(ENGLISH_WORDS));
  const names = new Set(wordsOf(NAME_WORDS));
  const languages = new Map<string, number[]>([...english].map((word) => [word, []]));
  for (const [language, list] of LANGUAGES.entries()) {
    // One letter is an initial or a variable.
    for (const word of new Set(wordsOf(list).filter(({ length }) => length > 1))) {
      languages.set(word, [...(languages.get(word) ?? []), language]);
    }
  }
  met = new Uint32Array(languages.size);
  return new Map(
    [...languages].map(([word, of], at) => {
      const shared = of.length > 0 ? SHARED_ENGLISH : 1;
      const known = english.has(word)
        ? { at, english: shared, languages: [], weight: 0 }
        : { at, english: 0, languages: of, weight: names.has(word) ? NAME_WEIGHT : 1 };
      return [hashOf(word), known];
    }),
  );
}
