import type { EntryStore, OwnerCounters, PassageRange } from '../store.ts';
import { createPassageNumberSet, type PassageNumberSet } from './passage-number-set.ts';
import type { OwnerIndex } from './vector-index.ts';

export interface LoadedIndex {
  readonly index: OwnerIndex;
  /** Number of the first passage that has not been read from the store yet. */
  below: number;
  removals: number;
  restores: number;
  changes: number;
  saving?: Promise<void>;
}

export type IndexSync = ReturnType<typeof createIndexSync>;
const VECTORS_AT_ONCE = 1000;
const PLACES_AT_ONCE = 10_000;
export const MAX_STALE_VECTORS = 50;

export function createIndexSync(store: EntryStore, model: string) {
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

  /** Yields only the vectors that the index lacks, because a saved index has nearly all vectors. */
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

  async function dropRemoved(
    owner: string,
    one: LoadedIndex,
    standing: OwnerCounters,
    signal?: AbortSignal,
  ): Promise<void> {
    const live = await listLivePlaces(owner, signal);
    const gone: number[] = [];
    for (const place of one.index.ids()) if (!live.has(place)) gone.push(place);
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
