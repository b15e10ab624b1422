import { isWithinRange } from '../../lib/time/date-range.ts';
import type { SearchHit, SearchQuery } from '../engine.ts';

/** Returns a filter for search hits by site and time range. A hit without a date passes the time range. */
export function createHitFilter(
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

function isUnder(hostname: string, host: string): boolean {
  return hostname === host || hostname.endsWith(`.${host}`);
}
