import { stem } from '../lib/stem.ts';
import { isStopWord } from '../lib/stop-words.ts';
import { terms } from '../lib/text.ts';

/** Stop words of one language that are telling words of another. */
const TELLING_ELSEWHERE = new Set(
  'war die den hat van son con los las dos come per dan hoe pour plus sur art will'.split(' '),
);
/** With fewer words than this left, the stop words count too: nothing else could be found. */
const FEW = 4;
/** Characters of a word that tell it apart. */
const LONGEST = 64;
const MARKS = /[\u0300-\u036f]/g;
const ASCII = /^[\x20-\x7e]*$/;

/**
 * The words of a text that are indexed and sought, in order, as often as they stand there: `terms` by their
 * stems, without accents, stop words only where there is little else.
 */
export function searchWords(text: string): string[] {
  const all = terms(text.toWellFormed());
  const telling = all.filter((term) => !isStopWord(term) || TELLING_ELSEWHERE.has(term));
  return (telling.length < FEW ? all : telling).map(rootOf);
}

function rootOf(term: string): string {
  const root = stem(term).slice(0, LONGEST).toWellFormed();
  return ASCII.test(root) ? root : root.normalize('NFD').replace(MARKS, '').normalize('NFC') || term;
}

/** How often each word is there. */
export function countTimes(words: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
  return times;
}
