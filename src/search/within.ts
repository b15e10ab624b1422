import { isWithinRange } from '../lib/date-range.ts';
import type { SearchHit, SearchQuery } from './engine.ts';

/**
 * Whether a hit is within the query's site and time, for engines that know no such filter or keep it badly.
 * A hit without a date passes: most engines give none. `now` is milliseconds since 1970.
 */
export function withinFilters({ site, timeRange }: SearchQuery, now: number): (hit: SearchHit) => boolean {
  const host = site?.toLowerCase().replace(/^www\./, '');
  return ({ url, published = now }) => {
    if (timeRange && !isWithinRange(published, timeRange, now)) return false;
    if (host === undefined) return true;
    const { hostname } = new URL(url);
    return hostname === host || hostname.endsWith(`.${host}`);
  };
}
