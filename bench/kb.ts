import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import hnswlib from 'hnswlib-node';
import type { Embedder } from '../src/knowledge/embedding/embedder.ts';
import { GRAPH_SETTINGS } from '../src/knowledge/indexes/graph.ts';
import { openGrowingIndex } from '../src/knowledge/indexes/growing.ts';
import { createKnowledge } from '../src/knowledge/knowledge.ts';
import type { GrowingIndex, OpenVectorIndex } from '../src/knowledge/ranking/vector-index.ts';
import type { EntryStore, PassageVector } from '../src/knowledge/store.ts';
import { createEntryStore } from '../src/knowledge/stores/entry-store.ts';
import type { Knowledge } from '../src/knowledge/types.ts';
import { createLog } from '../src/log.ts';
import { type Database, openDatabase, type Statements } from '../src/storage/sqlite.ts';
import { median, printTable, whole } from './figures.ts';
import { DIMENSIONS, passageTexts, questionFrom, standInEmbedder, vectorsOf } from './kb-data.ts';
import { exact, fill, NEAREST } from './kb-fill.ts';
import { numbers } from './local-texts.ts';

/**
 * The knowledge base: durable inserts a second beside SQLite's own commits of the same rows, and queries of one
 * user with many passages and of many users with few. Texts have 80 made-up words; vectors are made up too, and
 * take no time, so what is measured is everything but the model.
 */

const SIZES = [1000, 10_000, 100_000];
const ENTRIES = 100;
const signal = new AbortController().signal;
const log = createLog('warn');

interface Room {
  readonly db: Database;
  readonly store: EntryStore;
  readonly knowledge: Knowledge;
  readonly megabytes: () => number;
  close(): Promise<void>;
}

