import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Embedder } from '../src/knowledge/embedder.ts';
import { createEnglishEmbedder } from '../src/knowledge/embedders/english.ts';
import { openGrowingIndex } from '../src/knowledge/indexes/growing.ts';
import { createKnowledge } from '../src/knowledge/knowledge.ts';
import { createSqliteEntryStore } from '../src/knowledge/stores/sqlite.ts';
import type { Knowledge } from '../src/knowledge/types.ts';
import { openDatabase } from '../src/storage/sqlite.ts';
import { type Collection, loadCollection, ndcg } from './collection.ts';
import { dataFolder } from './data.ts';
import { printTable } from './figures.ts';

/**
 * Retrieval as callers get it: each document of a judged collection is inserted as an entry, and each of its
 * questions is asked by words, by vectors and by both. One table row a collection; folders whose names differ in a
 * last number, as conversations do, are one collection of several owners.
 */

const OWNER = 'bench';
/** Passages that are asked for; their documents, each once, are what is judged. */
const ASKED = 100;
/** Inserts that are under way at once. */
const AT_ONCE = 64;
const { signal } = new AbortController();

/** Published for Cranfield with graded gains, as ../shared/design/facts.md has them: nDCG@10 and recall@100. */
const PUBLISHED: readonly (readonly string[])[] = [
  ['BM25 with Porter stemming', '0.375', '0.742'],
  ['MiniLM', '0.386', '0.775'],
  ['reciprocal-rank fusion', '0.423', '0.791'],
];

/** Sums over questions of nDCG@10, recall@10 and recall@100. */
type Sums = [ndcg: number, ten: number, hundred: number];

interface Figures {
  documents: number;
  questions: number;
  readonly lexical: Sums;
  readonly dense: Sums;
  readonly fused: Sums;
}

type Way = 'lexical' | 'dense' | 'fused';
const WAYS: readonly Way[] = ['lexical', 'dense', 'fused'];

export async function run([folder]: readonly string[] = []): Promise<void> {
  const root = dataFolder('retrieval/dev', folder);
  if (root === undefined) return;
  const sets = new Map<string, Figures>();
  const embedder = createEnglishEmbedder();
  // The embedder's threads do not keep a process that waits for them alone.
  const held = setInterval(() => {}, 60_000);
  for (const path of collectionsIn(root)) {
    const name = basename(path).replace(/[-_]\d+$/, '');
    const sums = sets.get(name) ?? {
      documents: 0,
      questions: 0,
      lexical: [0, 0, 0],
      dense: [0, 0, 0],
      fused: [0, 0, 0],
    };
    sets.set(name, sums);
    await measure(loadCollection(path), embedder, sums);
  }
  await embedder.close();
  clearInterval(held);
  process.stdout.write('\n## retrieve: nDCG@10 / recall@10 / recall@100, gains as judged\n\n');
  printTable(
    ['collection', 'documents', 'questions', ...WAYS],
    [...sets].map(([name, set]) => [
      name,
      `${set.documents}`,
      `${set.questions}`,
      ...WAYS.map((way) => set[way].map((sum) => (sum / set.questions).toFixed(3)).join(' / ')),
    ]),
  );
  if (!sets.has('cranfield')) return;
  process.stdout.write('\nPublished for Cranfield:\n\n');
  printTable(['', 'nDCG@10', 'recall@100'], PUBLISHED);
}

function collectionsIn(root: string): string[] {
  const isOne = (path: string) => existsSync(join(path, 'corpus.jsonl'));
  if (isOne(root)) return [root];
  return readdirSync(root)
    .sort()
    .map((name) => join(root, name))
    .filter(isOne);
}

async function measure(collection: Collection, embedder: Embedder, sums: Figures): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'magpie-retrieve-'));
  const db = await openDatabase({ folder });
  const store = createSqliteEntryStore(db);
  const log = { warn() {}, info() {} };
  // The embedder serves all collections; closing one of them leaves it open.
  const shared = { ...embedder, async close() {} };
  const knowledge = createKnowledge({ store, embedder: shared, openIndex: openGrowingIndex, log });
  try {
    const entries = await insertAll(collection, knowledge);
    sums.documents += collection.documents.length;
    const vectors = [];
    for (let from = 0; ; ) {
      const some = await store.listVectors(OWNER, embedder.name, from, 2000);
      vectors.push(...some);
      const last = some.at(-1);
      if (!last) break;
      from = last.place + 1;
    }
    const places = await store.listPlaces(OWNER, 0, 1_000_000);
    const entryAt = new Map(
      (await store.readPassages(OWNER, places)).map(({ place, passage }) => [place, passage.of]),
    );
    for (const query of collection.queries) {
      const gains = collection.judged.get(query.id);
      if (!gains || ![...gains.values()].some((gain) => gain > 0)) continue;
      const [vector = new Float32Array()] = await embedder.embed([query.text], 'query', signal);
      const near = vectors
        .map(({ place, vector: other }) => ({ place, score: dot(vector, other) }))
        .sort((a, b) => b.score - a.score)
        .slice(0, ASKED);
      const { scored: byWords } = await store.findByWords(OWNER, query.text, ASKED);
      const matches = await knowledge.findPassages(OWNER, query.text, { topK: ASKED }, signal);
      const ways: Record<Way, (string | undefined)[]> = {
        lexical: byWords.map(({ place }) => entryAt.get(place)),
        dense: near.map(({ place }) => entryAt.get(place)),
        fused: matches.map(({ passage }) => passage.of),
      };
      sums.questions++;
      for (const way of WAYS) add(sums[way], documentsOf(ways[way], entries), gains);
    }
  } finally {
    await knowledge.close();
    db.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Documents by their entry's id: the same text twice is one entry. Resolves when all have their vectors. */
async function insertAll(collection: Collection, knowledge: Knowledge): Promise<Map<string, string[]>> {
  const entries = new Map<string, string[]>();
  for (let from = 0; from < collection.documents.length; from += AT_ONCE) {
    const some = collection.documents.slice(from, from + AT_ONCE);
    const inserted = await Promise.all(
      some.map(({ title, text }) =>
        text.trim() || title.trim()
          ? knowledge.insertEntry(OWNER, { title, text: text.trim() ? text : title }, signal)
          : undefined,
      ),
    );
    for (const [at, one] of inserted.entries()) {
      const document = some[at];
      if (one && document) entries.set(one.id, [...(entries.get(one.id) ?? []), document.id]);
    }
  }
  for (;;) {
    const { done, total } = await knowledge.readEmbeddingProgress();
    if (done >= total) return entries;
    await wait(200);
  }
}

function documentsOf(found: readonly (string | undefined)[], entries: Map<string, string[]>): string[] {
  return [...new Set(found)].flatMap((id) => (id === undefined ? [] : (entries.get(id) ?? [])));
}

function add(sums: Sums, documents: readonly string[], gains: ReadonlyMap<string, number>): void {
  const wanted = new Set([...gains].filter(([, gain]) => gain > 0).map(([id]) => id));
  const share = (most: number) =>
    documents.slice(0, most).filter((id) => wanted.has(id)).length / wanted.size;
  sums[0] += ndcg(documents, gains);
  sums[1] += share(10);
  sums[2] += share(100);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
