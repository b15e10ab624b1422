import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../log.ts';
import type { EntryStore, PlacedVector, Scored, Standing, Stretch } from './store.ts';
import type { Allowed, GrowingIndex, OpenVectorIndex } from './vector-index.ts';

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

interface Loaded {
  readonly index: GrowingIndex;
  /** Places below it have been looked at. */
  below: number;
  removals: number;
  /** Vectors added and removed since it was kept. */
  changes: number;
  keeping?: Promise<void>;
}

/** Passages of an owner that are read from the store at every query: as fast as from an index, and nothing to keep. */
const SMALL = 400;
const MAX_BYTES = 256_000_000;
/** Vectors that are read in one step: about 10 ms. */
const SLICE = 2000;
/** Part of an index that is new when it is kept again. */
const NEW_PART = 0.2;
/** Removed passages that may stay in an index before it is put right. */
const STALE = 50;

/**
 * Indexes of owners' vectors, loaded when they are first asked for. What has changed since, by this process or
 * another, is seen by the owner's counters and caught up with before each search.
 */
export function createIndexes(options: IndexesOptions): Indexes {
  const { store, open, model, dimensions, log, folder, maxBytes = MAX_BYTES } = options;
  /** In order of use. */
  const loaded = new Map<string, Loaded>();
  const turns = new Map<string, Promise<unknown>>();

  /** Owners' names may be anything; a file's may not. */
  function pathOf(owner: string): string | undefined {
    if (folder === undefined) return undefined;
    return join(folder, createHash('sha256').update(`${model}\n${owner}`).digest('hex').slice(0, 32));
  }

  /** A graph takes minutes to make, so it is kept; what is still being made is made again. */
  async function keep(owner: string, one: Loaded): Promise<void> {
    const path = pathOf(owner);
    if (folder === undefined || path === undefined || one.index.kind !== 'graph') return;
    const standing = await store.readStanding(owner, model);
    if (standing.removals !== one.removals) await dropRemoved(owner, one, standing);
    if (one.changes === 0) return;
    const { changes } = one;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (await one.index.save(path)) one.changes -= changes;
  }

  /** Kept when it has been made, and when a good part of it is new. */
  function keepInTime(owner: string, one: Loaded): void {
    if (one.keeping || one.changes < one.index.size * NEW_PART) return;
    one.keeping = one.index
      .settled()
      .then(async () => loaded.get(owner) === one && keep(owner, one))
      .then(
        () => {},
        (err: unknown) => log.warn({ err }, 'an index of vectors could not be kept'),
      )
      .finally(() => {
        delete one.keeping;
      });
  }

  async function letGo(owner: string, one: Loaded): Promise<void> {
    loaded.delete(owner);
    await one.keeping;
    try {
      await keep(owner, one);
    } catch (err) {
      log.warn({ err }, 'an index of vectors could not be kept; it is made anew when it is needed');
    }
    one.index.close();
  }

  function bound(used: string): void {
    let bytes = 0;
    for (const { index } of loaded.values()) bytes += index.bytes;
    for (const [owner, one] of loaded) {
      if (bytes <= maxBytes || owner === used) continue;
      bytes -= one.index.bytes;
      // Not waited for: two owners would wait for each other.
      void inTurn(owner, async () => loaded.get(owner) === one && letGo(owner, one));
    }
  }

  async function obtain(owner: string, standing: Standing): Promise<Loaded> {
    const known = loaded.get(owner);
    if (known) {
      loaded.delete(owner);
      loaded.set(owner, known);
      return known;
    }
    const index = await open({ dimensions, model }, pathOf(owner));
    // What was kept may lack some and have others: both are looked for at the first use.
    const one: Loaded = {
      index,
      below: 1,
      removals: index.size === 0 ? standing.removals : -1,
      changes: 0,
    };
    loaded.set(owner, one);
    return one;
  }

  async function catchUp(
    owner: string,
    one: Loaded,
    standing: Standing,
    hidden: readonly Stretch[],
    signal: AbortSignal,
  ): Promise<void> {
    const { index } = one;
    if (one.below < standing.embedded) await index.addMany(missing(owner, one, standing), signal);
    const unseen = hidden.reduce((sum, { passages }) => sum + passages, 0);
    const stale = index.size - standing.searched - unseen;
    const few = one.removals >= 0 && standing.removals - one.removals <= STALE && stale <= STALE;
    if (!few) await dropRemoved(owner, one, standing, signal);
  }

  /** Vectors that are not in the index yet, as they are read. */
  async function* missing(owner: string, one: Loaded, { embedded }: Standing) {
    while (one.below < embedded) {
      const slice = await store.listVectors(owner, model, one.below, SLICE);
      for (const { place, vector } of slice) {
        if (one.index.has(place)) continue;
        yield [place, vector] as const;
        one.changes++;
      }
      const last = slice.at(-1);
      one.below = last && slice.length === SLICE ? last.place + 1 : embedded;
    }
  }

  async function dropRemoved(
    owner: string,
    one: Loaded,
    standing: Standing,
    signal?: AbortSignal,
  ): Promise<void> {
    const live = await livePlaces(owner, signal);
    for (const place of [...one.index.ids()]) {
      if (!live.has(place) && one.index.remove(place)) one.changes++;
    }
    one.removals = standing.removals;
  }

  async function livePlaces(owner: string, signal?: AbortSignal): Promise<Set<number>> {
    const live = new Set<number>();
    for (let from = 1; ; ) {
      const places = await store.listPlaces(owner, from, SLICE * 5);
      for (const place of places) live.add(place);
      const last = places.at(-1);
      if (last === undefined || places.length < SLICE * 5) return live;
      from = last + 1;
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    }
  }

  /** One at a time for each owner. */
  function inTurn<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const turn = (turns.get(owner) ?? Promise.resolve()).then(work, work);
    turns.set(owner, turn);
    const done = () => {
      if (turns.get(owner) === turn) turns.delete(owner);
    };
    turn.then(done, done);
    return turn;
  }

  return {
    async findNearest(owner, vector, limit, within, signal) {
      const standing = await store.readStanding(owner, model);
      if (standing.embedded <= 1 || standing.searched === 0) return [];
      const hidden = await store.listHiddenPassages(owner);
      if (standing.searched <= SMALL && hidden.length === 0) {
        return scan(await store.listVectors(owner, model, 0, SMALL * 4), vector, limit, within);
      }
      const allowed = hidden.length === 0 ? within : shown(hidden, within);
      return inTurn(owner, async () => {
        const one = await obtain(owner, standing);
        await catchUp(owner, one, standing, hidden, signal);
        const near = one.index.findNearest(vector, limit + STALE, allowed);
        bound(owner);
        keepInTime(owner, one);
        return near.map(({ id, similarity }) => ({ place: id, score: similarity }));
      });
    },
    forgetOwner(owner) {
      return inTurn(owner, async () => {
        const one = loaded.get(owner);
        loaded.delete(owner);
        await one?.keeping;
        one?.index.close();
        const path = pathOf(owner);
        if (path === undefined) return;
        await Promise.all(['graph', 'labels'].map((end) => rm(`${path}.${end}`, { force: true })));
      });
    },
    async close() {
      await Promise.allSettled(turns.values());
      for (const [owner, one] of [...loaded]) await letGo(owner, one);
    },
  };
}

/** Passages that are somebody's, and within what is looked at. */
function shown(hidden: readonly Stretch[], within: ReadonlySet<number> | undefined): Allowed {
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

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
