import { isTimeout, withDeadline } from '../../lib/concurrency/deadline.ts';
import { createKeyedLock } from '../../lib/concurrency/keyed-lock.ts';
import type { Logger } from '../../log.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { EntryStore, OwnerCounters, PassageRange, PassageScore, PassageVector } from '../store.ts';
import { createIndexFiles } from './index-files.ts';
import { createPassageNumberSet, type PassageNumberSet, type PassageNumbers } from './passage-number-set.ts';
import { dotProduct } from './smooth-by-neighbours.ts';
import type { IndexSyncState, Neighbour, OpenVectorIndex, OwnerIndex } from './vector-index.ts';

export interface IndexesOptions {
  readonly store: EntryStore;
  readonly open: OpenVectorIndex;
  readonly embedder: Pick<Embedder, 'name' | 'dimensions'>;
  readonly log: Pick<Logger, 'warn'>;
  readonly folder?: string;
  readonly maxBytes?: number;
}

export type VectorIndexes = ReturnType<typeof createVectorIndexes>;

export const NO_INDEXES: VectorIndexes = {
  findNearest: async () => undefined,
  forgetOwner: async () => {},
  close: async () => {},
};

const MAX_UNINDEXED = 400;
const MAX_BYTES = 256_000_000;
/** Candidates per result of a bits index: 400 candidates contain 99% of the 100 nearest vectors. */
const CANDIDATES_PER_RESULT = 4;
const COMPARED_AT_ONCE = 150;
const NEW_PART = 0.2;
const OPEN_WAIT_MS = 2000;
const USABLE_PART = 0.8;
const CLOSE_SAVE_MS = 1000;

export function createVectorIndexes(options: IndexesOptions) {
  const { store, embedder } = options;
  const model = embedder.name;
  const sync = createIndexSync(store, model);
  const cache = createIndexCache(options, sync);

  async function compare(owner: string, near: readonly Neighbour[], vector: Float32Array, most: number) {
    const scored: PassageScore[] = [];
    for (let at = 0; at < near.length; at += COMPARED_AT_ONCE) {
      const places = near.slice(at, at + COMPARED_AT_ONCE).map(({ id }) => id);
      for (const [place, own] of await store.readVectors(owner, model, places)) {
        scored.push({ place, score: dotProduct(vector, own) });
      }
    }
    return scored.sort(byScore).slice(0, most);
  }

  return {
    async findNearest(
      owner: string,
      vector: Float32Array,
      limit: number,
      within: PassageNumbers | undefined,
      signal: AbortSignal,
    ): Promise<PassageScore[] | undefined> {
      const standing = await store.readStanding(owner, model);
      if (standing.embedded <= 1 || standing.searched === 0) return [];
      const hidden = await store.listHiddenPassages(owner);
      if (standing.searched <= MAX_UNINDEXED && hidden.length === 0) {
        return scan(await store.listVectors(owner, model, 0, MAX_UNINDEXED * 4), vector, limit, within);
      }
      const index = await cache.prepare(owner, standing, hidden, signal);
      if (!index) return undefined;
      const estimated = index.kind === 'bits';
      const wanted = limit * (estimated ? CANDIDATES_PER_RESULT : 1) + MAX_STALE_VECTORS;
      const near = await index.findNearest(vector, wanted, within, hidden);
      // Returns more results than `limit`, because the caller drops removed passages.
      if (estimated) return compare(owner, near, vector, limit + MAX_STALE_VECTORS);
      return near.map(({ id, similarity }) => ({ place: id, score: similarity }));
    },
    forgetOwner: cache.forget,
    close: cache.close,
  };
}

function createIndexSaves(
  { store, embedder, log, folder }: IndexesOptions,
  sync: Pick<IndexSync, 'dropRemoved'>,
) {
  const model = embedder.name;
  const files = createIndexFiles(folder, model);
  const warn = (err: unknown) =>
    log.warn({ err }, 'an index of vectors could not be saved; it is rebuilt when it is needed');

  async function save(owner: string, one: LoadedIndex): Promise<void> {
    if (files.pathOf(owner) === undefined || one.index.kind === 'exact') return;
    const standing = await store.readStanding(owner, model);
    if (standing.removals !== one.removals) await sync.dropRemoved(owner, one, standing);
    if (one.changes === 0) return;
    const { changes, below, removals, restores } = one;
    const followed = { below, removals, restores };
    if (await files.saveIndex(owner, one.index, followed)) one.changes -= changes;
  }

  return {
    files,
    saveInTime(owner: string, one: LoadedIndex, isLoaded: () => boolean): void {
      if (one.saving || one.changes < one.index.size * NEW_PART) return;
      one.saving = one.index
        .settled()
        .then(() => (isLoaded() ? save(owner, one) : undefined))
        .catch((error: unknown) => (isLoaded() ? warn(error) : undefined))
        .finally(() => {
          one.saving = undefined;
        });
    },
    async saveLast(owner: string, one: LoadedIndex): Promise<void> {
      await one.saving;
      await save(owner, one).catch(warn);
    },
  };
}

