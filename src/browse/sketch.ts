import { terms } from '../lib/text.ts';

/** Words of a shingle. */
const SHINGLE_WORDS = 4;
/** Smallest hashes that are kept of a text: the estimate of a share is off by some 6 in 100. */
const SKETCH_SIZE = 256;
/** Characters of a text that are sketched. */
const MAX_CHARS = 200_000;
/** Shingles below which a text says too little to be called a copy. */
const LEAST_SHINGLES = 50;

/**
 * What a text is compared by: the smallest hashes of its runs of four words, in ascending order (bottom-k sketch,
 * Broder 1997). Empty for a text that is too short.
 */
export function sketchOf(text: string): Uint32Array {
  const words = terms(text.slice(0, MAX_CHARS)).map(hashOf);
  const hashes = new Set<number>();
  for (let at = 0; at + SHINGLE_WORDS <= words.length; at++) {
    let hash = 0x811c9dc5;
    for (let next = at; next < at + SHINGLE_WORDS; next++) hash = mixed(hash ^ (words[next] ?? 0));
    hashes.add(hash);
  }
  if (hashes.size < LEAST_SHINGLES) return new Uint32Array();
  return Uint32Array.from(hashes).sort().slice(0, SKETCH_SIZE);
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
  let hash = 0x811c9dc5;
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
