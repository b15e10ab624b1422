import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { AppError } from '../../errors.ts';
import { terms } from '../../lib/text.ts';

/** How a page's text is packed for the disk, and which words of it are indexed. */

/** Times that a word of one page counts; BM25 makes little of more. */
const MAX_TERM_COUNT = 10;
/** Bytes of an unpacked text; what was packed here has fewer. */
const MAX_UNPACKED_BYTES = 4_000_000;

/** zstd at its third level: a third to a half of the bytes, in a tenth of the time that indexing takes. */
export function pack(text: string): Uint8Array {
  return zstdCompressSync(text);
}

/** AppError `unavailable` when the bytes are not a text that was packed. */
export function unpack(packed: Uint8Array): string {
  try {
    return zstdDecompressSync(packed, { maxOutputLength: MAX_UNPACKED_BYTES }).toString();
  } catch (cause) {
    throw new AppError(
      'unavailable',
      'a page of the local index is damaged: forget it with `magpie index --forget`, and index it again',
      { cause },
    );
  }
}

/**
 * The words of a text as FTS5 gets them: each as often as it stands there, up to ten times, in no order.
 * Digits and `_` are not vowels, so the stemmer treats the term after them as it would without them.
 */
export function indexedTerms(owner: number, text: string): string {
  const counts = new Map<string, number>();
  for (const term of terms(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  addCharacters(counts);
  let out = '';
  for (const [term, count] of counts) {
    const one = `${owner}_${term} `;
    out += count === 1 ? one : one.repeat(Math.min(count, MAX_TERM_COUNT));
  }
  return out;
}

/** One character of a script without spaces is a word too, and may be all that is asked. */
function addCharacters(counts: Map<string, number>): void {
  const characters = new Map<string, number>();
  for (const [term, count] of counts) {
    if (term.charCodeAt(0) < UNSPACED_FROM || term.length > 4 || !PAIR.test(term)) continue;
    const [first = '', second = ''] = term;
    characters.set(first, (characters.get(first) ?? 0) + count);
    if (!characters.has(second)) characters.set(second, 1);
  }
  for (const [character, count] of characters) counts.set(character, (counts.get(character) ?? 0) + count);
}

/** Thai, the first of them. */
const UNSPACED_FROM = 0x0e00;
const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const PAIR = new RegExp(`^[${SCRIPTS}]{2}$`, 'u');

/** A term as FTS5 searches for it. Terms are letters, marks and digits: within quotes nothing of them is syntax. */
export function soughtTerm(owner: number, term: string): string {
  return `"${owner}_${term}"`;
}
