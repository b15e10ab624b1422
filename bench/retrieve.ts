import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createEnglishEmbedder } from '../src/knowledge/embedders/english.ts';
import { createMultilingualEmbedder } from '../src/knowledge/embedders/multilingual.ts';
import type { Embedder } from '../src/knowledge/embedding/embedder.ts';
import { buildEmbeddingInput } from '../src/knowledge/entries/chunk.ts';
import { openGrowingIndex } from '../src/knowledge/indexes/growing.ts';
import { createKnowledge } from '../src/knowledge/knowledge.ts';
import type { EntryStore } from '../src/knowledge/store.ts';
import { createEntryStore } from '../src/knowledge/stores/entry-store.ts';
import type { Knowledge } from '../src/knowledge/types.ts';
import { type AnyDatabase, toAnyDatabase } from '../src/storage/any-database.ts';
import { openPostgres } from '../src/storage/postgres/open.ts';
import { openDatabase } from '../src/storage/sqlite.ts';
import { type Collection, loadCollection, ndcg } from './collection.ts';
import { dataFolder } from './data.ts';
import { printTable } from './figures.ts';
import { askPeers, PEERS, peersPython } from './peers.ts';

/**
 * Retrieval as callers get it: each document of a judged collection is inserted as an entry, and each of its
 * questions is asked by words, by vectors, by reciprocal-rank fusion of both, and as the product ranks; the same passages and vectors are
 * given to chroma and lancedb. One table row a collection; folders whose names differ in a last number, as conversations do, are one
 * collection of several owners. `bench/make-sets.ts` makes the folders. Those whose texts are not in English are asked once more with the multilingual model's vectors,
 * all with `--multilingual`; with `DATABASE_URL=postgres://...` everything is kept in that database, which is to be empty; `--questions <n>` asks as many of a folder's questions, evenly spread; `--no-peers` leaves out chroma and lancedb.
 */

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
/** What the peers' figures stand for. */
const PEERS_NOTE =
  'chroma and lancedb get our passages with the vectors that the other columns have: with the English model those of our copy of ' +
  "MiniLM, which is chroma's default model; with the multilingual one they are not what they install. chroma searches by vectors, " +
  'lancedb by words and vectors with its default fusion.';
/** The ranking was tuned on these; on all others nothing was. */
const TUNED: ReadonlySet<string> = new Set(['cranfield', 'med', 'cacm']);
/** Sets whose texts are not in English, as bench/make-sets.ts names them. */
const OTHER_LANGUAGES = /^xquad-/;
/** Of reciprocal-rank fusion, as Cormack et al. (2009) have it. */
const RRF_K = 60;

/** Sums over questions of nDCG@10, recall@10 and recall@100. */
type Sums = [ndcg: number, ten: number, hundred: number];

const WAYS = ['words', 'vectors', 'RRF', 'query', ...PEERS] as const;
type Way = (typeof WAYS)[number];

interface Figures {
  documents: number;
  questions: number;
  readonly of: Readonly<Record<Way, Sums>>;
}

export async function run(args: readonly string[] = []): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    allowNegative: true,
    options: {
      multilingual: { type: 'boolean', default: false },
      questions: { type: 'string' },
      peers: { type: 'boolean', default: true },
    },
  });
  const [folder] = positionals;
  const most = Number(values.questions ?? Number.POSITIVE_INFINITY);
  const root = dataFolder('retrieval/dev', folder);
  if (root === undefined) return;
  const sets = new Map<string, Figures>();
  const python = values.peers ? peersPython() : undefined;
  const english = values.multilingual ? undefined : createEnglishEmbedder();
  let multilingual: Embedder | undefined;
  // The embedder's threads do not keep a process that waits for them alone.
  const held = setInterval(() => {}, 60_000);
  for (const path of collectionsIn(root)) {
    const name = basename(path).replace(/[-_]\d+$/, '');
    const collection = loadCollection(path);
    if (values.multilingual || OTHER_LANGUAGES.test(name)) multilingual ??= createMultilingualEmbedder();
    const needed = OTHER_LANGUAGES.test(name) ? [english, multilingual] : [english ?? multilingual];
    for (const embedder of needed) {
      if (!embedder) continue;
      const row = `${name}\n${embedder.name}`;
      const figures = sets.get(row) ?? noFigures();
      sets.set(row, figures);
      await measure(collection, most, embedder, figures, python);
    }
  }
  await english?.close();
  await multilingual?.close();
  clearInterval(held);
  process.stdout.write('\n## retrieve: nDCG@10 / recall@10 / recall@100, gains as judged\n\n');
  printTable(
    ['collection', 'model', 'tuned on', 'documents', 'questions', ...WAYS],
    [...sets].map(([row, set]) => {
      const [name = '', model = ''] = row.split('\n');
      return [
        ...[name, model, TUNED.has(name) ? 'yes' : 'no', `${set.documents}`, `${set.questions}`],
        ...WAYS.map((way) => set.of[way].map((sum) => (sum / set.questions).toFixed(3)).join(' / ')),
      ];
    }),
  );
  if (python) process.stdout.write(`\n${PEERS_NOTE}\n`);
  if (![...sets.keys()].some((row) => row.startsWith('cranfield\n'))) return;
  process.stdout.write('\nPublished for Cranfield:\n\n');
  printTable(['', 'nDCG@10', 'recall@100'], PUBLISHED);
}

