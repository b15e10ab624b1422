import { ENGLISH_WORDS, FOREIGN_WORDS, NAME_WORDS } from './function-words.ts';

/**
 * What a text is written in, as far as it can be said: `certain` in other letters than Latin ones, `likely` in Latin
 * letters and not in English, `none` in English, or in no language: code, numbers, names, or too few words.
 */
export type ForeignText = 'certain' | 'likely' | 'none';

/** UTF-16 units of a text that are read: what follows is of the same language. */
const MAX_CHARS = 2000;
/** Share of a text's letters in other scripts from which on it is foreign; a word in an English sentence stays below. */
const OTHER_SHARE = 0.3;
/** Letters of other scripts, at least. */
const MIN_OTHER = 4;
/** A Chinese or Korean character says as much as so many letters; a kana less. */
const CHARACTER_LETTERS = 3;
/** What is known of a word of a name, and of one with a letter that English has not, beside a frequent word. */
const NAME_WEIGHT = 0.4;
const MARKED_WEIGHT = 0.5;
/** Words by which a text in Latin letters is foreign: at least so many, so many times those of English, and as a share. */
const MIN_WEIGHT = 1.7;
const TIMES_ENGLISH = 1.5;
const MIN_DENSITY = 0.12;
/** Longer ones are not looked up. */
const MAX_WORD_CHARS = 14;

interface Known {
  readonly english: boolean;
  /** Languages that have it, as bits. */
  readonly languages: number;
  readonly weight: number;
}

const LANGUAGES = Object.values(FOREIGN_WORDS);

function wordsOf(list: string): string[] {
  return list.trim().split(/\s+/);
}

function makeLexicon(): ReadonlyMap<string, Known> {
  const known = new Map<string, Known>();
  const english = new Set(wordsOf(ENGLISH_WORDS));
  const names = new Set(wordsOf(NAME_WORDS));
  for (const [at, list] of LANGUAGES.entries()) {
    for (const word of wordsOf(list)) {
      // One letter is an initial or a variable.
      if (word.length < 2) continue;
      const languages = (known.get(word)?.languages ?? 0) | (1 << at);
      known.set(word, { english: english.has(word), languages, weight: names.has(word) ? NAME_WEIGHT : 1 });
    }
  }
  for (const word of english)
    if (!known.has(word)) known.set(word, { english: true, languages: 0, weight: 1 });
  return known;
}

let lexicon: ReadonlyMap<string, Known> | undefined;

/** In time linear in the text: some microseconds for a passage. */
export function judgeText(text: string): ForeignText {
  const part = text.slice(0, MAX_CHARS);
  const { latin, other, marked } = countLetters(part);
  if (other >= MIN_OTHER && other >= OTHER_SHARE * (latin + other)) return 'certain';
  return latin > 0 && isForeignLatin(part, marked) ? 'likely' : 'none';
}

function countLetters(text: string): { latin: number; other: number; marked: boolean } {
  let latin = 0;
  let other = 0;
  let marked = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) {
      const lower = code | 0x20;
      if (lower >= 0x61 && lower <= 0x7a) latin++;
    } else if (isMarkedLatin(code)) {
      latin++;
      marked = true;
    } else other += otherLetters(code);
  }
  return { latin, other, marked };
}

/** Latin letters beyond a to z. */
function isMarkedLatin(code: number): boolean {
  return (
    (code >= 0xc0 && code < 0x250 && code !== 0xd7 && code !== 0xf7) || (code >= 0x1e00 && code < 0x1f00)
  );
}

/** How many letters a code unit beyond Latin ones counts; 0 for signs, and for Greek letters, which formulas have. */
function otherLetters(code: number): number {
  if (code < 0x370 || (code >= 0x2000 && code < 0x2e80)) return 0;
  if (code < 0x400) return GREEK_LETTER;
  if (code < 0x2000) return 1;
  // CJK and Korean, planes above the first among them; private use, presentation forms and signs of full width are not.
  if (code < 0x3040) return 0;
  if (code < 0x3100) return KANA_LETTERS;
  if (code < 0xd800) return CHARACTER_LETTERS;
  return code >= 0xfb50 && code < 0xff00 ? 1 : 0;
}

const GREEK_LETTER = 1;
const KANA_LETTERS = 2;

function isForeignLatin(text: string, marked: boolean): boolean {
  lexicon ??= makeLexicon();
  const weights = new Float64Array(LANGUAGES.length);
  const seen = new Set<string>();
  let [words, english, marks] = [0, 0, 0];
  for (const word of spokenWords(text)) {
    words++;
    if (word.length > MAX_WORD_CHARS || seen.has(word)) continue;
    const known = lexicon.get(word);
    if (known === undefined) {
      if (marked && !ASCII.test(word)) marks++;
      continue;
    }
    seen.add(word);
    if (known.english) english += known.languages === 0 ? 1 : SHARED_ENGLISH;
    else addTo(weights, known);
  }
  const best = Math.max(...weights);
  const weight = best + MARKED_WEIGHT * Math.min(marks, Math.ceil(best) * 2);
  return (
    best >= 1 &&
    weight >= MIN_WEIGHT &&
    weight >= TIMES_ENGLISH * english &&
    weight >= MIN_DENSITY * Math.min(words, 60)
  );
}

const ASCII = /^[\x20-\x7e]*$/;
/** What a word counts that English shares with others. */
const SHARED_ENGLISH = 0.2;

function addTo(weights: Float64Array, { languages, weight }: Known): void {
  for (let at = 0; languages >> at > 0; at++) {
    if ((languages >> at) & 1) weights[at] = (weights[at] ?? 0) + weight;
  }
}

/** Signs that stand beside the words of code, of addresses and of paths. */
const CODE_BEFORE = new Set([...'_/\\@#$%&=<>`~|+*.:0123456789'].map((sign) => sign.charCodeAt(0)));
const CODE_AFTER = new Set([...'_/\\@#$=<>([{`~|+0123456789'].map((sign) => sign.charCodeAt(0)));
const APOSTROPHES = new Set([0x27, 0x2019]);

/** Words in lower case, but those of code: with digits or signs beside them. */
function* spokenWords(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    if (!isLetter(text.charCodeAt(at))) {
      at++;
      continue;
    }
    const start = at;
    while (isLetter(text.charCodeAt(at)) || isInnerApostrophe(text, at)) at++;
    if (at - start > 1 && !isOfCode(text, start, at)) {
      yield text.slice(start, at).toLowerCase().replaceAll('\u2019', "'");
    }
  }
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return code < 0x80
    ? lower >= 0x61 && lower <= 0x7a
    : isMarkedLatin(code) || (code >= 0x300 && code < 0x370);
}

function isInnerApostrophe(text: string, at: number): boolean {
  return APOSTROPHES.has(text.charCodeAt(at)) && isLetter(text.charCodeAt(at + 1));
}

function isOfCode(text: string, start: number, end: number): boolean {
  if (CODE_BEFORE.has(text.charCodeAt(start - 1)) || CODE_AFTER.has(text.charCodeAt(end))) return true;
  const [sign, next] = [text[end], text.charCodeAt(end + 1)];
  return ((sign === '.' || sign === ':') && isLetter(next)) || (sign === '"' && text[end + 1] === ':');
}
