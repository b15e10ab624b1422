import { ABOVE, ABOVE_AFTER, BELOW, BELOW_AFTER } from './task-words.ts';

/** Numbers in a task, as people write them, and what they are a limit of. */

const DIGITS =
  "(\\d[\\d.,’']{0,15})\\s?(k|thousand|tsd|tausend|mil|mille|million(?:en|s)?|mio|millones)?(?![\\p{L}])";
const NUMBER = `[^\\p{L}\\p{N}<>]{0,6}(?:[a-z]{3}\\s?)?${DIGITS}`;
/** Some languages have the number first. */
const FIRST = "(?<![\\d.,’'])(\\d[\\d.,’']{0,15})\\s?[^\\d\\s]{0,2}\\s?";
const NUMBER_BARE = "[^\\p{L}\\p{N}<>]{0,6}(?:[a-z]{3}\\s?)?(\\d[\\d.,’']{0,15})";

interface Limit {
  /** With its multiplier. */
  readonly whole: RegExp;
  /** Without, in either order. */
  readonly bare: RegExp;
}

const limit = (before: string, after: string): Limit => ({
  whole: new RegExp(`(?:${before})${NUMBER}`, 'iu'),
  bare: new RegExp(`(?:${before})${NUMBER_BARE}|${FIRST}(?:${after})`, 'iu'),
});
const LIMITS = { below: limit(BELOW, BELOW_AFTER), above: limit(ABOVE, ABOVE_AFTER) } as const;

/** The number below or above which a task asks for a notification; undefined where it names none. */
export function limitIn(text: string): { kind: 'below' | 'above'; value: number } | undefined {
  for (const kind of ['below', 'above'] as const) {
    const { whole, bare } = LIMITS[kind];
    const [, digits, times] = whole.exec(text) ?? [];
    const [, after, first] = bare.exec(text) ?? [];
    const value = numberOf(digits ?? after ?? first ?? '');
    if (value !== undefined) return { kind, value: value * factorOf(digits === undefined ? '' : times) };
  }
  return undefined;
}

/** The task without the limits that it names. */
export function withoutLimits(text: string): string {
  return Object.values(LIMITS).reduce(
    (left, { whole, bare }) => left.replace(whole, ' ').replace(bare, ' '),
    text,
  );
}

function factorOf(times = ''): number {
  if (times === '') return 1;
  return /^(?:k|t|mil$|mille$)/i.test(times) ? 1000 : 1_000_000;
}

/**
 * A number as people write it: of two kinds of marks the last is the decimal one; a single mark with three
 * digits after it, or one that comes several times, parts thousands.
 */
export function numberOf(text: string): number | undefined {
  const digits = text.replace(/[’'\s]/g, '').replace(/(?<![.,])[.,]+$/, '');
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const mark = digits.charAt(last);
  const other = mark === '.' ? ',' : '.';
  const thousands =
    last >= 0 && !digits.includes(other) && (digits.indexOf(mark) !== last || /^\d{1,3}.\d{3}$/.test(digits));
  const plain =
    last < 0 || thousands
      ? digits.replace(/[.,]/g, '')
      : `${digits.slice(0, last).replace(/[.,]/g, '')}.${digits.slice(last + 1)}`;
  const value = Number(plain);
  return plain !== '' && Number.isFinite(value) ? value : undefined;
}
