import { BoundedMap } from '../../lib/concurrency/bounded-map.ts';
import type { Page } from '../reading/page.ts';
import type { FetchAndReadOptions } from '../types.ts';

const LIFETIME_MS = 10 * 60_000;
/** The cache holds up to `MAX_PAGES` pages. Pages above `MAX_CHARS` or `MAX_LINKS` are not cached. */
const MAX_PAGES = 64;
const MAX_CHARS = 200_000;
const MAX_LINKS = 2000;

type RecencyOptions = Pick<FetchAndReadOptions, 'owner' | 'recent' | 'fresh'>;

export function createRecentPageCache(now: () => number = Date.now) {
  const kept = new BoundedMap<{ readonly page: Page; readonly readAt: number }>(MAX_PAGES);
  const keyOf = (owner: string, url: string) => JSON.stringify([owner, url]);
  return {
    get(url: string, { owner, recent, fresh }: RecencyOptions): Page | undefined {
      if (owner === undefined || !recent || fresh) return undefined;
      const key = keyOf(owner, url);
      const found = kept.get(key);
      if (found && now() - found.readAt < LIFETIME_MS) return found.page;
      kept.delete(key);
      return undefined;
    },
    put(url: string, page: Page, { owner, fresh }: RecencyOptions): void {
      const isLong = page.markdown.length > MAX_CHARS || (page.links?.length ?? 0) > MAX_LINKS;
      if (owner !== undefined && !fresh && !isLong) kept.set(keyOf(owner, url), { page, readAt: now() });
    },
  };
}
