import type { KeyRecord } from '../types.ts';
import type { KeyStore } from './key-store.ts';

export type KeyCache = ReturnType<typeof createKeyCache>;

/** Keys are cached. After this time, the next request first checks whether any key has changed. */
export const KEY_CACHE_MAX_AGE_MS = 10;
const MAX_KEYS = 10_000;

export function createKeyCache(store: Pick<KeyStore, 'readVersion' | 'hasKeys'>) {
  const active = new Map<string, KeyRecord>();
  let version = '';
  let anyMade = false;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  /** Number of changes so far. A record that was read before a change must not be cached after the change. */
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
    if (generation !== before) return;
    if (present !== version) forget();
    else if (active.size >= MAX_KEYS) active.clear();
    version = present;
    readAt = startedAt;
  }

  return {
    refresh(): Promise<void> | undefined {
      if (performance.now() - readAt < KEY_CACHE_MAX_AGE_MS) return undefined;
      if (!reading) {
        const own = readVersion().finally(() => {
          if (reading === own) reading = undefined;
        });
        reading = own;
      }
      return reading;
    },
    get: (name: string) => active.get(name),
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
    async change<T>(work: () => Promise<T>): Promise<T> {
      try {
        return await work();
      } finally {
        // Clears the cache after an error too: the database may have stored the change before the error.
        forget();
        readAt = Number.NEGATIVE_INFINITY;
        reading = undefined;
      }
    },
  };
}
