import { hash } from 'node:crypto';
import { stem } from '../../../lib/text/stem.ts';
import type { PreparedPage } from '../page-text.ts';

/** How words of pages stand in PostgreSQL: as numbers, in arrays with an index that finds a page by any of them. */

/** A word of the title counts as this many of the text. */
const TITLE_WEIGHT = 4;
/** The index has 16 bits for it, and BM25 makes little of more. */
const MAX_COUNT = 1000;
/** Marks of Latin letters. */
const ACCENTS = /[\u0300-\u036f]/g;

export interface PageWords {
  /** PostgreSQL's text of an array of bigint. */
  readonly terms: string;
  readonly counts: string;
  /** Words of title and text. */
  readonly length: number;
}

export function wordsOf(owner: string, { titleTerms, textTerms }: PreparedPage): PageWords {
  const counts = new Map<string, number>();
  const title = addWords(counts, titleTerms, TITLE_WEIGHT);
  const text = addWords(counts, textTerms, 1);
  const terms = [...counts.keys()].map((word) => numberOf(owner, word));
  const times = [...counts.values()].map((count) => Math.min(count, MAX_COUNT));
  return { terms: arrayOf(terms), counts: arrayOf(times), length: title + text };
}

function addWords(counts: Map<string, number>, words: string, weight: number): number {
  if (words === '') return 0;
  const list = words.trimEnd().split(' ');
  for (const word of list) {
    const form = formOf(word);
    counts.set(form, (counts.get(form) ?? 0) + weight);
  }
  return list.length;
}

/** The form in which a word is sought: without accents and endings. */
function formOf(word: string): string {
  return stem(word.normalize('NFD').replace(ACCENTS, '').normalize('NFC'));
}

/** Numbers of words that are sought, each once. */
export function soughtNumbers(owner: string, words: readonly string[]): bigint[] {
  return [...new Set(words.map((word) => numberOf(owner, formOf(word))))];
}

/** 64 bits of a digest. Among 10^9 different words of all owners a given one shares its number with odds of one to 10^10. */
function numberOf(owner: string, word: string): bigint {
  return hash('sha1', `${owner}\0${word}`, 'buffer').readBigInt64BE(0);
}

export function arrayOf(values: readonly (number | bigint | string)[]): string {
  return `{${values.join(',')}}`;
}
