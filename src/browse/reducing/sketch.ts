import { Vocabulary } from '../extracting/vocabulary.ts';
import type { Block } from './blocks.ts';

/** Words of a shingle. */
const SHINGLE_WORDS = 4;
/** Smallest hashes that are kept of a text: the estimate of a share is off by some 6 in 100. */
const SKETCH_SIZE = 256;
/** Characters of a text that are sketched. */
const MAX_CHARS = 200_000;
/** Shingles below which a text says too little to be called a copy. */
const LEAST_SHINGLES = 50;
/** What every hash begins with (FNV). */
const SEED = 0x811c9dc5;
/** What the words of a run before one are multiplied by, so that their order counts (2^32 by the golden ratio). */
const FACTOR = 0x9e3779b1;

/**
 * What a text is compared by: the smallest hashes of its runs of four words, in ascending order (bottom-k sketch,
 * Broder 1997). Empty for a text that is too short.
 */
export function sketchOf(text: string): Uint32Array {
  const vocabulary = new Vocabulary();
  return sketchOfWords(vocabulary.numbersOf(text.slice(0, MAX_CHARS)), vocabulary);
}

/** The same of blocks that were taken apart, which with their gaps are the text. */
export function sketchOfBlocks(blocks: readonly Block[], text: string, vocabulary: Vocabulary): Uint32Array {
  const last = blocks.length - 1;
  const parted = blocks.every(({ gap }, at) => at === last || /^\s/.test(gap));
  if (!parted || text.length > MAX_CHARS) return sketchOf(text);
  return sketchOfWords(
    blocks.flatMap((block) => vocabulary.numbersOf(block.text)),
    vocabulary,
  );
}

function sketchOfWords(words: readonly number[], vocabulary: Vocabulary): Uint32Array {
  const own = hashesOf(vocabulary);
  const all = new Uint32Array(Math.max(0, words.length - SHINGLE_WORDS + 1));
  for (let at = 0; at < all.length; at++) {
    let hash = 0;
    for (let next = at; next < at + SHINGLE_WORDS; next++)
      hash = (Math.imul(hash, FACTOR) + (own[words[next] ?? 0] ?? 0)) | 0;
    all[at] = mixed(hash);
  }
  const hashes = smallestOf(all);
  return hashes.length < LEAST_SHINGLES ? new Uint32Array() : hashes;
}

function hashesOf({ words }: Vocabulary): Uint32Array {
  const hashes = new Uint32Array(words.length);
  for (let at = 0; at < hashes.length; at++) hashes[at] = hashOf(words[at] ?? '');
  return hashes;
}

/** The smallest different ones, in ascending order. Hashes lie evenly: where the last of them must lie is known before they are sorted. */
function smallestOf(hashes: Uint32Array): Uint32Array {
  const likely = smallestBelow(hashes, (HASHES * SPARE * SKETCH_SIZE) / hashes.length);
  return likely.length === SKETCH_SIZE ? likely : smallestBelow(hashes, HASHES);
}

/** How many hashes there can be, and how many times as many as are kept are sorted. */
const [HASHES, SPARE] = [2 ** 32, 1.5];

function smallestBelow(hashes: Uint32Array, limit: number): Uint32Array {
  const held = new Uint32Array(hashes.length);
  let below = 0;
  for (let at = 0; at < hashes.length; at++) {
    const hash = hashes[at] ?? 0;
    if (hash < limit) held[below++] = hash;
  }
  const sorted = held.subarray(0, below).sort();
  let count = 0;
  for (let at = 0; at < below && count < SKETCH_SIZE; at++) {
    const hash = sorted[at] ?? 0;
    if (count === 0 || hash !== sorted[count - 1]) sorted[count++] = hash;
  }
  return sorted.slice(0, count);
}

/** The share of both texts' runs of words that they have in common, 0 to 1. */
export function sharedShare(a: Uint32Array, b: Uint32Array): number {
  if (a.length === 0 || b.length === 0) return 0;
  const size = Math.min(SKETCH_SIZE, Math.max(a.length, b.length));
  let [left, right, both] = [0, 0, 0];
  // The smallest of the two together, and which of these both have.
  for (let taken = 0; taken < size && (left < a.length || right < b.length); taken++) {
    const [one = Infinity, other = Infinity] = [a[left], b[right]];
    if (one === other) both++;
    if (one <= other) left++;
    if (other <= one) right++;
  }
  return both / size;
}

function hashOf(word: string): number {
  let hash = SEED;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return mixed(hash);
}

/** MurmurHash3's last step: every bit depends on every other. */
function mixed(hash: number): number {
  let bits = hash;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