/**
 * `npm run bench -- kb [inserts|users|<passages>...]`; inserts, 1,000, 10,000 and 100,000 passages and users without. `--rounds <n>` of
 * inserts, each of `--inserts <n>`: 10 of 320 without; `--users <n>`: 10,000 without; `--questions <n>`: 200 without.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '10' },
      inserts: { type: 'string', default: '320' },
      users: { type: 'string', default: '10000' },
      questions: { type: 'string', default: '200' },
    },
  });
  const parts = positionals.length > 0 ? positionals : ['inserts', ...SIZES.map(String), 'users'];
  const questions = Number(values.questions);
  const sizes = parts.map(Number).filter((size) => size > 0);
  if (parts.includes('inserts')) await inserts(Number(values.rounds), Number(values.inserts));
  if (sizes.length === 0 && !parts.includes('users')) return;
  process.stdout.write(
    `\n## kb: ${questions} questions of five words, the embedding left out; ms are p50 / p99; graph with ` +
      `M ${GRAPH_SETTINGS.links}, efConstruction ${GRAPH_SETTINGS.efConstruction}, ef ${GRAPH_SETTINGS.ef}\n\n`,
  );
  const rows: string[][] = [];
  for (const size of sizes) rows.push(await oneUser(size, questions));
  if (parts.includes('users')) rows.push(await manyUsers(Number(values.users), questions));
  printTable(
    [
      'passages',
      'first query, ms',
      'query, ms',
      'by words alone',
      'index alone',
      'bare hnswlib',
      'recall@10',
      'kind',
      'bytes a passage in memory',
      'on disk',
    ],
    rows,
  );
}

async function open(embedder: Embedder, openIndex: OpenVectorIndex = openGrowingIndex): Promise<Room> {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-bench-kb-'));
  const db = await openDatabase({ folder });
  const store = createEntryStore(db);
  const knowledge = createKnowledge({ store, embedder, openIndex, log });
  return {
    db,
    store,
    knowledge,
    megabytes: () =>
      readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / 1e6,
    async close() {
      await knowledge.close();
      db.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function inserts(rounds: number, each: number): Promise<void> {
  process.stdout.write('\n## kb: durable inserts a second\n\n');
  const next = passageTexts();
  const { db, knowledge, close } = await open(standInEmbedder({ held: true }));
  await db.write((sql) => {
    sql.run('CREATE TABLE plain (id INTEGER PRIMARY KEY, text TEXT)');
    sql.run(`CREATE VIRTUAL TABLE plain_words USING fts5 (text, content = '')`);
  });
  const row = (sql: Statements, text: string) => sql.run('INSERT INTO plain (text) VALUES (?)', text);
  const both = (text: string) =>
    db.write((sql) => {
      row(sql, text);
      sql.run('INSERT INTO plain_words (rowid, text) VALUES (last_insert_rowid(), ?)', text);
    });
  const kinds: Readonly<Record<string, (count: number) => Promise<void>>> = {
    'SQLite, a row': async (count) => {
      for (let i = 0; i < count; i++) await db.write((sql) => row(sql, next()));
    },
    'SQLite, a row and its words': async (count) => {
      for (let i = 0; i < count; i++) await both(next());
    },
    'one by one': async (count) => {
      for (let i = 0; i < count; i++) await knowledge.insertEntry('ann', { text: next() }, signal);
    },
    '16 at once': (count) => atOnce(knowledge, next, count, 16),
    '256 at once': (count) => atOnce(knowledge, next, count, 256),
  };
  const rates = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++) {
    for (const [name, insert] of Object.entries(kinds)) {
      const count = name.startsWith('256') ? 8 * each : each;
      const begun = performance.now();
      await insert(count);
      // The first round warms up, where there are more.
      if (round > 0 || rounds === 1)
        rates.set(name, [...(rates.get(name) ?? []), (count * 1000) / (performance.now() - begun)]);
    }
  }
  await close();
  const ratio = (of: readonly number[], to: string) => {
    const own = rates.get(to) ?? [];
    return median(of.map((rate, round) => rate / (own[round] ?? Number.NaN))).toFixed(2);
  };
  printTable(
    ['', 'inserts/s', 'of a row alone', 'of a row and its words'],
    [...rates].map(([name, of]) => [
      name,
      whole(median(of)),
      ratio(of, 'SQLite, a row'),
      ratio(of, 'SQLite, a row and its words'),
    ]),
  );
}

async function atOnce(knowledge: Knowledge, next: () => string, count: number, many: number): Promise<void> {
  for (let done = 0; done < count; done += many) {
    await Promise.all(
      Array.from({ length: Math.min(many, count - done) }, () =>
        knowledge.insertEntry('ann', { text: next() }, signal),
      ),
    );
  }
}

async function oneUser(size: number, count: number): Promise<string[]> {
  const made: GrowingIndex[] = [];
  const room = await open(standInEmbedder(), async (options) => {
    const index = await openGrowingIndex(options);
    made.push(index);
    return index;
  });
  const { store, knowledge } = room;
  const next = passageTexts();
  const samples: string[] = [];
  await fill(
    store,
    'ann',
    size,
    () => {
      const text = next();
      if (samples.length < count) samples.push(text);
      return text;
    },
    vectorsOf(5),
  );
  const random = numbers(3);
  const questions = samples.map((text) => questionFrom(text, random));
  const first = await timed(() => knowledge.findPassages('ann', 'first', {}, signal));
  const vector = vectorsOf(11);
  for (const index of made) await index.settled();
  const all: number[] = [];
  const words: number[] = [];
  for (const question of questions) {
    all.push(await timed(() => knowledge.findPassages('ann', question, {}, signal)));
    words.push(await timed(() => store.findByWords('ann', question, 100)));
  }
  const alone: number[] = [];
  const asked = Array.from({ length: 100 }, vector);
  const right = await exact(store, asked);
  let hits = 0;
  for (const [i, one] of asked.entries()) {
    const begun = performance.now();
    const near = made[0]?.findNearest(one, NEAREST) ?? [];
    alone.push(performance.now() - begun);
    const places = new Set(near.map(({ id }) => id));
    for (const place of right[i] ?? []) if (places.has(place)) hits++;
  }
  const [index] = made;
  const row = [
    whole(size),
    first.toFixed(0),
    spread(all),
    spread(words),
    spread(alone),
    index?.kind === 'graph' ? spread(await bare(store, asked)) : '',
    (hits / (asked.length * NEAREST)).toFixed(3),
    index?.kind ?? 'from rows',
    whole((index?.bytes ?? 0) / size),
    whole((room.megabytes() * 1e6) / size),
  ];
  await room.close();
  return row;
}

/** Milliseconds of hnswlib's own searches with the same settings and vectors. */
async function bare(store: EntryStore, queries: readonly Float32Array[]): Promise<number[]> {
  const graph = new hnswlib.HierarchicalNSW('ip', DIMENSIONS);
  graph.initIndex(
    (await store.readStanding('ann', 'stand-in')).embedded,
    GRAPH_SETTINGS.links,
    GRAPH_SETTINGS.efConstruction,
  );
  for (let from = 0, slice: PassageVector[]; ; from = (slice.at(-1)?.place ?? 0) + 1) {
    slice = await store.listVectors('ann', 'stand-in', from, 2000);
    if (slice.length === 0) break;
    for (const { place, vector } of slice) graph.addPoint(Array.from(vector), place);
  }
  graph.setEf(GRAPH_SETTINGS.ef);
  return queries.map((query) => {
    const begun = performance.now();
    graph.searchKnn(Array.from(query), NEAREST);
    return performance.now() - begun;
  });
}

async function manyUsers(users: number, questions: number): Promise<string[]> {
  const room = await open(standInEmbedder());
  const next = passageTexts();
  const source = vectorsOf(5);
  const some = Array.from({ length: 1000 }, source);
  const random = numbers(3);
  const vector = () => some[Math.floor(random() * some.length)] ?? source();
  for (let user = 0; user < users; user++) await fill(room.store, `user${user}`, ENTRIES, next, vector);
  const before = process.memoryUsage.rss();
  const firsts: number[] = [];
  const words: number[] = [];
  for (let i = 0; i < questions * 5; i++) {
    const owner = `user${Math.floor(random() * users)}`;
    const question = questionFrom(next(), random);
    firsts.push(await timed(() => room.knowledge.findPassages(owner, question, {}, signal)));
    words.push(await timed(() => room.store.findByWords(owner, question, 100)));
  }
  const memory = Math.max(0, process.memoryUsage.rss() - before);
  const row = [
    `${ENTRIES} of each of ${whole(users)} users`,
    (firsts[0] ?? 0).toFixed(0),
    spread(firsts),
    spread(words),
    '',
    '',
    '1.000',
    'from rows',
    `${whole(memory / 1e6)} MB in all`,
    whole((room.megabytes() * 1e6) / (users * ENTRIES)),
  ];
  await room.close();
  return row;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function spread(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  return `${median(sorted).toFixed(2)} / ${(sorted[Math.floor(sorted.length * 0.99)] ?? 0).toFixed(2)}`;
}
