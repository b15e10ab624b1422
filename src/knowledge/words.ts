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
/** Words whose root is remembered: finding it takes most of the time of indexing. */
const REMEMBERED = 30_000;
const roots = new Map<string, string>();
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
  const known = roots.get(term);
  if (known !== undefined) return known;
  if (term.length > LONGEST) return term.slice(0, LONGEST).toWellFormed();
  const stemmed = stem(term);
  const root = ASCII.test(stemmed)
    ? stemmed
    : stemmed.normalize('NFD').replace(MARKS, '').normalize('NFC') || term;
  if (roots.size >= REMEMBERED) roots.clear();
  roots.set(term, root);
  return root;
}

/** How often each word is there. */
export function countTimes(words: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
  return times;
}
