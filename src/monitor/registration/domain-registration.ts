import { findDates } from '../../lib/time/written-date.ts';

/** What a registry says of a domain. */
export interface DomainRegistration {
  /** End in milliseconds since 1970. Undefined if the registry does not name it, or not clearly. */
  readonly until?: number | undefined;
  /** Status codes of EPP in lower-case letters alone, for example `pendingdelete` (RFC 8056). */
  readonly statuses: readonly string[];
}

export const DAY_MS = 86_400_000;
/** Dates before the first domain, or after the longest registration there is, are placeholders or mistakes. */
const [FIRST_MS, MAX_AHEAD_MS] = [Date.UTC(1985, 0), 101 * 366 * DAY_MS];
/** A weekday may stand before the date. */
const MAX_DATE_START = 5;

export const dayOf = (time: number): number => Math.floor(time / DAY_MS);

/** Reads the end that all `dates` agree on. A date without a time stands for the end of its day. */
export function readEnd(dates: readonly string[], now: number): number | undefined {
  const [first, ...others] = dates.map(parseEnd);
  if (first === undefined || first < FIRST_MS || first > now + MAX_AHEAD_MS) return undefined;
  return others.every((end) => end !== undefined && dayOf(end) === dayOf(first)) ? first : undefined;
}

function parseEnd(text: string): number | undefined {
  // `findDates` reads `2027 Jan 12`, but not `2027-Jan-12`.
  const value = text.trim().replace(/-([a-z]{3})-/i, ' $1 ');
  const [date, ...others] = findDates(value);
  if (!date || others.length > 0 || date.start > MAX_DATE_START) return undefined;
  const { year, month = 0, day, timeMs = DAY_MS - 1, offsetMs = 0 } = date;
  return Date.UTC(year, month - 1, day) + timeMs - offsetMs;
}

/** Normalizes `pending delete` (RDAP) and `pendingDelete https://icann.org/epp#pendingDelete` (WHOIS). */
export const normalizeStatus = (text: string): string =>
  text
    .replace(/http.*/, '')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
