import type { SearchHit, SearchQuery, TimeRange } from './engine.ts';

const DAY = 24 * 3_600_000;
/** Days that a range is taken for: a date without a time may be a day off. */
const DAYS: Readonly<Record<TimeRange, number>> = { day: 2, week: 8, month: 32, year: 367 };

/**
 * Whether a hit is within the query's site and time, for engines that know no such filter or keep it badly.
 * A hit without a date passes: most engines give none. `now` is milliseconds since 1970.
 */
export function withinFilters({ site, timeRange }: SearchQuery, now: number): (hit: SearchHit) => boolean {
  const host = site?.toLowerCase().replace(/^www\./, '');
  const since = timeRange === undefined ? 0 : now - DAYS[timeRange] * DAY;
  return ({ url, published = now }) => {
    if (published < since) return false;
    if (host === undefined) return true;
    const { hostname } = new URL(url);
    return hostname === host || hostname.endsWith(`.${host}`);
  };
}
