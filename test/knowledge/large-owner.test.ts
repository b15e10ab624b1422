import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { chunkEntry, normalizeEntry } from '../../src/knowledge/entries/new-entry.ts';
import { openGrowingIndex } from '../../src/knowledge/indexes/growing.ts';
import { createVectorIndexes } from '../../src/knowledge/ranking/indexes.ts';
import { dotProduct } from '../../src/knowledge/ranking/smooth-by-neighbours.ts';
import type { OwnerIndex } from '../../src/knowledge/ranking/vector-index.ts';
import type { EntryStore } from '../../src/knowledge/store.ts';
import { createEntryStore } from '../../src/knowledge/stores/entry-store.ts';
import { createLog } from '../../src/log.ts';
import { openTestDatabase } from '../helpers/test-database.ts';
import { clustered, seeded } from '../helpers/vectors.ts';
import { createWordEmbedder } from '../helpers/word-embedder.ts';

/** An owner with so many passages that vectors are kept as bits; here that are 600. */

const signal = AbortSignal.timeout(300_000);
const DIMENSIONS = 128;
const embedder = createWordEmbedder({ dimensions: DIMENSIONS });
const vectors = clustered(800, DIMENSIONS, 20, seeded(4));
const vector = (at: number) => vectors[at] ?? new Float32Array(DIMENSIONS);
const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-large-'));
  const db = await openTestDatabase({ folder });
  closers.push(() => {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const store = createEntryStore(db);
  const add = async (from: number, to: number) => {
    const texts = Array.from({ length: to - from }, (_, i) => `passage ${from + i}`);
    const entries = await Promise.all(texts.map((text) => chunkEntry(normalizeEntry({ text }), 256)));
    await store.insertEntries(entries.map((entry) => ({ owner: 'ann', entry })));
    const placed = texts.map((_, i) => ({ place: from + i + 1, vector: vector(from + i) }));
    await store.putVectors('ann', embedder.name, to + 1, placed);
  };
  await add(0, 600);
  return { store, add, folder: join(folder, 'indexes') };
}

/** Indexes as after a start, and how many vectors they have read to be built. */
function start(of: EntryStore, folder: string) {
  let read = 0;
  const opened: OwnerIndex[] = [];
  const store: EntryStore = {
    ...of,
    async listVectors(...args) {
      const some = await of.listVectors(...args);
      read += some.length;
      return some;
    },
  };
  const openIndex: typeof openGrowingIndex = async (options, path) => {
    const index = await openGrowingIndex({ ...options, threshold: 450, mostInGraph: 450 }, path);
    opened.push(index);
    return index;
  };
  const indexes = createVectorIndexes({ store, open: openIndex, embedder, log: createLog('silent'), folder });
  closers.push(() => indexes.close());
  return { indexes, opened, read: () => read };
}

async function kept(folder: string): Promise<string> {
  for (;;) {
    signal.throwIfAborted();
    try {
      const [name] = readdirSync(folder).filter((one) => /^[0-9a-f]+\.bits$/.test(one));
      if (name) return join(folder, name);
    } catch {}
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('a search by bits agrees with the vectors, and returns their cosines', async () => {
  const { store, folder } = await open();
  const { indexes, opened } = start(store, folder);
  await indexes.findNearest('ann', vector(0), 10, undefined, signal);
  await opened[0]?.settled();
  expect(opened[0]?.kind).toBe('bits');
  for (const at of [3, 300, 599]) {
    const found = await indexes.findNearest('ann', vector(at), 10, undefined, signal);
    expect(found?.[0]?.place).toBe(at + 1);
    for (const { place, score } of found ?? []) {
      expect(score).toBeCloseTo(dotProduct(vector(at), vector(place - 1)), 2);
    }
    const some = await indexes.findNearest('ann', vector(at), 10, new Set([1, 2, 700]), signal);
    expect(some?.map(({ place }) => place).toSorted()).toEqual([1, 2]);
  }
});

test('after a restart the index is loaded, and only later changes are read', async () => {
  const { store, add, folder } = await open();
  const before = start(store, folder);
  await before.indexes.findNearest('ann', vector(0), 10, undefined, signal);
  await kept(folder);
  await before.indexes.close();
  await add(600, 640);
  const after = start(store, folder);
  const found = await after.indexes.findNearest('ann', vector(620), 10, undefined, signal);
  expect([after.opened[0]?.kind, found?.[0]?.place, after.read()]).toEqual(['bits', 621, 40]);
});

test('removed entries are not found, and restored ones are, also after a restart', async () => {
  const { store, folder } = await open();
  const before = start(store, folder);
  const best = async ({ indexes }: typeof before) =>
    (await indexes.findNearest('ann', vector(7), 1, undefined, signal))?.[0]?.place;
  expect(await best(before)).toBe(8);
  await kept(folder);
  await before.indexes.close();
  const { entries } = await store.listEntries('ann', 600, 'oldest');
  // So many that the index is brought up to date; fewer are left out when their passages are read.
  for (const { id } of entries.slice(0, 60)) await store.moveToTrash('ann', id);
  const after = start(store, folder);
  expect(await best(after)).toBeGreaterThan(60);
  await store.restoreFromTrash('ann', 'all');
  expect(await best(after)).toBe(8);
  expect(await best(start(store, folder))).toBe(8);
});

test('a damaged index file is rebuilt without a failure', async () => {
  const { store, folder } = await open();
  const before = start(store, folder);
  await before.indexes.findNearest('ann', vector(0), 10, undefined, signal);
  const file = await kept(folder);
  await before.indexes.close();
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 4;
  writeFileSync(file, bytes);
  const after = start(store, folder);
  expect((await after.indexes.findNearest('ann', vector(9), 1, undefined, signal))?.[0]?.place).toBe(10);
  expect(after.read()).toBe(600);
});
