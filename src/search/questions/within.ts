import { isWithinRange } from '../../lib/time/date-range.ts';
import type { SearchHit, SearchQuery } from '../engine.ts';

/**
 * Returns a predicate for hits that match the query's sites and time range, for engines without such filters or with unreliable
 * ones. Hits without a date pass, because most engines give none. `now` is in milliseconds since 1970.
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

/** True if a host equals `host` or is a subdomain of it. */
function isUnder(hostname: string, host: string): boolean {
  return hostname === host || hostname.endsWith(`.${host}`);
}
