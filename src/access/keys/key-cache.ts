import type { KeyRecord } from '../types.ts';
import type { KeyStore } from './key-store.ts';

export type KeyCache = ReturnType<typeof createKeyCache>;

/** Maximum age of the cached version of the keys, in milliseconds. Reading it at every request would slow short calls. */
export const VERSION_MAX_AGE_MS = 10;
const MAX_KEYS = 10_000;

/** Caches active keys that were checked recently, so that not every request queries the database. */
export function createKeyCache(store: Pick<KeyStore, 'readVersion' | 'hasKeys'>) {
  const active = new Map<string, KeyRecord>();
  let version = '';
  let anyMade = false;
  /** Time of the last read by the monotonic clock. A timer may fire late under load. */
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  /** Number of changes of keys so far. A record that was read before a change must not be cached after the change. */
  let generation = 0;

  function forget(): void {
    generation++;
    active.clear();
  }

  async function readVersion(): Promise<void> {
    const before = generation;
    const startedAt = performance.now();
    const present = await store.readVersion();
    if (!anyMade && present !== version && (await store.hasKeys())) anyMade = true;
    // Does not cache the version if this process changed a key during the read. The next request reads the version again.
    if (generation !== before) return;
    if (present !== version) forget();
    else if (active.size >= MAX_KEYS) active.clear();
    version = present;
    readAt = startedAt;
  }

  return {
    /** Reads the version of the keys, at most once per `VERSION_MAX_AGE_MS`, and drops the cached keys if it changed. */
    refresh(): Promise<void> | undefined {
      if (performance.now() - readAt < VERSION_MAX_AGE_MS) return undefined;
      if (!reading) {
        const own = readVersion().finally(() => {
          if (reading === own) reading = undefined;
        });
        reading = own;
      }
      return reading;
    },
    /** Returns the cached record; it is current only if nothing was awaited since `refresh`. */
    get: (name: string) => active.get(name),
    /** Reads a record from the store; caches it if `isActive` is true, unless a key was changed during the read. */
    async load<Found extends { readonly key: KeyRecord }>(
      name: string,
      read: () => Promise<Found | undefined>,
      isActive: (key: KeyRecord) => boolean,
    ): Promise<Found | undefined> {
      const before = generation;
      const found = await read();
      if (found && generation === before && isActive(found.key)) active.set(name, found.key);
      return found;
    },
    anyMade: () => anyMade,
    /** Runs a change by this process and empties the cache, so that the change applies at once. */
    async change<T>(work: () => Promise<T>): Promise<T> {
      try {
        return await work();
      } finally {
        // Empties the cache after an error too, because the database may have committed the change although its answer was lost.
        forget();
        readAt = Number.NEGATIVE_INFINITY;
        reading = undefined;
      }
    },
  };
}