function noFigures(): Figures {
  const sums = (): Sums => [0, 0, 0];
  const of = { words: sums(), vectors: sums(), RRF: sums(), query: sums(), chroma: sums(), lancedb: sums() };
  return { documents: 0, questions: 0, of };
}

function collectionsIn(root: string): string[] {
  const isOne = (path: string) => existsSync(join(path, 'corpus.jsonl'));
  if (isOne(root)) return [root];
  return readdirSync(root)
    .sort()
    .map((name) => join(root, name))
    .filter(isOne);
}

async function measure(
  collection: Collection,
  most: number,
  embedder: Embedder,
  figures: Figures,
  python: string | undefined,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'magpie-retrieve-'));
  const url = process.env.DATABASE_URL;
  const db: AnyDatabase = url?.startsWith('postgres')
    ? await openPostgres({ url })
    : toAnyDatabase(await openDatabase({ folder }));
  const store = createEntryStore(db);
  // An owner without anything, also where the one before left something.
  const owner = `bench-${randomUUID()}`;
  const log = { warn() {}, info() {} };
  // The embedder serves all collections; closing one of them leaves it open.
  const shared = { ...embedder, async close() {} };
  const knowledge = createKnowledge({ store, embedder: shared, openIndex: openGrowingIndex, log });
  try {
    const entries = await insertAll(collection, knowledge, owner);
    figures.documents += collection.documents.length;
    const passages = await readPassages(store, owner, embedder.name);
    const judged = collection.queries.filter(({ id }) =>
      [...(collection.judged.get(id)?.values() ?? [])].some((gain) => gain > 0),
    );
    const queries = spreadOver(judged, most);
    const queryVectors = await embedder.embed(
      queries.map(({ text }) => text),
      'query',
      signal,
    );
    const places = [...passages.keys()];
    const peers = python
      ? askPeers(python, {
          passages: places.map((place) => ({ id: `${place}`, text: passages.get(place)?.text ?? '' })),
          passageVectors: places.map((place) => passages.get(place)?.vector ?? new Float32Array()),
          queries,
          queryVectors,
        })
      : undefined;
    const entryAt = (place: number) => passages.get(place)?.of;
    for (const [at, query] of queries.entries()) {
      const near = nearest(passages, queryVectors[at] ?? new Float32Array());
      const { scored } = await store.findByWords(owner, query.text, ASKED);
      const words = scored.map(({ place }) => place);
      const matches = await knowledge.findPassages(owner, query.text, { topK: ASKED }, signal);
      const ways: Record<Way, (string | undefined)[]> = {
        words: words.map(entryAt),
        vectors: near.map(entryAt),
        RRF: fuse([words, near]).map(entryAt),
        query: matches.map(({ passage }) => passage.of),
        chroma: (peers?.chroma[at] ?? []).map((id) => entryAt(Number(id))),
        lancedb: (peers?.lancedb[at] ?? []).map((id) => entryAt(Number(id))),
      };
      figures.questions++;
      const gains = collection.judged.get(query.id) ?? new Map<string, number>();
      for (const way of WAYS) add(figures.of[way], documentsOf(ways[way], entries), gains);
    }
  } finally {
    await knowledge.close();
    if (!db.embedded) await store.removeAllEntries(owner);
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** At most so many, at even distances. */
function spreadOver<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, all.length / most);
  return all.filter((_, at) => Math.floor(at / step) > Math.floor((at - 1) / step));
}

interface KeptPassage {
  readonly of: string;
  readonly text: string;
  readonly vector: Float32Array;
}

async function readPassages(
  store: EntryStore,
  owner: string,
  model: string,
): Promise<Map<number, KeptPassage>> {
  const places = await store.listPlaces(owner, 0, 1_000_000);
  const vectors = await store.readVectors(owner, model, places);
  const found = await store.readPassages(owner, places);
  return new Map(
    found.map(({ place, passage }) => [
      place,
      {
        of: passage.of,
        text: buildEmbeddingInput(passage),
        vector: vectors.get(place) ?? new Float32Array(),
      },
    ]),
  );
}

function nearest(passages: ReadonlyMap<number, KeptPassage>, vector: Float32Array): number[] {
  return [...passages]
    .map(([place, { vector: other }]) => ({ place, score: dot(vector, other) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, ASKED)
    .map(({ place }) => place);
}

/** Reciprocal-rank fusion. */
function fuse(lists: readonly (readonly number[])[]): number[] {
  const scores = new Map<number, number>();
  for (const list of lists) {
    for (const [rank, place] of list.entries()) {
      scores.set(place, (scores.get(place) ?? 0) + 1 / (RRF_K + rank + 1));
    }
  }
  return [...scores].sort((a, b) => b[1] - a[1]).map(([place]) => place);
}

/** Documents by their entry's id: the same text twice is one entry. Resolves when all have their vectors. */
async function insertAll(
  collection: Collection,
  knowledge: Knowledge,
  owner: string,
): Promise<Map<string, string[]>> {
  const entries = new Map<string, string[]>();
  for (let from = 0; from < collection.documents.length; from += AT_ONCE) {
    const some = collection.documents.slice(from, from + AT_ONCE);
    const inserted = await Promise.all(
      some.map(({ title, text }) =>
        text.trim() || title.trim()
          ? knowledge.insertEntry(owner, { title, text: text.trim() ? text : title }, signal)
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
