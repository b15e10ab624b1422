/** How long ago something may be. */
export type TimeRange = 'day' | 'week' | 'month' | 'year';

const DAY_MS = 24 * 3_600_000;
/** Days that a range is taken for: a date without a time may be a day off. */
const DAYS: Readonly<Record<TimeRange, number>> = { day: 2, week: 8, month: 32, year: 367 };

/** Whether a time is within a range before `now`, both milliseconds since 1970. */
export function isWithinRange(time: number, range: TimeRange, now: number): boolean {
  return time >= now - DAYS[range] * DAY_MS;
}
