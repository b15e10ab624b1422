import WORDS from './function-words.json' with { type: 'json' };
import LETTERS from './language-letters.json' with { type: 'json' };

/** `certain`: the script is not Latin. `likely`: the words are not English. `none`: may be English. */
export type NonEnglishCertainty = 'certain' | 'likely' | 'none';

/** Maximum number of UTF-16 units to read. The rest of a text is assumed to be in the same language. */
const MAX_CHARS = 800;
/** Reading stops after this many UTF-16 units if it found 5 English words and no words of other languages. */
const CLEAR_CHARS = 300;
const CLEAR_ENGLISH = 5;
/** Minimum share of non-Latin letters for `certain`. A few foreign words in an English text stay below it. */
const OTHER_SHARE = 0.3;
const MIN_OTHER = 4;
/** Letters that one Chinese or Korean character counts as. `KANA_LETTERS` is for a Japanese syllable. */
const CHARACTER_LETTERS = 3;
const KANA_LETTERS = 2;
/** Weight of a frequent foreign word that also occurs in names. Other frequent words have weight 1. */
const NAME_WEIGHT = 0.4;
/** Maximum number of counted words that also occur in names, so that names alone decide nothing. */
const MAX_NAME_WORDS = 2;
const MARKED_WEIGHT = 0.5;
/** Minimum weights of foreign words for `likely`: in total, per English word, and per word of the text. */
const MIN_WEIGHT = 1.7;
const TIMES_ENGLISH = 1.5;
const MIN_DENSITY = 0.12;
const MAX_DENSE_WORDS = 60;
const SHARED_ENGLISH = 0.2;

/** A note of at most this many words needs less weight, but almost no English words. */
const MAX_SHORT_WORDS = 12;
const MIN_SHORT_WEIGHT = 1.4;
const TIMES_SHORT_ENGLISH = 4;

/** Letters that words of a language do not have, for languages with the same frequent words. */
const OTHER_LETTERS = new Map(
  Object.entries(LETTERS.notInLanguage).map(([code, letters]) => [code, new RegExp(letters, 'i')]),
);

/** Start of each sample in a long text, as a share of its length. Two samples must agree on a language. */
const SAMPLED_AT = [0, 0.5, 0.8];

/** Frequent words by ISO 639-1 code. Other languages are detected if they share words with these. */
const LANGUAGES = Object.values(WORDS.languages);
const CODES = Object.keys(WORDS.languages);

/** Languages by script. If `otherLetters` match, the text is in another language with the same script. */
const SCRIPT_LANGUAGES = LETTERS.scripts.map(({ code, script, otherLetters }) => ({
  code,
  script: new RegExp(`\\p{Script=${script}}`, 'gu'),
  otherLetters: otherLetters === undefined ? undefined : new RegExp(otherLetters, 'iu'),
}));

interface Lexeme {
  readonly at: number;
  readonly english: number;
  readonly languages: readonly number[];
  readonly weight: number;
}

interface Findings {
  latin: number;
  other: number;
  words: number;
  english: number;
  foreign: number;
  names: number;
  /** Number of words that are in no word list and contain a letter that English does not have. */
  marked: number;
  /** True if a word in a list of another language has such a letter. */
  isKnownMarked: boolean;
  readonly weights: Float64Array;
}

let lexicon: ReadonlyMap<number, Lexeme> | undefined;
/** For each word, the number of the last text that contains it, so that it counts only once per text. */
let met = new Uint32Array();
let texts = 0;

export const detectNonEnglish = (text: string): NonEnglishCertainty => judge(read(text));

