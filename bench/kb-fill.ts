import { chunkEntry, normalizeEntry } from '../src/knowledge/entries/new-entry.ts';
import { dotProduct } from '../src/knowledge/ranking/smooth-by-neighbours.ts';
import type { EntryStore, PassageVector } from '../src/knowledge/store.ts';

/** Nearest vectors that are asked for. */
export const NEAREST = 10;

/** Puts entries and vectors in by the store itself, in large steps. */
export async function fill(
  store: EntryStore,
  owner: string,
  count: number,
  next: () => string,
  vector: () => Float32Array,
) {
  for (let done = 0; done < count; ) {
    const step = Math.min(1000, count - done);
    await store.insertEntries(
      await Promise.all(
        Array.from({ length: step }, async () => ({
          owner,
          entry: await chunkEntry(normalizeEntry({ text: next() }), 256),
        })),
      ),
    );
    const waiting = await store.listUnembedded(owner, 'stand-in', 3000);
    const vectors = waiting.map(({ place }): PassageVector => ({ place, vector: vector() }));
    await store.putVectors(owner, 'stand-in', (vectors.at(-1)?.place ?? 0) + 1, vectors);
    done += step;
  }
}

/** The nearest of all vectors to each query, read from the store so that no index has a part in it. */
export async function exact(store: EntryStore, queries: readonly Float32Array[]): Promise<number[][]> {
  const best = queries.map((): { place: number; similarity: number }[] => []);
  for (let from = 0; ; ) {
    const slice = await store.listVectors('ann', 'stand-in', from, 2000);
    const last = slice.at(-1);
    if (!last) return best.map((near) => near.map(({ place }) => place));
    for (const [i, query] of queries.entries()) {
      const near = slice.map(({ place, vector }) => ({ place, similarity: dotProduct(query, vector) }));
      const all = [...(best[i] ?? []), ...near].sort((a, b) => b.similarity - a.similarity);
      best[i] = all.slice(0, NEAREST);
    }
    from = last.place + 1;
  }
}
