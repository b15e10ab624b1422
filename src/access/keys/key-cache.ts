import type { KeyRecord } from '../types.ts';
import type { KeyStore } from './key-store.ts';

/**
 * Active keys that were checked a moment ago, so that not every request asks the database, and whether a key was ever
 * made. Both are valid as long as no process has changed a key.
 */
export interface KeyCache {
  /**
   * Brings the cache up to date: at once where the version of the keys was read less than `VERSION_MAX_AGE_MS` ago,
   * otherwise by one read of it, which all requests that come meanwhile share.
   */
  refresh(): Promise<void> | undefined;
  /** The record remembered under this name. Without a wait after `refresh`, it is the present one. */
  get(name: string): KeyRecord | undefined;
  /**
   * Reads a record from the store, and remembers it where `isActive` says so, unless keys were changed while it was
   * read.
   */
  load<Found extends { readonly key: KeyRecord }>(
    name: string,
    read: () => Promise<Found | undefined>,
    isActive: (key: KeyRecord) => boolean,
  ): Promise<Found | undefined>;
  /** Whether a key was ever made, as of the last `refresh`. */
  anyMade(): boolean;
  /** Runs a change by this process and forgets what is remembered, so that the change applies at once. */
  change<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Milliseconds within which a process sees what another one changed. Asking the database costs as much as a fifth of the
 * smallest call, so it is not done for each; a command that changes a key waits this long before it reports success.
 */
export const VERSION_MAX_AGE_MS = 10;
/** Active keys remembered. */
const MAX_KEYS = 10_000;

export function createKeyCache(store: Pick<KeyStore, 'readVersion' | 'hasKeys'>): KeyCache {
  const active = new Map<string, KeyRecord>();
  let version = '';
  let anyMade = false;
  /** Of a clock that cannot be set: timers may be late where there is much to do. */
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  /** Grows with every change: what was read before one must not be remembered after it. */
  let generation = 0;

  function forget(): void {
    generation++;
    active.clear();
  }

  async function readVersion(): Promise<void> {
    const before = generation;
    const startedAt = performance.now();
    const present = await store.readVersion();
    // True whatever changes while it is read: keys are never deleted.
    if (!anyMade && present !== version && (await store.hasKeys())) anyMade = true;
    // A change by this process while it was read: the next request reads again.
    if (generation !== before) return;
    if (present !== version) forget();
    else if (active.size >= MAX_KEYS) active.clear();
    version = present;
    readAt = startedAt;
  }

  return {
    refresh() {
      if (performance.now() - readAt < VERSION_MAX_AGE_MS) return undefined;
      if (!reading) {
        const own = readVersion().finally(() => {
          if (reading === own) reading = undefined;
        });
        reading = own;
      }
      return reading;
    },
    get: (name) => active.get(name),
    async load(name, read, isActive) {
      const before = generation;
      const found = await read();
      if (found && generation === before && isActive(found.key)) active.set(name, found.key);
      return found;
    },
    anyMade: () => anyMade,
    async change(work) {
      try {
        return await work();
      } finally {
        // Also after an error: a commit whose answer was lost may have been made.
        forget();
        readAt = Number.NEGATIVE_INFINITY;
        reading = undefined;
      }
    },
  };
}
