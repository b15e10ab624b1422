import Keyv from 'keyv';
import { BoundedMap } from '../../lib/concurrency/bounded-map.ts';
import type { SearchHit } from '../engine.ts';

/** Time in milliseconds for which an engine's answer is cached and reused for the same question. */
const LIFETIME_MS = 10 * 60_000;
/** Maximum number of cached answers. An answer has about 15 kB. */
const MAX_ANSWERS = 200;

export interface AnswerCache {
  get(key: string): Promise<readonly SearchHit[] | undefined>;
  put(key: string, hits: readonly SearchHit[]): Promise<void>;
}

/** Creates an in-memory LRU cache. Hits are stored serialized, because a hit may refer to the text of a whole page. */
export function createAnswerCache(lifetimeMs = LIFETIME_MS, maxAnswers = MAX_ANSWERS): AnswerCache {
  const keyv = new Keyv<readonly SearchHit[]>({ store: new BoundedMap(maxAnswers), ttl: lifetimeMs });
  // Keyv reports failures by this event. Failures are ignored, because a missing answer is simply fetched again.
  keyv.on('error', () => {});
  return {
    get: (key) => keyv.get(key),
    async put(key, hits) {
      await keyv.set(key, hits);
    },
  };
}