function createIndexCache(options: IndexesOptions, sync: IndexSync) {
  const { open, embedder, maxBytes = MAX_BYTES } = options;
  const { files, saveInTime, saveLast } = createIndexSaves(options, sync);
  const loaded = new Map<string, LoadedIndex>();
  const lock = createKeyedLock();
  const ending = new AbortController();
  const patience = createPatience();
  const isLoaded = (owner: string, one: LoadedIndex) => loaded.get(owner) === one;

  function bound(used: string): void {
    let bytes = 0;
    for (const { index } of loaded.values()) bytes += index.bytes;
    for (const [owner, one] of loaded) {
      if (bytes <= maxBytes || owner === used) continue;
      bytes -= one.index.bytes;
      // The unloading is not awaited: two owners that unload each other's index would wait forever.
      void lock.run(owner, async () => {
        if (!isLoaded(owner, one)) return;
        await saveLast(owner, one);
        loaded.delete(owner);
        one.index.close();
      });
    }
  }

  async function obtain(owner: string, standing: OwnerCounters): Promise<LoadedIndex> {
    const known = loaded.get(owner);
    if (known?.index.ended) loaded.delete(owner);
    else if (known) {
      loaded.delete(owner);
      loaded.set(owner, known);
      return known;
    }
    const { name: model, dimensions } = embedder;
    const index = await open({ dimensions, model, expected: standing.searched }, files.pathOf(owner));
    const one = { index, changes: 0, ...beginningOf(index, standing) };
    loaded.set(owner, one);
    return one;
  }

  function bringUp(
    owner: string,
    standing: OwnerCounters,
    hidden: readonly PassageRange[],
  ): Promise<OwnerIndex> {
    return lock.run(owner, async () => {
      ending.signal.throwIfAborted();
      const one = await obtain(owner, standing);
      await sync.catchUp(owner, one, standing, hidden, ending.signal);
      bound(owner);
      saveInTime(owner, one, () => isLoaded(owner, one));
      return one.index;
    });
  }

  return {
    async prepare(
      owner: string,
      standing: OwnerCounters,
      hidden: readonly PassageRange[],
      signal: AbortSignal,
    ): Promise<OwnerIndex | undefined> {
      const ready = await patience.wait(owner, bringUp(owner, standing, hidden), signal);
      if (ready) return ready;
      const index = loaded.get(owner)?.index;
      return index && index.size >= USABLE_PART * standing.searched ? index : undefined;
    },
    forget: (owner: string) =>
      lock.run(owner, async () => {
        const one = loaded.get(owner);
        loaded.delete(owner);
        // Closing the index stops a running build, so that saving does not wait for the build.
        one?.index.close();
        await one?.saving;
        await files.deleteIndex(owner);
      }),
    async close() {
      ending.abort(new Error('the indexes are being closed'));
      const save = () => lock.idle().then(() => Promise.all([...loaded].map((entry) => saveLast(...entry))));
      await withDeadline(new AbortController().signal, CLOSE_SAVE_MS, save).catch(() => {});
      for (const { index } of loaded.values()) index.close();
      loaded.clear();
    },
  };
}

function beginningOf({ size, followed }: OwnerIndex, standing: OwnerCounters): IndexSyncState {
  const { removals, restores } = standing;
  if (size === 0) return { below: 1, removals, restores };
  if (followed && followed.below <= standing.embedded && followed.removals <= removals) return followed;
  return { below: 1, removals: -1, restores };
}

