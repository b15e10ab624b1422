import { createKeyedLock } from '../lib/keyed-lock.ts';
import type { Logger } from '../log.ts';
import { createIndexFiles } from './index-files.ts';
import { createIndexSync, type IndexSync, type LoadedIndex, MAX_STALE } from './index-sync.ts';
import { dot } from './smooth.ts';
import type { EntryStore, PlacedVector, Scored, Standing, Stretch } from './store.ts';
import type { Allowed, OpenVectorIndex } from './vector-index.ts';

export interface IndexesOptions {
  readonly store: EntryStore;
  readonly open: OpenVectorIndex;
  readonly model: string;
  readonly dimensions: number;
  readonly log: Pick<Logger, 'warn'>;
  /** Where large indexes are kept; undefined keeps none. */
  readonly folder?: string;
  /** Bytes of all loaded indexes; default 256 MB. The longest unused goes first. */
  readonly maxBytes?: number;
}

export interface Indexes {
  /** Nearest first. */
  findNearest(
    owner: string,
    vector: Float32Array,
    limit: number,
    within: ReadonlySet<number> | undefined,
    signal: AbortSignal,
  ): Promise<Scored[]>;
  /** Removes what is kept of an owner's vectors outside the store. */
  forgetOwner(owner: string): Promise<void>;
  close(): Promise<void>;
}

/** Passages of an owner that are read from the store at every query: as fast as from an index, and nothing to keep. */
const MAX_UNINDEXED = 400;
const MAX_BYTES = 256_000_000;
/** Part of an index that is new when it is saved again. */
const NEW_PART = 0.2;

/**
 * Indexes of owners' vectors, loaded when they are first asked for. What has changed since, by this process or
 * another, is seen by the owner's counters and caught up with before each search.
 */
export function createIndexes(options: IndexesOptions): Indexes {
  const { store, model } = options;
  const sync = createIndexSync(store, model);
  const cache = createIndexCache(options, sync);

  return {
    async findNearest(owner, vector, limit, within, signal) {
      const standing = await store.readStanding(owner, model);
      if (standing.embedded <= 1 || standing.searched === 0) return [];
      const hidden = await store.listHiddenPassages(owner);
      if (standing.searched <= MAX_UNINDEXED && hidden.length === 0) {
        return scan(await store.listVectors(owner, model, 0, MAX_UNINDEXED * 4), vector, limit, within);
      }
      const allowed = hidden.length === 0 ? within : visible(hidden, within);
      return cache.use(owner, standing, async (one) => {
        await sync.catchUp(owner, one, standing, hidden, signal);
        const near = one.index.findNearest(vector, limit + MAX_STALE, allowed);
        return near.map(({ id, similarity }) => ({ place: id, score: similarity }));
      });
    },
    forgetOwner: cache.forget,
    close: cache.close,
  };
}

/** Loaded indexes, within their bytes; one piece of work at a time for each owner. */
function createIndexCache(options: IndexesOptions, sync: Pick<IndexSync, 'dropRemoved'>) {
  const { store, open, model, dimensions, log, maxBytes = MAX_BYTES } = options;
  const files = createIndexFiles(options.folder, model);
  /** In order of use. */
  const loaded = new Map<string, LoadedIndex>();
  const lock = createKeyedLock();
  const isLoaded = (owner: string, one: LoadedIndex) => loaded.get(owner) === one;

  /** A graph takes minutes to build, so it is kept; one that is still being built is built again. */
  async function save(owner: string, one: LoadedIndex): Promise<void> {
    if (files.pathOf(owner) === undefined || one.index.kind !== 'graph') return;
    const standing = await store.readStanding(owner, model);
    if (standing.removals !== one.removals) await sync.dropRemoved(owner, one, standing);
    if (one.changes === 0) return;
    const { changes } = one;
    if (await files.saveIndex(owner, one.index)) one.changes -= changes;
  }

  /** Saved when it has been built, and when a good part of it is new. */
  function saveInTime(owner: string, one: LoadedIndex): void {
    if (one.saving || one.changes < one.index.size * NEW_PART) return;
    one.saving = one.index
      .settled()
      .then(() => (isLoaded(owner, one) ? save(owner, one) : undefined))
      .catch((err: unknown) => log.warn({ err }, 'an index of vectors could not be saved'))
      .finally(() => {
        one.saving = undefined;
      });
  }

  async function unload(owner: string, one: LoadedIndex): Promise<void> {
    loaded.delete(owner);
    await one.saving;
    try {
      await save(owner, one);
    } catch (err) {
      log.warn({ err }, 'an index of vectors could not be saved; it is rebuilt when it is needed');
    }
    one.index.close();
  }

  /** Unloads the longest unused beyond the bytes. */
  function bound(used: string): void {
    let bytes = 0;
    for (const { index } of loaded.values()) bytes += index.bytes;
    for (const [owner, one] of loaded) {
      if (bytes <= maxBytes || owner === used) continue;
      bytes -= one.index.bytes;
      // Not waited for: two owners would wait for each other.
      void lock.run(owner, async () => (isLoaded(owner, one) ? unload(owner, one) : undefined));
    }
  }

  async function obtain(owner: string, standing: Standing): Promise<LoadedIndex> {
    const known = loaded.get(owner);
    if (known) {
      loaded.delete(owner);
      loaded.set(owner, known);
      return known;
    }
    const index = await open({ dimensions, model }, files.pathOf(owner));
    // What was saved may lack some and have others: the first use finds both.
    const one = { index, below: 1, removals: index.size === 0 ? standing.removals : -1, changes: 0 };
    loaded.set(owner, one);
    return one;
  }

  return {
    use: <T>(owner: string, standing: Standing, work: (one: LoadedIndex) => Promise<T>): Promise<T> =>
      lock.run(owner, async () => {
        const one = await obtain(owner, standing);
        const result = await work(one);
        bound(owner);
        saveInTime(owner, one);
        return result;
      }),
    forget: (owner: string) =>
      lock.run(owner, async () => {
        const one = loaded.get(owner);
        loaded.delete(owner);
        await one?.saving;
        one?.index.close();
        await files.deleteIndex(owner);
      }),
    async close() {
      await lock.idle();
      for (const [owner, one] of [...loaded]) await unload(owner, one);
    },
  };
}

/** Allows passages that are not hidden, and within what is searched. */
function visible(hidden: readonly Stretch[], within: ReadonlySet<number> | undefined): Allowed {
  const places = new Set(
    hidden.flatMap(({ first, passages }) => Array.from({ length: passages }, (_, i) => first + i)),
  );
  return (place) => !places.has(place) && (within?.has(place) ?? true);
}

function scan(
  vectors: readonly PlacedVector[],
  query: Float32Array,
  limit: number,
  within: ReadonlySet<number> | undefined,
): Scored[] {
  return vectors
    .filter(({ place }) => within?.has(place) ?? true)
    .map(({ place, vector }) => ({ place, score: dot(query, vector) }))
    .sort((a, b) => b.score - a.score || b.place - a.place)
    .slice(0, limit);
}
