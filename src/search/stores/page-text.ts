import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { AppError } from '../../errors.ts';
import { terms } from '../../lib/text/text.ts';
import type { StoredPage } from '../local-index/page-store.ts';

/** How a page's text is packed for the disk, and which words of it are indexed. */

/** Times that a word of one page counts, from the first of these that fits; BM25 makes little of more. */
const TERM_COUNTS = [10, 5, 3, 2, 1];
/**
 * Words of one page that are indexed, repetitions included, and their characters: SQLite takes about 1 ms for 1000 words,
 * and others wait for it. A book of 1 MB has some 12,000 different words.
 */
export const MAX_INDEXED_TERMS = 25_000;
const MAX_INDEXED_CHARS = 500_000;
/** Bytes of a page's text that are kept and indexed, in UTF-8. */
export const MAX_TEXT_BYTES = 1_000_000;
export const MAX_TITLE_BYTES = 2000;
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
 * The words of a text for the index: each as often as it stands there, up to ten times, in no order. Where that is more
 * than the bounds above, each counts fewer times; beyond the bounds even then, the last words of the page are left out.
 */
export function termsToIndex(text: string): string {
  const counts = new Map<string, number>();
  for (const term of terms(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  addCharacters(counts);
  const most = TERM_COUNTS.find((count) => fits(counts, count)) ?? 1;
  let [out, left] = ['', MAX_INDEXED_TERMS];
  for (const [term, count] of counts) {
    const times = Math.min(count, most, left);
    if (times === 0 || out.length + (term.length + 1) * times > MAX_INDEXED_CHARS) break;
    out += times === 1 ? `${term} ` : `${term} `.repeat(times);
    left -= times;
  }
  return out;
}

function fits(counts: ReadonlyMap<string, number>, most: number): boolean {
  let [all, chars] = [0, 0];
  for (const [term, count] of counts) {
    all += Math.min(count, most);
    chars += (term.length + 1) * Math.min(count, most);
  }
  return all <= MAX_INDEXED_TERMS && chars <= MAX_INDEXED_CHARS;
}

/**
 * The words that `termsToIndex` gave, as FTS5 gets them for their owner. Digits and `_` are not vowels, so the stemmer
 * treats the term after them as it would without them.
 */
export function ownTerms(owner: number, words: string): string {
  const prefix = `${owner}_`;
  return words && prefix + words.trimEnd().replaceAll(' ', ` ${prefix}`);
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

/** A page as it goes to the disk. */
export interface PreparedPage {
  readonly url: string;
  readonly title: string;
  readonly titleTerms: string;
  /** Packed. */
  readonly text: Uint8Array;
  readonly textTerms: string;
  /** UTF-8 bytes of title and text. */
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly readAt: number;
  /** Words that are indexed. */
  readonly words: number;
}

/** All that saving a page takes but the writing: some 0.5 s for the largest. */
export function preparePage({ url, title, text, readAt }: StoredPage): PreparedPage {
  const [name, plain] = [cleanText(title, MAX_TITLE_BYTES), cleanText(text, MAX_TEXT_BYTES)];
  const [titleTerms, textTerms] = [termsToIndex(name), termsToIndex(plain)];
  return {
    url: cleanText(url, MAX_TEXT_BYTES),
    title: name,
    titleTerms,
    text: pack(plain),
    textTerms,
    bytes: Buffer.byteLength(name) + Buffer.byteLength(plain),
    readAt: Math.trunc(readAt),
    words: countSpaces(titleTerms) + countSpaces(textTerms),
  };
}

function countSpaces(words: string): number {
  let count = 0;
  for (let at = words.indexOf(' '); at >= 0; at = words.indexOf(' ', at + 1)) count++;
  return count;
}

/** SQLite ends a text at NUL; the cut is between characters. */
export function cleanText(text: string, bytes: number): string {
  const legible = cutAt(text.replaceAll('\0', ''), bytes).toWellFormed();
  if (legible.length * 3 <= bytes) return legible;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(legible).subarray(0, bytes), {
    stream: true,
  });
}

/** The first so many UTF-16 units, and never half a character. */
export function cutAt(text: string, units: number): string {
  if (text.length <= units) return text;
  return text.slice(0, isHighSurrogate(text.charCodeAt(units - 1)) ? units - 1 : units);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