function createPatience() {
  const working = new Map<string, { readonly since: number; count: number }>();
  return {
    async wait<T>(owner: string, work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
      const known = working.get(owner) ?? { since: performance.now(), count: 0 };
      working.set(owner, known);
      known.count++;
      const done = () => {
        if (--known.count === 0) working.delete(owner);
      };
      work.then(done, done);
      const left = Math.max(1, known.since + OPEN_WAIT_MS - performance.now());
      try {
        return await withDeadline(signal, left, () => work);
      } catch (error) {
        if (isTimeout(error)) return undefined;
        throw error;
      }
    },
  };
}

const byScore = (a: PassageScore, b: PassageScore) => b.score - a.score || b.place - a.place;

function scan(
  vectors: readonly PassageVector[],
  query: Float32Array,
  limit: number,
  within: PassageNumbers | undefined,
): PassageScore[] {
  return vectors
    .filter(({ place }) => within?.has(place) ?? true)
    .map(({ place, vector }) => ({ place, score: dotProduct(query, vector) }))
    .sort(byScore)
    .slice(0, limit);
}

interface LoadedIndex {
  readonly index: OwnerIndex;
  /** All passages with numbers below this one have been read from the store. */
  below: number;
  removals: number;
  restores: number;
  changes: number;
  saving?: Promise<void>;
}

type IndexSync = ReturnType<typeof createIndexSync>;
const VECTORS_AT_ONCE = 1000;
const PLACES_AT_ONCE = 10_000;
const MAX_STALE_VECTORS = 50;

function createIndexSync(store: EntryStore, model: string) {
  async function* missing(owner: string, one: LoadedIndex, standing: OwnerCounters) {
    const { embedded } = standing;
    if (one.below === 1 && one.index.size > 0) {
      yield* notKept(owner, one, standing);
      return;
    }
    while (one.below < embedded) {
      const slice = await store.listVectors(owner, model, one.below, VECTORS_AT_ONCE);
      for (const { place, vector } of slice) {
        if (one.index.has(place)) continue;
        yield [place, vector] as const;
        one.changes++;
      }
      const last = slice.at(-1);
      one.below = last && slice.length === VECTORS_AT_ONCE ? last.place + 1 : embedded;
    }
  }

  /** Yields only the vectors that the index lacks, because a saved index has nearly all. */
  async function* notKept(owner: string, one: LoadedIndex, { embedded }: OwnerCounters) {
    const lacking: number[] = [];
    for (const place of await listLivePlaces(owner, undefined)) {
      if (place < embedded && !one.index.has(place)) lacking.push(place);
    }
    for (let at = 0; at < lacking.length; at += VECTORS_AT_ONCE) {
      const slice = await store.readVectors(owner, model, lacking.slice(at, at + VECTORS_AT_ONCE));
      for (const placed of slice) {
        yield placed;
        one.changes++;
      }
    }
    one.below = embedded;
  }

  async function listLivePlaces(owner: string, signal: AbortSignal | undefined): Promise<PassageNumberSet> {
    const live = createPassageNumberSet();
    for (let from = 1; ; ) {
      const places = await store.listPlaces(owner, from, PLACES_AT_ONCE);
      for (const place of places) live.add(place);
      const last = places.at(-1);
      if (last === undefined || places.length < PLACES_AT_ONCE) return live;
      from = last + 1;
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    }
  }

  async function dropRemoved(owner: string, one: LoadedIndex, standing: OwnerCounters, signal?: AbortSignal) {
    const live = await listLivePlaces(owner, signal);
    const gone = [...one.index.ids()].filter((place) => !live.has(place));
    for (const [at, place] of gone.entries()) {
      if (one.index.remove(place)) one.changes++;
      if (at % PLACES_AT_ONCE !== PLACES_AT_ONCE - 1) continue;
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    }
    one.removals = standing.removals;
  }

  return {
    dropRemoved,
    async catchUp(
      owner: string,
      one: LoadedIndex,
      standing: OwnerCounters,
      hidden: readonly PassageRange[],
      signal: AbortSignal,
    ): Promise<void> {
      const { index } = one;
      if (one.restores !== standing.restores) [one.below, one.restores] = [1, standing.restores];
      if (one.below < standing.embedded) await index.addMany(missing(owner, one, standing), signal);
      const unseen = hidden.reduce((sum, { passages }) => sum + passages, 0);
      const stale = index.size - standing.searched - unseen;
      const few =
        one.removals >= 0 &&
        standing.removals - one.removals <= MAX_STALE_VECTORS &&
        stale <= MAX_STALE_VECTORS;
      if (!few) await dropRemoved(owner, one, standing, signal);
    },
  };
}
