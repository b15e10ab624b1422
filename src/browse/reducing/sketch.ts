import { PageVocabulary } from '../extracting/vocabulary.ts';
import type { MarkdownBlock } from './blocks.ts';

const SHINGLE_WORDS = 4;
/** Number of hashes. With 256, estimates of shared text are off by about 6 percentage points. */
const SKETCH_SIZE = 256;
const MAX_CHARS = 200_000;
const LEAST_SHINGLES = 50;
const SEED = 0x811c9dc5;
/** 2^32 divided by the golden ratio. Multiplication makes a hash depend on the order of the words. */
const FACTOR = 0x9e3779b1;

/** Returns the smallest hashes of four-word sequences, in ascending order (bottom-k, Broder 1997). */
export function computeShingleSketch(text: string): Uint32Array {
  const vocabulary = new PageVocabulary();
  return sketchOfWords(vocabulary.numbersOf(text.slice(0, MAX_CHARS)), vocabulary);
}

/** Like `computeShingleSketch`, but faster, because `vocabulary` already knows the words of the blocks. */
export function sketchBlocks(
  blocks: readonly MarkdownBlock[],
  text: string,
  vocabulary: PageVocabulary,
): Uint32Array {
  const last = blocks.length - 1;
  const parted = blocks.every(({ gap }, at) => at === last || /^\s/.test(gap));
  if (!parted || text.length > MAX_CHARS) return computeShingleSketch(text);
  return sketchOfWords(
    blocks.flatMap((block) => vocabulary.numbersOf(block.text)),
    vocabulary,
  );
}

function sketchOfWords(words: readonly number[], vocabulary: PageVocabulary): Uint32Array {
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

function hashesOf({ words }: PageVocabulary): Uint32Array {
  const hashes = new Uint32Array(words.length);
  for (let at = 0; at < hashes.length; at++) hashes[at] = hashOf(words[at] ?? '');
  return hashes;
}

/** Returns the smallest different hashes, ascending. To save time, first sorts only hashes below a limit. */
function smallestOf(hashes: Uint32Array): Uint32Array {
  const likely = smallestBelow(hashes, (HASHES * SPARE * SKETCH_SIZE) / hashes.length);
  return likely.length === SKETCH_SIZE ? likely : smallestBelow(hashes, HASHES);
}

/** `HASHES`: number of possible hash values. `SPARE`: 1.5 times as many hashes as needed are sorted. */
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

/** Estimates the share of common four-word sequences in two texts (Jaccard similarity), 0 to 1. */
export function estimateSharedText(a: Uint32Array, b: Uint32Array): number {
  if (a.length === 0 || b.length === 0) return 0;
  const size = Math.min(SKETCH_SIZE, Math.max(a.length, b.length));
  let [left, right, both] = [0, 0, 0];
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

/** Final step of MurmurHash3. Afterwards, every bit depends on every bit of the input. */
function mixed(hash: number): number {
  let bits = hash;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
