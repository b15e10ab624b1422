import { hash } from 'node:crypto';
import { stem } from '../../../lib/text/stem.ts';
import type { PreparedPage } from '../page-text.ts';

/** Word index for PostgreSQL: each page has an array with the numbers of its words. */

const TITLE_WEIGHT = 4;
/** Maximum stored count of a word on a page. */
const MAX_COUNT = 1000;
const ACCENTS = /[\u0300-\u036f]/g;

export interface PageWords {
  /** Numbers of the words, as an array of bigint in PostgreSQL's text format. */
  readonly terms: string;
  readonly counts: string;
  readonly length: number;
}

export function encodePageWords(owner: string, { titleTerms, textTerms }: PreparedPage): PageWords {
  const counts = new Map<string, number>();
  const title = addWords(counts, titleTerms, TITLE_WEIGHT);
  const text = addWords(counts, textTerms, 1);
  const terms = [...counts.keys()].map((word) => numberOf(owner, word));
  const times = [...counts.values()].map((count) => Math.min(count, MAX_COUNT));
  return { terms: toPostgresArray(terms), counts: toPostgresArray(times), length: title + text };
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

function formOf(word: string): string {
  return stem(word.normalize('NFD').replace(ACCENTS, '').normalize('NFC'));
}

export function encodeQueryWords(owner: string, words: readonly string[]): bigint[] {
  return [...new Set(words.map((word) => numberOf(owner, formOf(word))))];
}

/** Returns the number of a word: the first 64 bits of a hash. Collisions are too rare to matter. */
function numberOf(owner: string, word: string): bigint {
  return hash('sha1', `${owner}\0${word}`, 'buffer').readBigInt64BE(0);
}

export function toPostgresArray(values: readonly (number | bigint | string)[]): string {
  return `{${values.join(',')}}`;
}
