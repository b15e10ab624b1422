import { terms } from '../../lib/text/text.ts';

/** How alike two texts are by their words and pairs of words in a row (Jaccard), from sketches of a bounded size. */

/** Hashes of a sketch: exact for texts of up to 64 words, with a standard error of 0.04 for longer ones. */
const SKETCH_HASHES = 128;
/** Characters of a text that are read. */
const READ_CHARS = 100_000;

/** The smallest hashes of what is in a text, rising. */
export type Sketch = Uint32Array;

/**
 * Bottom-k sketch (Cohen and Kaplan, "Summarizing data using bottom-k sketches", 2007): of two of them the part of shared ones among
 * the smallest of both estimates the part of shared features.
 */
export function sketchOf(text: string): Sketch {
  const words = terms(text.slice(0, READ_CHARS).toWellFormed());
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

/** 0 to 1; 0 where one has nothing. */
export function likeness(a: Sketch, b: Sketch): number {
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

/** FNV-1a. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return hash;
}

/** Spreads a hash over all numbers: the smallest are to be any of them (MurmurHash3's end). */
function mixed(hash: number): number {
  let value = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