function judge({ latin, other, words, english, marked, weights }: Findings): NonEnglishCertainty {
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

export function detectTextLanguage(text: string): string | undefined {
  if (text.length <= SAMPLED_AT.length * MAX_CHARS) return languageOf(text);
  const found = SAMPLED_AT.map((share) => {
    const from = Math.floor(text.length * share);
    return languageOf(text.slice(from, from + MAX_CHARS));
  });
  return found.find((code, at) => code !== undefined && found.indexOf(code) !== at);
}

function languageOf(text: string): string | undefined {
  const findings = read(text);
  const certainty = judge(findings);
  if (certainty === 'certain') return languageOfScript(text.slice(0, MAX_CHARS));
  if (certainty === 'none' && !hasForeignLetters(findings) && !isShortNote(findings)) return undefined;
  const weights = findings.weights.map((weight, at) =>
    OTHER_LETTERS.get(CODES[at] ?? '')?.test(text) ? 0 : weight,
  );
  return CODES[weights.indexOf(Math.max(...weights))];
}

/** Returns true for a note such as `Kasten im Keller`, which is too short for more than one frequent word. */
function isShortNote({ words, english, isKnownMarked, weights }: Findings): boolean {
  const best = Math.max(...weights);
  const isEnough = best >= (isKnownMarked ? 1 : MIN_SHORT_WEIGHT);
  return words <= MAX_SHORT_WORDS && isEnough && best >= TIMES_SHORT_ENGLISH * english;
}

function languageOfScript(text: string): string | undefined {
  const counts = SCRIPT_LANGUAGES.map(({ script }) => text.match(script)?.length ?? 0);
  const most = Math.max(...counts);
  const { code, otherLetters } = SCRIPT_LANGUAGES[most >= MIN_OTHER ? counts.indexOf(most) : -1] ?? {};
  return otherLetters?.test(text) ? undefined : code;
}

export function isNonEnglishQuestion(text: string): boolean {
  const findings = read(text);
  return judge(findings) !== 'none' || hasForeignLetters(findings);
}

function hasForeignLetters({ english, marked, weights }: Findings): boolean {
  return english === 0 && marked > 0 && Math.max(...weights) >= 1;
}

function read(text: string): Findings {
  lexicon ??= makeLexicon();
  texts++;
  const found: Findings = {
    ...{ latin: 0, other: 0, words: 0, english: 0, foreign: 0, names: 0, marked: 0 },
    isKnownMarked: false,
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

function readWord(text: string, start: number, known: ReadonlyMap<number, Lexeme>, found: Findings): number {
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

function count(word: Lexeme | undefined, marked: boolean, found: Findings): void {
  found.words++;
  if (word === undefined) {
    if (marked) found.marked++;
    return;
  }
  if (met[word.at] === texts) return;
  met[word.at] = texts;
  found.english += word.english;
  found.foreign += word.languages.length;
  if (marked && word.languages.length > 0) found.isKnownMarked = true;
  if (word.weight === NAME_WEIGHT && found.names++ >= MAX_NAME_WORDS) return;
  for (const language of word.languages)
    found.weights[language] = (found.weights[language] ?? 0) + word.weight;
}

const APOSTROPHE = 0x27;
const FIRST_MARKED = 0xc0;
const FIRST_OTHER = 0x370;

const isApostrophe = (code: number): boolean => code === APOSTROPHE || code === 0x2019;

/** Lower-case codes of Latin letters and combining accents. All other codes map to 0. */
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

/** Returns the lower-case code of a Latin letter, otherwise 0. NaN, after the end of a text, gives 0 too. */
const lowerOf = (code: number): number => LOWER[code] ?? 0;

function otherLetters(code: number): number {
  if (code < 0x2000) return code >= 0x1e00 && code < 0x1f00 ? 0 : 1;
  if (code < 0x3040) return code >= 0x2e80 && code < 0x3000 ? CHARACTER_LETTERS : 0;
  if (code < 0x3100) return KANA_LETTERS;
  // A CJK character counts as several letters. A surrogate counts as 0, because most are parts of emoji.
  if (code < 0xd800) return CHARACTER_LETTERS;
  return code >= 0xfb50 && code < 0xff00 ? 1 : 0;
}

function signs(list: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const sign of list) table[sign.charCodeAt(0)] = 1;
  return table;
}

const CODE_BEFORE = signs('_/\\@#$%&=<>`~|+*.:0123456789');
const CODE_AFTER = signs('_/\\@#$=<>([{`~|+0123456789');

function isOfCode(text: string, start: number, end: number): boolean {
  const sign = text.charCodeAt(end);
  if (CODE_BEFORE[text.charCodeAt(start - 1)] === 1 || CODE_AFTER[sign] === 1) return true;
  if (sign === QUOTE) return text.charCodeAt(end + 1) === COLON;
  return (sign === POINT || sign === COLON) && lowerOf(text.charCodeAt(end + 1)) !== 0;
}

const [QUOTE, POINT, COLON] = [0x22, 0x2e, 0x3a];

/** Start value of the FNV-1a hash, which creates no strings. The 2,200 words have different hashes. */
const FIRST_HASH = 0x811c9dc5;

const hashWith = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);

function hashOf(word: string): number {
  let hash = FIRST_HASH;
  for (let at = 0; at < word.length; at++) hash = hashWith(hash, word.charCodeAt(at));
  return hash >>> 1;
}

function makeLexicon(): ReadonlyMap<number, Lexeme> {
  const wordsOf = (list: string) => list.split('|');
  const english = new Set(wordsOf(WORDS.english));
  const names = new Set(wordsOf(WORDS.names));
  const languages = new Map<string, number[]>([...english].map((word) => [word, []]));
  for (const [language, list] of LANGUAGES.entries()) {
    // Skips single letters, because they are often initials or variables.
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
