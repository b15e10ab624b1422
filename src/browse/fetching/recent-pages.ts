import { BoundedMap } from '../../lib/concurrency/bounded-map.ts';
import type { Page } from '../reading/page.ts';
import type { ReadOptions } from '../types.ts';

/** Milliseconds for which a page serves again: a question asked once more, in other words or for more pages. */
const LIFETIME_MS = 10 * 60_000;
/** Pages that are kept, and the characters of a page that is: 13 million together, and their links. */
const MAX_PAGES = 64;
const MAX_CHARS = 200_000;
const MAX_LINKS = 2000;

type Asked = Pick<ReadOptions, 'owner' | 'recent' | 'fresh'>;

/** Pages as they were read, for a short while. */
export interface RecentPages {
  /** The page, where a recent one serves whom it is asked for. */
  get(url: string, asked: Asked): Page | undefined;
  put(url: string, page: Page, asked: Asked): void;
}

/** In memory, each for its owner alone, the least recently used dropped first. */
export function createRecentPages(now: () => number = Date.now): RecentPages {
  const kept = new BoundedMap<{ readonly page: Page; readonly readAt: number }>(MAX_PAGES);
  const keyOf = (owner: string, url: string) => JSON.stringify([owner, url]);
  return {
    get(url, { owner, recent, fresh }) {
      if (owner === undefined || !recent || fresh) return undefined;
      const key = keyOf(owner, url);
      const found = kept.get(key);
      if (found && now() - found.readAt < LIFETIME_MS) return found.page;
      kept.delete(key);
      return undefined;
    },
    put(url, page, { owner, fresh }) {
      const isLong = page.markdown.length > MAX_CHARS || (page.links?.length ?? 0) > MAX_LINKS;
      if (owner !== undefined && !fresh && !isLong) kept.set(keyOf(owner, url), { page, readAt: now() });
    },
  };
}
