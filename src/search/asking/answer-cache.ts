import Keyv from 'keyv';
import { BoundedMap } from '../../lib/concurrency/bounded-map.ts';
import type { SearchHit } from '../engine.ts';

const LIFETIME_MS = 10 * 60_000;
const MAX_ANSWERS = 200;

export interface AnswerCache {
  get(key: string): Promise<readonly SearchHit[] | undefined>;
  put(key: string, hits: readonly SearchHit[]): Promise<void>;
}

/** Creates an in-memory LRU cache. Hits are stored serialized, because a hit may hold the text of a whole page. */
export function createAnswerCache(lifetimeMs = LIFETIME_MS, maxAnswers = MAX_ANSWERS): AnswerCache {
  const keyv = new Keyv<readonly SearchHit[]>({ store: new BoundedMap(maxAnswers), ttl: lifetimeMs });
  // A missing answer is fetched again, so failures are ignored.
  keyv.on('error', () => {});
  return {
    get: (key) => keyv.get(key),
    async put(key, hits) {
      await keyv.set(key, hits);
    },
  };
}
