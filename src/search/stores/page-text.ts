import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { unavailableError } from '../../errors.ts';
import { detectTextLanguage } from '../../lib/language/detect-language.ts';
import { STEMMED_LANGUAGES, stemIn, stemsIn, toLanguageTerm } from '../../lib/language/stemmers.ts';
import { splitTerms } from '../../lib/text/text.ts';
import type { StoredPage } from '../page-store.ts';

/** Version of the rules that turn texts into index words. A higher version renews all stored pages. */
export const PAGE_WORDS_VERSION = 1;
/** A word of a page is indexed at most 10 times, or fewer times if the page has too many words. */
const TERM_COUNTS = [10, 5, 3, 2, 1];
/** Maximum number of words that the index gets for a page, including repeated words. */
export const MAX_INDEXED_TERMS = 25_000;
const MAX_INDEXED_CHARS = 500_000;
export const MAX_TEXT_BYTES = 1_000_000;
export const MAX_TITLE_BYTES = 2000;
const MAX_UNPACKED_BYTES = 4_000_000;

export const compressText = (text: string): Uint8Array => zstdCompressSync(text);

/** Decompresses a text. Throws AppError `unavailable` if the bytes are damaged. */
export function decompressText(packed: Uint8Array): string {
  try {
    return zstdDecompressSync(packed, { maxOutputLength: MAX_UNPACKED_BYTES }).toString();
  } catch (cause) {
    throw unavailableError(
      'a page of the local index is damaged: forget it with `magpie index --forget`, and index it again',
      { cause },
    );
  }
}

/** Returns a text's index words, each up to ten times, as stems if the language has a stemmer. */
export function termsToIndex(text: string, language?: string): string {
  const counts = new Map<string, number>();
  for (const term of splitTerms(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  addCharacters(counts);
  return repeatTerms(language === undefined ? counts : toStems(counts, language));
}

function toStems(counts: ReadonlyMap<string, number>, language: string): Map<string, number> {
  const stems = new Map<string, number>();
  for (const [term, count] of counts) {
    const stem = stemIn(language, term) ?? term;
    stems.set(stem, (stems.get(stem) ?? 0) + count);
    if (stems.size >= MAX_INDEXED_TERMS) break;
  }
  return stems;
}

function repeatTerms(counts: ReadonlyMap<string, number>): string {
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

/** Adds the owner's number to the beginning of each word, so that a search finds only the owner's pages. */
export function prefixTermsWithOwner(owner: number, words: string): string {
  const prefix = `${owner}_`;
  return words && prefix + words.trimEnd().replaceAll(' ', ` ${prefix}`);
}

/** Adds single characters of scripts without spaces, because a query may be a single character. */
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

/** Code point of the first Thai character. Other scripts without spaces have higher code points. */
const UNSPACED_FROM = 0x0e00;
const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const PAIR = new RegExp(`^[${SCRIPTS}]{2}$`, 'u');

export const toQueryTerm = (owner: number, term: string): string => `"${owner}_${term}"`;

export const LANGUAGE_TERMS: ReadonlyMap<string, string> = new Map(
  STEMMED_LANGUAGES.map((language) => [toLanguageTerm(language), language]),
);

/** Returns each word with its stems. A stem that two words share is added only to the first word. */
export function toTermGroups(words: readonly string[], languages: readonly string[]): string[][] {
  const seen = new Set<string>();
  return words.map((word) => {
    const stems = new Set(languages.flatMap((language) => stemsIn(language, word)));
    const fresh = [...stems].filter((stem) => !seen.has(stem));
    for (const stem of fresh) seen.add(stem);
    return [word, ...fresh];
  });
}

export type PreparedPage = ReturnType<typeof preparePage>;

export function preparePage({ url, title, text, readAt }: StoredPage) {
  const [name, plain] = [cleanText(title, MAX_TITLE_BYTES), cleanText(text, MAX_TEXT_BYTES)];
  const { titleTerms, textTerms } = extractPageTerms(name, plain);
  return {
    url: cleanText(url, MAX_TEXT_BYTES),
    title: name,
    titleTerms,
    text: compressText(plain),
    textTerms,
    bytes: Buffer.byteLength(name) + Buffer.byteLength(plain),
    readAt: Math.trunc(readAt),
    words: countSpaces(titleTerms) + countSpaces(textTerms),
  };
}

/** Returns a page's index words. If they are stems, the first index word of the text names the language. */
export function extractPageTerms(title: string, text: string) {
  const language = detectTextLanguage(`${title}\n${text}`);
  const isStemmed = language !== undefined && STEMMED_LANGUAGES.includes(language);
  return {
    titleTerms: termsToIndex(title, language),
    textTerms: `${isStemmed ? `${toLanguageTerm(language)} ` : ''}${termsToIndex(text, language)}`,
  };
}

function countSpaces(words: string): number {
  let count = 0;
  for (let at = words.indexOf(' '); at >= 0; at = words.indexOf(' ', at + 1)) count++;
  return count;
}

/** Removes NUL characters, at which SQLite ends a text, and cuts the text to `maxBytes`. */
export function cleanText(text: string, maxBytes: number): string {
  const legible = truncateText(text.replaceAll('\0', ''), maxBytes).toWellFormed();
  if (legible.length * 3 <= maxBytes) return legible;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(legible).subarray(0, maxBytes), {
    stream: true,
  });
}

export function truncateText(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  return text.slice(0, isHighSurrogate(text.charCodeAt(maxUnits - 1)) ? maxUnits - 1 : maxUnits);
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
