import { compareEach, compareValues } from './compare-each.ts';
import words from './version-words.json' with { type: 'json' };

/** Part of an Alpine version. Sources: apk-package(5) and apk's own tests. */
type AlpinePart =
  | { readonly kind: 'first' | 'number'; readonly digits: string }
  | { readonly kind: 'letter'; readonly letter: string }
  | { readonly kind: 'suffix'; readonly rank: number }
  | { readonly kind: 'step' | 'revision'; readonly number: bigint };

/** Kinds of version parts, the newest first: `1.2.1` (number) is newer than `1.2a` (letter). */
const KINDS = ['first', 'number', 'letter', 'suffix', 'step', 'revision'];
/** Ranks of version suffixes. A suffix with a negative rank sorts before the version without a suffix. */
const SUFFIXES: ReadonlyMap<string, number> = new Map(Object.entries(words.alpine));
const VERSION = /^(\d+(?:\.\d+)*)(?:([a-z])(\d*))?((?:_[a-z]+\d*)*)(?:~[0-9a-f]+)?(?:-r(\d+))?$/;

export function parseAlpine(version: string): AlpinePart[] | undefined {
  const [whole, numbers = '', letter, patch = '', suffixes = '', revision] =
    VERSION.exec(version.trim()) ?? [];
  if (whole === undefined) return undefined;
  const parts: AlpinePart[] = numbers
    .split('.')
    .map((digits, at): AlpinePart => ({ kind: at === 0 ? 'first' : 'number', digits }));
  if (letter !== undefined) parts.push({ kind: 'letter', letter });
  // Packages such as sudo (`1.8.28p1`) have a number after the letter, although apk does not define this.
  if (patch !== '') parts.push({ kind: 'step', number: BigInt(patch) });
  for (const [, word = '', step = ''] of suffixes.matchAll(/_([a-z]+)(\d*)/g)) {
    const rank = SUFFIXES.get(word);
    if (rank === undefined) return undefined;
    parts.push({ kind: 'suffix', rank });
    if (step !== '') parts.push({ kind: 'step', number: BigInt(step) });
  }
  if (revision !== undefined) parts.push({ kind: 'revision', number: BigInt(revision) });
  return parts;
}

export const compareAlpine = (a: readonly AlpinePart[], b: readonly AlpinePart[]): number =>
  compareEach(a, b, comparePart);

function comparePart(a: AlpinePart | undefined, b: AlpinePart | undefined): number {
  if (a?.kind === b?.kind && a && b) return compareSame(a, b);
  if (a?.kind === 'suffix' && a.rank < 0) return -1;
  if (b?.kind === 'suffix' && b.rank < 0) return 1;
  return placeOf(b) - placeOf(a);
}

const placeOf = (part: AlpinePart | undefined): number =>
  part === undefined ? KINDS.length : KINDS.indexOf(part.kind);

function compareSame(a: AlpinePart, b: AlpinePart): number {
  if (a.kind === 'letter' && b.kind === 'letter') return compareValues(a.letter, b.letter);
  if (a.kind === 'suffix' && b.kind === 'suffix') return a.rank - b.rank;
  if ('number' in a && 'number' in b) return compareValues(a.number, b.number);
  if (!('digits' in a && 'digits' in b)) return 0;
  // Except for the first number, numbers with a leading zero are fractions: 1.02 is older than 1.1.
  const fraction = a.kind === 'number' && (a.digits.startsWith('0') || b.digits.startsWith('0'));
  return fraction ? compareValues(a.digits, b.digits) : compareValues(BigInt(a.digits), BigInt(b.digits));
}
