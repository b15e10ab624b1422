import { isWithinRange } from '../../lib/time/date-range.ts';
import type { SearchHit, SearchQuery } from '../engine.ts';

/**
 * Whether a hit is within the query's sites and time, for engines that know no such filter or keep it badly.
 * A hit without a date passes: most engines give none. `now` is milliseconds since 1970.
 */
export function withinFilters(
  { site, excludeSite = [], timeRange }: SearchQuery,
  now: number,
): (hit: SearchHit) => boolean {
  return ({ url, host, published = now }) => {
    if (timeRange && !isWithinRange(published, timeRange, now)) return false;
    if (site === undefined && excludeSite.length === 0) return true;
    const hostname = (host ?? new URL(url).hostname).replace(/\.$/, '');
    if (excludeSite.some((host) => isUnder(hostname, host))) return false;
    return site === undefined || site.some((host) => isUnder(hostname, host));
  };
}

/** Whether a host is the given one or one under it. */
function isUnder(hostname: string, host: string): boolean {
  return hostname === host || hostname.endsWith(`.${host}`);
}
