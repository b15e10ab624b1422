import { stem } from '../../lib/text/stem.ts';
import { isStopWord } from '../../lib/text/stop-words.ts';
import { terms } from '../../lib/text/text.ts';

const MEANINGFUL_ELSEWHERE = new Set(
  'war die den hat van son con los las dos come per dan hoe pour plus sur art will'.split(' '),
);
/** Number of words below which stop words count too. Otherwise a query of stop words would find nothing. */
const MIN_WORDS = 4;
/** Maximum length of a word in characters. The rest of the word is cut off. */
const MAX_WORD_CHARS = 64;
/** Maximum number of words in each of two generations of the stem cache. A word that is used again moves to the newer one. */
const MAX_REMEMBERED = 25_000;
let newer = new Map<string, string>();
let older = newer;
const MARKS = /[\u0300-\u036f]/g;
const ASCII = /^[\x20-\x7e]*$/;

/** Returns the words of a text in order, as stems without accents. Stop words count only if few other words remain. */
export function extractSearchWords(text: string): string[] {
  const all = terms(text.toWellFormed());
  const telling = all.filter((term) => !isStopWord(term) || MEANINGFUL_ELSEWHERE.has(term));
  return (telling.length < MIN_WORDS ? all : telling).map(rootOf);
}

function rootOf(term: string): string {
  const known = newer.get(term);
  if (known !== undefined) return known;
  if (term.length > MAX_WORD_CHARS) return term.slice(0, MAX_WORD_CHARS).toWellFormed();
  const root = older.get(term) ?? found(term);
  if (newer.size >= MAX_REMEMBERED) [older, newer] = [newer, new Map()];
  newer.set(term, root);
  return root;
}

function found(term: string): string {
  const stemmed = stem(term);
  if (ASCII.test(stemmed)) return stemmed;
  return stemmed.normalize('NFD').replace(MARKS, '').normalize('NFC') || term;
}

export function countOccurrences(words: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
  return times;
}
