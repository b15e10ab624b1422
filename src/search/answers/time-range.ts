import type { TimeRange } from '../engine.ts';

const DAYS: Readonly<Record<TimeRange, number>> = { day: 1, week: 7, month: 31, year: 365 };

export function startOfTimeRange(range: TimeRange, now = Date.now()): string {
  return new Date(now - DAYS[range] * 24 * 3_600_000).toISOString();
}
