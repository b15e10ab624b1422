import { decodePercent } from '../../lib/text/decode-percent.ts';
import { editDistance } from '../../lib/text/edit-distance.ts';
import type { SearchHit, SearchQuery } from '../engine.ts';
import { detectLanguage, isPlainlyEnglish } from '../questions/question.ts';
import { FREQUENT_WORDS } from '../questions/question-words.ts';
import { keepSignificantWords } from '../questions/significant-words.ts';

/** Detects answers in which no result fits the question. In doubt, a result counts as fitting. */

/** Minimum results to judge. A single result, such as a homepage, may lack the question's words. */
const MIN_HITS = 3;
/** If this many question words are missing in this many results, synonyms cannot be the only reason. */
const [SURE_WORDS, SURE_HITS] = [3, 5];
const MOST_NEEDED = 3;
/** A word with at least this many letters is specific and counts as two words. */
const LONG_WORD = 10;
const MAX_READ_CHARS = 1500;
const MAX_LANGUAGE_CHARS = 3000;
/** Minimum letters of a stem that is searched inside words, and of a word that may be mistyped. */
const MIN_INNER = 5;

const OPERATOR =
  /^[-+]?(?:site|filetype|ext|lang|language|loc|region|before|after|inurl|intitle|intext|related|cache|source):/i;
const OF_ADDRESSES = new Set(['http', 'https', 'www', 'com', 'org', 'net', 'html']);
const UNPARTED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const UNPARTED_RUNS = new RegExp(`${UNPARTED.source}+`, 'gu');
const STEMMED = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}+#]+$/u;

interface EngineTraits {
  /** True if the engine compares words. An engine that compares meanings may find texts without them. */
  readonly isLexical?: boolean;
}

/** True if no result has enough of the question's words in title, snippet or address. False in doubt. */
export function areUnrelated(
  hits: readonly SearchHit[],
  query: SearchQuery,
  { isLexical = false }: EngineTraits = {},
): boolean {
  if (hits.length < MIN_HITS || query.category === 'images' || query.site) return false;
  const words = wordsToFind(query.text);
  const runs = foldText(query.text).match(UNPARTED_RUNS) ?? [];
  if (runs.length === 0 && words.length < 2) return false;
  if (runs.length > 0 && runs.join('').length < 4) return false;
  const told = hits.map(readHit);
  if (told.some((one) => fits(one, words, runs))) return false;
  return areComparable(query, told, words, isLexical);
}

function wordsToFind(text: string): string[] {
  const plain = text
    .split(/\s+/)
    .filter((word) => !OPERATOR.test(word) && !/^-[^-]|^(?:AND|OR|NOT)$/.test(word));
  const words = wordsOf(foldText(plain.join(' '))).filter(
    (word) => !OF_ADDRESSES.has(word) && !UNPARTED.test(word),
  );
  const empty = new Set((FREQUENT_WORDS[detectLanguage(text) ?? 'en'] ?? '').split('|').map(foldText));
  return [...new Set(keepSignificantWords(words, empty))].filter((word) => word.length > 1);
}

interface ComparedHit {
  readonly shown: string;
  readonly text: string;
  readonly words: readonly string[];
  readonly hasSnippet: boolean;
}

function readHit({ title, snippet, url }: SearchHit): ComparedHit {
  const shown = `${title} ${snippet.slice(0, MAX_READ_CHARS)}`;
  const text = foldText(`${shown} ${decodePercent(url)}`);
  const words = [...new Set([...wordsOf(text), ...wordsOf(text.replace(/[-'’._]/g, ''))])];
  return { shown, text, words, hasSnippet: snippet !== '' };
}

function fits(told: ComparedHit, words: readonly string[], runs: readonly string[]): boolean {
  if (runs.some((run) => hasSomePart(told.text, run, 2))) return true;
  // Without a snippet, or if the forms of a word cannot be compared, one matching word is enough.
  const isFull = told.hasSnippet && words.every((word) => STEMMED.test(word));
  const needed = isFull ? Math.min(MOST_NEEDED, Math.ceil(words.length / 2)) : 1;
  let found = 0;
  for (const word of words) if (hasWord(told, word)) found += word.length < LONG_WORD ? 1 : 2;
  return found >= needed;
}

function hasWord(told: ComparedHit, word: string): boolean {
  if (!STEMMED.test(word)) return hasSomePart(told.text, word, 3);
  if (word.length < 4) return told.words.some((one) => one === word || one === `${word}s`);
  const stem = word.slice(0, stemLength(word.length));
  return told.words.some((one) => isForm(one, word, stem) || isStemOf(one, word) || isMistyped(one, word));
}

function isForm(one: string, word: string, stem: string): boolean {
  return one.startsWith(stem) || one.endsWith(word) || (stem.length >= MIN_INNER && one.includes(stem));
}

/** Returns how many first letters another form of the word must share, for example 6 for `building`. */
function stemLength(length: number): number {
  return Math.max(4, Math.min(7, length - Math.floor(length / 4)));
}

function isStemOf(short: string, word: string): boolean {
  return short.length >= 4 && short.length * 2 >= word.length && word.startsWith(short);
}

function isMistyped(one: string, word: string): boolean {
  if (word.length < MIN_INNER || one[0] !== word[0]) return false;
  const most = word.length < 8 ? 1 : 2;
  return Math.abs(one.length - word.length) <= most && editDistance(one, word) <= most;
}

function hasSomePart(text: string, word: string, length: number): boolean {
  const letters = [...word];
  if (letters.length <= length) return text.includes(word);
  return letters.some(
    (_, at) => at + length <= letters.length && text.includes(letters.slice(at, at + length).join('')),
  );
}

/** False if question and results cannot be compared, for example if their languages may differ. */
function areComparable(
  { text, language, region }: SearchQuery,
  told: readonly ComparedHit[],
  words: readonly string[],
  isLexical: boolean,
): boolean {
  const asked = detectLanguage(text);
  if (language !== undefined && language !== (asked ?? 'en')) return false;
  const shown = told.map((one) => one.shown.slice(0, 300)).join(' ');
  const answered = detectLanguage(shown.slice(0, MAX_LANGUAGE_CHARS));
  if (region !== undefined && answered !== asked) return false;
  if (isPlainlyEnglish(text)) return true;
  if (answered !== undefined || !isAscii(shown)) return true;
  if (asked !== undefined || !isAscii(text)) return false;
  const scattered = words.filter((word) => told.some((one) => hasWord(one, word)));
  if (scattered.length > 0) return scattered.length * 2 >= words.length;
  return isLexical && words.length >= SURE_WORDS && told.length >= SURE_HITS;
}

function isAscii(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  return letters.filter((letter) => letter > '\u007f').length * 50 <= letters.length;
}

function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ß', 'ss');
}

const wordsOf = (folded: string): string[] => folded.split(/[^\p{L}\p{N}+#]+/u).filter(Boolean);
