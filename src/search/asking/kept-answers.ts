import Keyv from 'keyv';
import { BoundedMap } from '../../lib/concurrency/bounded-map.ts';
import type { SearchHit } from '../engine.ts';

/** Milliseconds that an engine's answer serves again: a question asked again, with other reading options. */
const LIFETIME_MS = 10 * 60_000;
/** Answers kept; one is some 15 kB. */
const MAX_ANSWERS = 200;

/** Engines' answers for a short while, by any text as key. */
export interface KeptAnswers {
  get(key: string): Promise<readonly SearchHit[] | undefined>;
  put(key: string, hits: readonly SearchHit[]): Promise<void>;
}

/** In memory, the least recently used dropped first. Serialised, so that no answer's whole page stays behind it. */
export function createKeptAnswers(lifetime = LIFETIME_MS, most = MAX_ANSWERS): KeptAnswers {
  const keyv = new Keyv<readonly SearchHit[]>({ store: new BoundedMap(most), ttl: lifetime });
  // Its failures come as this event; an answer that is not kept is fetched again.
  keyv.on('error', () => {});
  return {
    get: (key) => keyv.get(key),
    async put(key, hits) {
      await keyv.set(key, hits);
    },
  };
}
