import type { KeyRecord } from '../types.ts';
import type { KeyStore } from './key-store.ts';

export type KeyCache = ReturnType<typeof createKeyCache>;

/** Maximum age in milliseconds of the cached version of the keys. Reading the version at every request would slow short calls. */
export const VERSION_MAX_AGE_MS = 10;
const MAX_KEYS = 10_000;

/** Caches active keys that were checked recently, so that not every request queries the database. */
export function createKeyCache(store: Pick<KeyStore, 'readVersion' | 'hasKeys'>) {
  const active = new Map<string, KeyRecord>();
  let version = '';
  let anyMade = false;
  /** Time at which the version was last read, by the monotonic clock. */
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
    /** Reads the store's version, which changes with every key, at most once per `VERSION_MAX_AGE_MS`. Drops outdated keys. */
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
    /** Returns the cached record of a key. The record is certainly current only directly after `refresh`. */
    get: (name: string) => active.get(name),
    /** Reads a record from the store. Caches it if `isActive` is true and no key was changed during the read. */
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
    /** Runs `work`, which changes keys, then empties the cache. The change then applies in this process at once. */
    async change<T>(work: () => Promise<T>): Promise<T> {
      try {
        return await work();
      } finally {
        // Empties the cache even after an error, because the database may have stored the change before the connection failed.
        forget();
        readAt = Number.NEGATIVE_INFINITY;
        reading = undefined;
      }
    },
  };
}
