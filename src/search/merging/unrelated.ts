import { editDistance } from '../../lib/text/edit-distance.ts';
import type { SearchHit, SearchQuery } from '../engine.ts';
import { isPlainlyEnglish, languageOf } from '../questions/question.ts';
import { FUNCTION_WORDS } from '../questions/question-words.ts';
import { tellingWords } from '../questions/telling-words.ts';

/**
 * Engines that take a visitor for a robot may answer with results that have nothing to do with the question. Right
 * results must never be taken for such: where words cannot be compared, nothing is judged.
 */

/** Fewer results than these may all be right without a word of the question: a name's homepage, a brand. */
const MIN_HITS = 3;
/** So many words of a question, none of which is in any of so many results, are more than abbreviations and other names. */
const [SURE_WORDS, SURE_HITS] = [3, 5];
/** Words of a question that a result has to have at most: a page does not repeat a long question. */
const MOST_NEEDED = 3;
/** Letters from which on a word counts as two: a name such as `crashloopbackoff` says alone what is meant. */
const LONG_WORD = 10;
/** Letters of one result that are read, and of all for their language. */
const MAX_READ_CHARS = 1500;
const MAX_LANGUAGE_CHARS = 3000;

/** Letters of a word from which on it is found within others, and with typing errors: `nest` would be found in `best`. */
const MIN_INNER = 5;

const OPERATOR =
  /^[-+]?(?:site|filetype|ext|lang|language|loc|region|before|after|inurl|intitle|intext|related|cache|source):/i;
const OF_ADDRESSES = new Set(['http', 'https', 'www', 'com', 'org', 'net', 'html']);
/** Scripts whose words are not parted by spaces, or are written together with their particles. */
const UNPARTED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const UNPARTED_RUNS = new RegExp(`${UNPARTED.source}+`, 'gu');
/** Scripts with words that can be compared as ours: stems at the front, endings behind. */
const STEMMED = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}+#]+$/u;

/** What is known of the engine whose results are judged. */
interface EngineTraits {
  /** It compares words, as result pages for browsers do, and finds nothing that the question only means. */
  readonly isLexical?: boolean;
}

/** Whether none of an engine's results has half of the words that say what the question is about, in its title, text or address. */
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

/** The words of a question that say what it is about, folded and each once. */
function wordsToFind(text: string): string[] {
  const plain = text
    .split(/\s+/)
    .filter((word) => !OPERATOR.test(word) && !/^-[^-]|^(?:AND|OR|NOT)$/.test(word));
  const words = wordsOf(foldText(plain.join(' '))).filter(
    (word) => !OF_ADDRESSES.has(word) && !UNPARTED.test(word),
  );
  const empty = new Set((FUNCTION_WORDS[languageOf(text) ?? 'en'] ?? '').split('|').map(foldText));
  return [...new Set(tellingWords(words, empty))].filter((word) => word.length > 1);
}

/** A result as it is compared. */
interface ComparedHit {
  readonly shown: string;
  /** Title, words and address, folded. */
  readonly text: string;
  /** With and without the signs within them: `wi-fi` also as `wifi`. */
  readonly words: readonly string[];
  readonly hasSnippet: boolean;
}

function readHit({ title, snippet, url }: SearchHit): ComparedHit {
  const shown = `${title} ${snippet.slice(0, MAX_READ_CHARS)}`;
  const text = foldText(`${shown} ${readableAddress(url)}`);
  const words = [...new Set([...wordsOf(text), ...wordsOf(text.replace(/[-'’._]/g, ''))])];
  return { shown, text, words, hasSnippet: snippet !== '' };
}

function fits(told: ComparedHit, words: readonly string[], runs: readonly string[]): boolean {
  if (runs.some((run) => hasSomePart(told.text, run, 2))) return true;
  // Without any words of a page its title alone is known; of other scripts the forms of a word are not.
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

/** Whether a word begins with the stem, ends with the whole word or has a stem of some letters: `street` has no `tree`. */
function isForm(one: string, word: string, stem: string): boolean {
  return one.startsWith(stem) || one.endsWith(word) || (stem.length >= MIN_INNER && one.includes(stem));
}

/** Letters without which a word's endings are: `nests` and `nest`, `building` and `builds`. */
function stemLength(length: number): number {
  return Math.max(4, Math.min(7, length - Math.floor(length / 4)));
}

/** `debug` of `debugging`, and the first part of a compound. */
function isStemOf(short: string, word: string): boolean {
  return short.length >= 4 && short.length * 2 >= word.length && word.startsWith(short);
}

/** Whether the words differ by a slip of the fingers, which seldom is in the first letter: one in a short word, two in a long one. */
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

/**
 * Whether the results would have the question's words if they were right. Those in another language have not, where
 * the caller asked for it, or where an engine answers in English whatever it is asked. Of a question whose language is
 * not plain, results with one of its words each are not its translation, and those with none may be, but for an engine
 * that compares words.
 */
function areComparable(
  { text, language, region }: SearchQuery,
  told: readonly ComparedHit[],
  words: readonly string[],
  isLexical: boolean,
): boolean {
  const asked = languageOf(text);
  if (language !== undefined && language !== (asked ?? 'en')) return false;
  const shown = told.map((one) => one.shown.slice(0, 300)).join(' ');
  const answered = languageOf(shown.slice(0, MAX_LANGUAGE_CHARS));
  if (region !== undefined && answered !== asked) return false;
  if (isPlainlyEnglish(text)) return true;
  if (answered !== undefined || !isAscii(shown)) return true;
  if (asked !== undefined || !isAscii(text)) return false;
  const scattered = words.filter((word) => told.some((one) => hasWord(one, word)));
  if (scattered.length > 0) return scattered.length * 2 >= words.length;
  return isLexical && words.length >= SURE_WORDS && told.length >= SURE_HITS;
}

/** But for a letter in fifty. */
function isAscii(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  return letters.filter((letter) => letter > '\u007f').length * 50 <= letters.length;
}

/** In small letters, without accents and marks. */
function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ß', 'ss');
}

function wordsOf(folded: string): string[] {
  return folded.split(/[^\p{L}\p{N}+#]+/u).filter(Boolean);
}

function readableAddress(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
