import { splitTerms, takeCharacters } from '../../lib/text/text.ts';
import { findSigns } from '../ranking/search-words.ts';

/** This module estimates the similarity of texts by their words and word pairs (Jaccard index). */

/** Hashes per sketch. Similarity is exact for up to 64 words. For more words, its standard error is 0.04. */
const SKETCH_HASHES = 128;
const READ_CHARS = 100_000;
export type TextSketch = Uint32Array;

/** Computes a bottom-k sketch (Cohen and Kaplan, "Summarizing data using bottom-k sketches", 2007). */
export function computeTextSketch(text: string): TextSketch {
  const begin = takeCharacters(text, READ_CHARS);
  const words = [...splitTerms(begin), ...findSigns(begin), ...(begin.match(/\p{Sc}/gu) ?? [])];
  const hashes = new Uint32Array(Math.max(0, 2 * words.length - 1));
  let before = 0;
  for (const [at, word] of words.entries()) {
    const hash = hashOf(word);
    hashes[2 * at] = mixed(hash);
    if (at > 0) hashes[2 * at - 1] = mixed(Math.imul(before, 0x9e3779b1) ^ hash);
    before = hash;
  }
  hashes.sort();
  const smallest: number[] = [];
  for (const hash of hashes) {
    if (hash === smallest.at(-1)) continue;
    smallest.push(hash);
    if (smallest.length === SKETCH_HASHES) break;
  }
  return Uint32Array.from(smallest);
}

/** Returns the similarity of two texts, 0 to 1. It is 0 if one text has no words. */
export function estimateTextSimilarity(a: TextSketch, b: TextSketch): number {
  let [shared, seen, i, j] = [0, 0, 0, 0];
  while (seen < SKETCH_HASHES && (i < a.length || j < b.length)) {
    const [left = Number.POSITIVE_INFINITY, right = Number.POSITIVE_INFINITY] = [a[i], b[j]];
    if (left === right) shared++;
    if (left <= right) i++;
    if (right <= left) j++;
    seen++;
  }
  return a.length === 0 || b.length === 0 ? 0 : shared / seen;
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return hash;
}

function mixed(hash: number): number {
  let value = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
