import type { Logger } from '../log.ts';
import { createCrawlDesk } from './crawl-desk.ts';
import { type MapParts, makeMap } from './site-map.ts';
import type { Indexer, SiteMap, Sites } from './types.ts';

export interface SitesOptions extends MapParts {
  /** What crawls fill. AppError `unavailable` where the local index is switched off. */
  readonly indexer: () => Promise<Indexer>;
  readonly log: Logger;
}

/** Maps that are kept, so that their further parts are those of one map; each has 10,000 addresses at most. */
const MAX_KEPT = 16;
/** Milliseconds for which a map is kept. */
const KEEP_MS = 600_000;

export function createSites(own: SitesOptions): Sites {
  const kept = new Map<string, { readonly map: SiteMap; readonly until: number }>();
  return {
    ...createCrawlDesk(own.indexer, own.log),
    async mapSite(owner, address, mayBeKept, options) {
      const key = JSON.stringify([owner, address]);
      const known = kept.get(key);
      if (mayBeKept && known && known.until > Date.now()) return known.map;
      const map = await makeMap(address, { ...own, ...options, owner });
      kept.delete(key);
      kept.set(key, { map, until: Date.now() + KEEP_MS });
      const [oldest] = kept.keys();
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
      return map;
    },
  };
}
