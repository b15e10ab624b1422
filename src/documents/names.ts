import { AppError } from '../errors.ts';

/** Most characters of a file's name. */
const MAX_NAME_CHARS = 400;
/** Nearest names that an error offers. */
const OFFERED_NAMES = 3;

/** Endings that say what a file is; a PDF without one gets `.pdf`. */
const ENDING =
  /\.(pdf|docx?|pptx?|xlsx?|od[tsp]|epub|rtf|x?html?|mdx?|markdown|txt|text|log|csv|tsv|json|jsonl|ndjson|ipynb|xml|rss|atom|eml|mht|mhtml|mbox|png|jpe?g|webp|gif|bmp)$/i;

/**
 * A file's name as it is kept and shown: one line of legible Unicode with its own ending; a PDF without one gets `.pdf`. What
 * cannot be seen (control characters, marks that turn the direction of writing) is dropped, so that no two names look alike.
 * AppError `bad_request` for one that is empty or too long.
 */
export function fileName(given: string, isPdf = false): string {
  const legible = given
    .slice(0, MAX_NAME_CHARS * 4)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\t\n\r\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ')
    .replace(/[\p{Cc}\p{Co}\p{Cn}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu, '')
    .trim();
  if (withoutEnding(legible) === '') {
    throw new AppError('bad_request', 'the file has no name: give it one, such as report.pdf');
  }
  const name = isPdf && !ENDING.test(legible) ? `${legible}.pdf` : legible;
  const { length } = [...name];
  if (length <= MAX_NAME_CHARS && given.length <= MAX_NAME_CHARS * 4) return name;
  throw new AppError(
    'bad_request',
    `the file's name has ${Math.max(length, given.length)} characters, and at most ${MAX_NAME_CHARS} are possible: rename it`,
  );
}

/** A name without what its ending says the file is. */
export function withoutEnding(name: string): string {
  return name.replace(ENDING, '');
}

/** The same for names that differ only in case, or in how characters such as é or ﬁ are written. */
export function foldedName(name: string): string {
  return name.normalize('NFKC').toLowerCase().normalize('NFC');
}

/** Names out of `names` that come nearest to `name`, by the pairs of letters they share (Dice), best first. */
export function nearestNames(name: string, names: readonly string[]): string[] {
  const wanted = pairsOf(name);
  return names
    .map((candidate) => ({ candidate, likeness: dice(wanted, pairsOf(candidate)) }))
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, OFFERED_NAMES)
    .map(({ candidate }) => candidate);
}

function pairsOf(name: string): Set<string> {
  const letters = [...withoutEnding(name.toLowerCase())];
  return new Set(letters.map((letter, at) => letter + (letters[at + 1] ?? '')));
}

function dice(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared++;
  return (2 * shared) / (a.size + b.size || 1);
}
