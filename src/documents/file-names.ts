import { badRequestError } from '../errors.ts';

const MAX_NAME_CHARS = 400;
const OFFERED_NAMES = 3;

const ENDING =
  /\.(pdf|docx?|pptx?|xlsx?|od[tsp]|epub|rtf|x?html?|mdx?|markdown|txt|text|log|csv|tsv|json|jsonl|ndjson|ipynb|xml|rss|atom|eml|mht|mhtml|mbox|png|jpe?g|webp|gif|bmp)$/i;

/** Normalizes a file's name and removes invisible characters. Throws `bad_request` if empty or too long. */
export function normalizeFileName(given: string, isPdf = false): string {
  const legible = given
    .slice(0, MAX_NAME_CHARS * 4)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\t\n\r\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ')
    .replace(/[\p{Cc}\p{Co}\p{Cn}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu, '')
    .trim();
  if (removeFileExtension(legible) === '') {
    throw badRequestError('the file has no name: give it one, such as report.pdf');
  }
  const name = isPdf && !ENDING.test(legible) ? `${legible}.pdf` : legible;
  const { length } = [...name];
  if (length <= MAX_NAME_CHARS && given.length <= MAX_NAME_CHARS * 4) return name;
  throw badRequestError(
    `the file's name has ${Math.max(length, given.length)} characters, and at most ${MAX_NAME_CHARS} are possible: rename it`,
  );
}

export const removeFileExtension = (name: string): string => name.replace(ENDING, '');

/** Returns a file's title with the words that only its name has, so that a search finds both. Titles of digits say nothing. */
export function describeFile(name: string, title: string): string {
  if (!/\p{L}/u.test(title)) return name;
  const said = new Set(wordsOf(foldFileName(title)));
  const others = wordsOf(removeFileExtension(name)).filter((word) => !said.has(foldFileName(word)));
  return others.length === 0 ? title : `${title} (${others.join(' ')})`;
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

export function foldFileName(name: string): string {
  return name.normalize('NFKC').toLowerCase().normalize('NFC');
}

export function nearestNames(name: string, names: readonly string[]): string[] {
  const wanted = pairsOf(name);
  return names
    .map((candidate) => ({ candidate, likeness: dice(wanted, pairsOf(candidate)) }))
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, OFFERED_NAMES)
    .map(({ candidate }) => candidate);
}

function pairsOf(name: string): Set<string> {
  const letters = [...removeFileExtension(name.toLowerCase())];
  return new Set(letters.map((letter, at) => letter + (letters[at + 1] ?? '')));
}

function dice(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared++;
  return (2 * shared) / (a.size + b.size || 1);
}
