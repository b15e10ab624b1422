import { detectTextLanguage } from '../../lib/language/detect-language.ts';
import { stemIn } from '../../lib/language/stemmers.ts';
import { foldLetters } from '../../lib/text/fold-letters.ts';
import { stem } from '../../lib/text/stem.ts';
import { isStopWord } from '../../lib/text/stop-words.ts';
import { splitTerms, takeCharacters } from '../../lib/text/text.ts';
import { findDays } from '../../lib/time/written-date.ts';
import { findNumbers, joinGroups } from './numbers.ts';

const MEANINGFUL_ELSEWHERE = new Set(
  'war die den hat van son con los las dos come per dan hoe pour plus sur art will'.split(' '),
);
/** With fewer words than this, stop words are kept, because a query of stop words would find nothing. */
const MIN_WORDS = 4;
const MAX_WORD_CHARS = 64;
const MAX_KEY_CHARS = MAX_WORD_CHARS + 4;
const MAX_REMEMBERED = 25_000;
let newer = new Map<string, string>();
let older = newer;
/** Matches a symbol, or an emoji without modifiers such as skin tones. A flag is two characters. */
const SYMBOL = /\p{RI}\p{RI}|(?!\p{ASCII})[\p{Extended_Pictographic}\p{So}←↑↓]/gu;
/** Matches the sign of a name such as `C++`. The name is group 1. */
const NAME_WITH_SIGN =
  /(?:\+\+(?!\p{L})|[+#](?![\p{L}\p{N}+#]))(?<=(?<![\p{L}\p{N}])(\p{L}{1,20}(?:\+\+|[+#])))/gu;
/** Matches a word that may be written in one, such as `Wi-Fi`, `e-mail`, `node.js` and `O'Brien`. */
const COMPOUND =
  /[-‐‑.'’](?=(\p{L}{1,9})(?![\p{L}\p{M}\p{N}]|[-‐‑.'’][\p{L}\p{N}]))(?<=(?<![\p{L}\p{M}\p{N}.'’-])(\p{L}{1,9})[-‐‑.'’])/gu;
const MAX_SHORT_PART = 3;
/** Matches a name of a program, such as `parseUserId` and `UserIdParser`, but no brand, such as `iPhone` or `YouTube`. */
const IDENTIFIER =
  /(?<![\p{L}\p{N}])(?:\p{Ll}{2,40}\p{Lu}|\p{Lu}\p{Ll}{1,40}\p{Lu}[\p{Ll}\p{N}]{0,40}\p{Lu})[\p{L}\p{N}]{0,80}/gu;
const IDENTIFIER_PART = /\p{Lu}{1,40}(?!\p{Ll})|\p{Lu}?\p{Ll}{1,80}|\p{N}{1,80}/gu;
/** Matches a hash, such as that of a commit. It is also found by its first signs. */
const HASH = /(?<![\p{L}\p{N}-])(?=[a-f]{0,64}\d)(?=\d{0,64}[a-f])[\da-f]{8,64}(?![\p{L}\p{N}-])/giu;
const SHORT_HASH_CHARS = 7;
/** Matches a name with a dot before it, such as `.NET` and `.env`. */
const DOTTED_NAME = /(?<![\p{L}\p{M}\p{N}.])\.\p{L}{2,20}(?![\p{L}\p{M}\p{N}])/gu;
/** Matches marks of emoji and invisible characters, such as the hyphen that shows only at a line's end. */
const IGNORED = /[\ufe0e\ufe0f\u20e3\u00ad\u200b\u200e\u200f\u2060\ufeff]/g;
/** Matches apostrophes that count as letters in Unicode, as in `мʼята`. */
const LETTER_APOSTROPHE = /[\u02b9\u02bb\u02bc]/g;
/** Matches question words of Chinese and Japanese, between which and other words there are no spaces. */
const UNSPACED_QUESTION =
  /什[么麼](?:时候|時候)?(?!值得)|[为為]什[么麼]|哪[里裡儿兒]|多少|怎[么麼][样樣]?|[吗嗎呢](?=[?？]?$)|(?:どこ|いつ|何|誰|なぜ|どう|いくら)?(?:に?あり|い)?(?:です|ます|でしょう)か|(?<![^\P{Script=Hiragana}はがをにでへとものや])(?:どこ|いつ|なぜ)(?!(?:まで|から|[でにへ])も)(?=[はがをにでへとのだ]|から|まで|[^\p{Script=Hiragana}]|$)/gu;
const ASCII = /^[\x20-\x7e]*$/;

/** Returns a text's words as stems without accents. With `language`, stems end with a mark such as `_de_`. */
export function extractSearchWords(text: string, language?: string): string[] {
  return [...extractRoots(text, language), ...extractSigns(text)];
}

function extractRoots(text: string, language?: string): string[] {
  const words = extractTerms(text).map(
    language === undefined ? findWordRoot : (term) => rootIn(language, term),
  );
  return words.concat(findNumbers(text));
}

function extractSigns(text: string): string[] {
  return [...findSigns(text), ...findDays(text).map((day) => `${day.replaceAll('-', '')}_`)];
}

/** Returns the signs of a text other than words: emoji, symbols, and names with a sign, such as `c++`. */
export function findSigns(text: string): string[] {
  const names = Array.from(text.matchAll(NAME_WITH_SIGN), ([, name = '']) => name.toLowerCase());
  for (const [name] of text.matchAll(DOTTED_NAME)) names.push(name.toLowerCase());
  return ASCII.test(text) ? names : [...(text.match(SYMBOL) ?? []), ...names];
}

function extractTerms(text: string): string[] {
  const said = text.toWellFormed().replace(IGNORED, '').replace(LETTER_APOSTROPHE, "'");
  const all = splitTerms(`${said} ${findCompounds(said).join(' ')}`);
  const telling = all.filter((term) => !isStopWord(term) || MEANINGFUL_ELSEWHERE.has(term));
  return telling.length < MIN_WORDS ? all : telling;
}

/** Returns compounds in one word (`wifi` for `Wi-Fi`), words of names such as `parseUserId`, and short hashes. */
export function findCompounds(text: string): string[] {
  const found: string[] = [];
  for (const [sign, second = '', first = ''] of text.matchAll(COMPOUND)) {
    const isName = /^\p{Lu}$/u.test(first) && /^\p{Lu}/u.test(second);
    const isShort = Math.min(first.length, second.length) <= MAX_SHORT_PART;
    if (/['’]/.test(sign) ? isName : isShort) found.push(`${first}${second}`.toLowerCase());
  }
  for (const [name] of text.matchAll(IDENTIFIER))
    for (const [part] of name.matchAll(IDENTIFIER_PART)) if (part.length > 1) found.push(part.toLowerCase());
  for (const [hash] of text.matchAll(HASH)) found.push(hash.slice(0, SHORT_HASH_CHARS).toLowerCase());
  return found;
}

export interface QueryWord {
  readonly word: string;
  /** Stems of the word, by language. If query words share a stem, only the first word's map contains it. */
  readonly inLanguages: ReadonlyMap<string, string>;
}

export function extractQueryWords(
  text: string,
  languages: readonly string[],
  limit = Number.POSITIVE_INFINITY,
): QueryWord[] {
  const words = new Map<string, Map<string, string>>();
  const seen = new Set<string>();
  const joined = joinGroups(text);
  const terms = extractTerms(dropQuestionWords(joined));
  for (const term of terms.length > 0 ? terms : extractTerms(joined)) {
    const word = findWordRoot(term);
    if (!words.has(word) && words.size >= limit) break;
    const inLanguages = words.get(word) ?? new Map<string, string>();
    words.set(word, inLanguages);
    for (const language of languages) {
      const root = rootIn(language, term);
      if (root === word || seen.has(root) || inLanguages.has(language)) continue;
      seen.add(root);
      inLanguages.set(language, root);
    }
  }
  for (const sign of [...findNumbers(joined), ...extractSigns(text)])
    if (words.size < limit) words.set(sign, new Map());
  return [...words].map(([word, inLanguages]) => ({ word, inLanguages }));
}

export function dropQuestionWords(question: string): string {
  return ASCII.test(question) ? question : question.replace(UNSPACED_QUESTION, ' ');
}

export function createWordMatcher(question: string): (text: string) => Set<string> {
  const asked = new Map<string | undefined, readonly QueryWord[]>();
  // Finding dates is slow, so texts are searched for dates and emoji only if the question has any.
  const extractWords = extractSigns(question).length > 0 ? extractSearchWords : extractRoots;
  return (text) => {
    const language = detectTextLanguage(text);
    const words =
      asked.get(language) ?? extractQueryWords(question, language === undefined ? [] : [language]);
    asked.set(language, words);
    const says = new Set(extractWords(text, language));
    const isSaid = ({ word, inLanguages }: QueryWord) =>
      says.has(word) || [...inLanguages.values()].some((root) => says.has(root));
    return new Set(words.filter(isSaid).map(({ word }) => word));
  };
}

/** Returns the root of a word, which the index stores. `term` is in lower case and without accents. */
export function findWordRoot(term: string): string {
  return remember(term, () =>
    term.length > MAX_WORD_CHARS ? takeCharacters(term, MAX_WORD_CHARS) : found(term),
  );
}

function rootIn(language: string, term: string): string {
  if (term.length > MAX_WORD_CHARS) return findWordRoot(term);
  return remember(`${term}_${language}`, () => stemIn(language, term) ?? findWordRoot(term));
}

function remember(key: string, make: () => string): string {
  const known = newer.get(key);
  if (known !== undefined) return known;
  const root = older.get(key) ?? make();
  if (key.length > MAX_KEY_CHARS) return root;
  if (newer.size >= MAX_REMEMBERED) [older, newer] = [newer, new Map()];
  newer.set(key, root);
  return root;
}

function found(term: string): string {
  // Accents are removed before stemming, so that a word typed without them gets the same stem.
  const folded = foldLetters(term);
  return (ASCII.test(folded) ? stem(folded) : foldLetters(stem(term))) || term;
}

export function countOccurrences(words: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
  return times;
}
