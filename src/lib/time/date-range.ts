export type TimeRange = 'day' | 'week' | 'month' | 'year';
const DAY_MS = 24 * 3_600_000;
/** Days of each range, with a little tolerance for inexact dates. */
const DAYS: Readonly<Record<TimeRange, number>> = { day: 2, week: 8, month: 32, year: 367 };

export function isWithinRange(time: number, range: TimeRange, now: number): boolean {
  return time >= now - DAYS[range] * DAY_MS;
}
