import { hash } from 'node:crypto';
import { stem } from '../../../lib/text/stem.ts';
import type { PreparedPage } from '../page-text.ts';

/** Word index for PostgreSQL, in which each page has an array with the numbers of its words. */

const TITLE_WEIGHT = 4;
const MAX_COUNT = 1000;
const ACCENTS = /[\u0300-\u036f]/g;

export function encodePageWords(owner: string, { titleTerms, textTerms }: PreparedPage) {
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

/** Returns a word's English stem. A word that ends with `_` is a stem already, for example `lauf_de_`. */
function formOf(word: string): string {
  if (word.endsWith('_')) return word;
  return stem(word.normalize('NFD').replace(ACCENTS, '').normalize('NFC'));
}

/** Converts each word and its stems to numbers. Words with the same English stem are merged. */
export function encodeQueryWords(owner: string, words: readonly (readonly string[])[]): bigint[][] {
  const groups = new Map<bigint, Set<bigint>>();
  for (const group of words) {
    const [first = 0n, ...others] = group.map((word) => numberOf(owner, formOf(word)));
    const numbers = groups.get(first) ?? new Set([first]);
    for (const number of others) numbers.add(number);
    groups.set(first, numbers);
  }
  return [...groups.values()].map((numbers) => [...numbers]);
}

export const encodeTerm = (owner: string, term: string): bigint => numberOf(owner, term);

function numberOf(owner: string, word: string): bigint {
  return hash('sha1', `${owner}\0${word}`, 'buffer').readBigInt64BE(0);
}

export function toPostgresArray(values: readonly (number | bigint | string)[]): string {
  return `{${values.join(',')}}`;
}
