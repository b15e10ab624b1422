export type TimeRange = 'day' | 'week' | 'month' | 'year';

const DAY_MS = 24 * 3_600_000;
/** Length of each time range in days. Each is a little longer than its name says, because dates without a time are inexact. */
const DAYS: Readonly<Record<TimeRange, number>> = { day: 2, week: 8, month: 32, year: 367 };

/** True if a time is within the range before `now`. Both times are milliseconds since 1970. */
export function isWithinRange(time: number, range: TimeRange, now: number): boolean {
  return time >= now - DAYS[range] * DAY_MS;
}
