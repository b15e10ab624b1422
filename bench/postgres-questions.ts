import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { createEnglishEmbedder } from '../src/knowledge/embedders/english.ts';
import { createEntryStore, type SqliteEntryStoreOptions } from '../src/knowledge/stores/entry-store.ts';
import type { AnyDatabase, SqlValue } from '../src/storage/any-database.ts';
import { runPostgresStatement } from '../src/storage/postgres/ask.ts';
import { createLongWorkRunner } from '../src/storage/postgres/long-work.ts';
import { openPostgres } from '../src/storage/postgres/open.ts';
import { readStatement } from '../src/storage/sql-template.ts';
import { loadCollection } from './collection.ts';
import { dataFolder } from './data.ts';
import { printTable, whole } from './figures.ts';
import { passageTexts, questionFrom, vectorsOf } from './kb-data.ts';
import { fill, NEAREST } from './kb-fill.ts';
import { numbers } from './local-texts.ts';

/**
 * What a question's candidates take on PostgreSQL, by words and vectors in one statement, beside the same statements with the same values
 * sent bare by the client. `DATABASE_URL=postgres://... npm run bench -- postgres-questions [passages of the user]`, 100,000 without a number;
 * `--owner <name>` asks one that is there already; with `--index` once more by an HNSW index, with its recall and what it costs. Vectors are made up, and with
 * `--real` those of Cranfield's texts, each several times with a little noise, and of its questions.
 */

const PASSAGES = 100_000;
const QUESTIONS = 100;
/** Texts between those that questions are taken from. */
const APART = 37;
const CANDIDATES = 100;
const MODEL = 'stand-in';
const RECALLED = 100;

interface Asked {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

export async function run(args: readonly string[] = []): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      owner: { type: 'string' },
      index: { type: 'boolean', default: false },
      real: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const url = process.env.DATABASE_URL;
  if (!url?.startsWith('postgres')) {
    process.stdout.write('\n## postgres-questions: left out, DATABASE_URL names no database\n');
    return;
  }
  const db = await openPostgres({ url });
  const owner = values.owner ?? `bench-${randomUUID()}`;
  const vectors = values.real
    ? await realVectors()
    : { passages: vectorsOf(5), questions: () => vectorsOf(11) };
  const [exact, asked] = recordingStore(db, undefined);
  try {
    if (values.owner === undefined) {
      await fill(exact, owner, Number(positionals[0] ?? PASSAGES), passageTexts(), vectors.passages);
      for (const table of ['kb_words', 'kb_halfvecs', 'kb_passages', 'kb_entries'])
        await db.writeAutocommit((sql) => sql.run(`VACUUM ANALYZE ${table}`));
    }
    const rows = [await compare(url, exact, asked, owner, vectors.questions(), 'all vectors compared')];
    const { searched } = await exact.readStanding(owner, MODEL);
    const notes: string[] = [];
    if (values.index) {
      const [store, askedThen] = recordingStore(db, { from: searched, runLong: createLongWorkRunner(url) });
      notes.push(`vectors written a second without the index ${await writesOf(db, owner)}`);
      const began = performance.now();
      await store.tendGraphs?.(new AbortController().signal);
      notes.push(
        `index made in ${((performance.now() - began) / 1000).toFixed(0)} s, ${await bytesOf(db, owner, searched)} bytes a vector`,
      );
      rows.push(await compare(url, store, askedThen, owner, vectors.questions(), 'by the index'));
      notes.push(`with it ${await writesOf(db, owner)}`);
      notes.push(`recall@10 ${await recallOf(store, exact, owner, vectors.questions())}`);
    }
    process.stdout.write(
      `\n## postgres-questions: ms of ${QUESTIONS} questions of five words, ${whole(searched)} passages of the user\n\n`,
    );
    printTable(['', 'p50', 'p99', 'sent bare: p50', 'p99', 'bare / Magpie: p50', 'p99'], rows);
    if (notes.length > 0) process.stdout.write(`\n${notes.join('; ')}\n`);
  } finally {
    if (values.owner === undefined) await exact.removeAllEntries(owner);
    await db.close();
  }
}

type Store = ReturnType<typeof createEntryStore>;

function recordingStore(db: AnyDatabase, graphs: SqliteEntryStoreOptions['graphs']): [Store, Asked[]] {
  const asked: Asked[] = [];
  return [createEntryStore(recording(db, asked), { graphs }), asked];
}

async function compare(
  url: string,
  store: Store,
  asked: Asked[],
  owner: string,
  vector: () => Float32Array,
  name: string,
): Promise<string[]> {
  const times = await ask(store, owner, asked, vector);
  const bare = await askBare(url, asked);
  const ratios = [0.5, 0.99].map((part) => (at(bare, part) / at(times, part)).toFixed(2));
  return [name, ...shown(times), ...shown(bare), ...ratios];
}

/** Vectors of Cranfield's texts as its passages and its questions have them, and around each passage others as near as those of alike texts. */
async function realVectors() {
  const folder = dataFolder('retrieval/dev', undefined);
  if (folder === undefined) throw new Error('--real reads MAGPIE_BENCH_DATA');
  const { documents, queries } = loadCollection(join(folder, 'cranfield'));
  const embedder = createEnglishEmbedder();
  // The embedder's threads do not keep a process that waits for them alone.
  const held = setInterval(() => {}, 60_000);
  const { signal } = new AbortController();
  const texts = documents.map(({ text }) => text).filter(Boolean);
  const passages = await embedder.embed(texts, 'passage', signal);
  const asked = await embedder.embed(
    queries.map(({ text }) => text),
    'query',
    signal,
  );
  await embedder.close();
  clearInterval(held);
  return { passages: around(passages), questions: () => inTurn(asked) };
}

function inTurn(all: readonly Float32Array[]): () => Float32Array {
  let next = 0;
  return () => all[next++ % all.length] ?? new Float32Array();
}

/** The vectors as they are, and then with noise of half their length. */
function around(all: readonly Float32Array[]): () => Float32Array {
  const [next, random] = [inTurn(all), numbers(17)];
  let given = 0;
  return () => {
    const vector = next();
    if (given++ < all.length) return vector;
    // Of four numbers in 0..1 the sum has a variance of a third.
    const noise = 0.5 / Math.sqrt(vector.length / 3);
    const moved = vector.map((one) => one + noise * (random() + random() + random() + random() - 2));
    const length = Math.hypot(...moved);
    return moved.map((one) => one / length);
  };
}

/** Of the ten nearest, the part that the index finds. */
async function recallOf(
  store: Store,
  exact: Store,
  owner: string,
  vector: () => Float32Array,
): Promise<string> {
  let hits = 0;
  for (let n = 0; n < RECALLED; n++) {
    const question = {
      text: '',
      most: CANDIDATES,
      within: undefined,
      near: { model: MODEL, vector: vector() },
    };
    const [found, right] = [
      await store.findCandidates?.(owner, question),
      await exact.findCandidates?.(owner, question),
    ];
    const ten = new Set(found?.near.slice(0, NEAREST).map(({ place }) => place));
    hits += right?.near.slice(0, NEAREST).filter(({ place }) => ten.has(place)).length ?? 0;
  }
  return (hits / RECALLED / NEAREST).toFixed(3);
}

const OWN = '(SELECT id FROM kb_owners WHERE name = ?1)';
const FIRST = `(((SELECT id FROM kb_models WHERE name = '${MODEL}') << 55) | (${OWN} << 31))`;
/** Vectors of the owner once more, behind all places that are in use, as one batch of the embedding queue writes them. */
const WRITE = `INSERT INTO kb_halfvecs SELECT owner, ${FIRST} + 2000000000 + row_number() OVER (), vector FROM kb_halfvecs
  WHERE owner = ${OWN} AND id >= ${FIRST} AND (id & 31) = CAST(?2 AS bigint) LIMIT 32`;
const REMOVE = `DELETE FROM kb_halfvecs WHERE owner = ${OWN} AND id >= ${FIRST} + 2000000000`;
const BATCHES = 16;

async function writesOf(db: AnyDatabase, owner: string): Promise<string> {
  let spent = 0;
  for (let batch = 0; batch < BATCHES; batch++) {
    const began = performance.now();
    await db.writeAutocommit((sql) => sql.run(WRITE, owner, batch));
    spent += performance.now() - began;
    await db.writeAutocommit((sql) => sql.run(REMOVE, owner));
  }
  return whole((BATCHES * 32_000) / spent);
}

async function bytesOf(db: AnyDatabase, owner: string, vectors: number): Promise<string> {
  const text = `SELECT coalesce(sum(pg_relation_size(oid)), 0) AS bytes FROM pg_class WHERE relname LIKE 'kb\\_graph\\_' || ${OWN} || '\\_%'`;
  const row = await db.read((sql) => sql.get<{ bytes: number }>(text, owner));
  return whole((row?.bytes ?? 0) / vectors);
}

/** Notes what is asked on its own, with its values. */
function recording(db: AnyDatabase, asked: Asked[]): AnyDatabase {
  return {
    ...db,
    read: (work) =>
      db.read((sql) =>
        work({
          ...sql,
          all(text, ...given) {
            asked.push(readStatement(text, given));
            return sql.all(text, ...given);
          },
        }),
      ),
  };
}

async function ask(
  store: Store,
  owner: string,
  asked: Asked[],
  vector: () => Float32Array,
): Promise<number[]> {
  const [next, random] = [passageTexts(), numbers(3)];
  const times: number[] = [];
  for (let n = -10; n < QUESTIONS; n++) {
    for (let skipped = 0; skipped < APART; skipped++) next();
    const text = questionFrom(next(), random);
    const near = { model: MODEL, vector: vector() };
    // The first ones make the connection, and its plan.
    if (n === 0) asked.length = 0;
    const began = performance.now();
    await store.findCandidates?.(owner, { text, most: CANDIDATES, within: undefined, near });
    if (n >= 0) times.push(performance.now() - began);
  }
  return times;
}

async function askBare(url: string, asked: readonly Asked[]): Promise<number[]> {
  const client = new pg.Client({ connectionString: url, pipeline: true } as pg.ClientConfig);
  await client.connect();
  const times: number[] = [];
  const send = async ({ text, values }: Asked) => {
    const began = performance.now();
    await runPostgresStatement(client, text, values);
    return performance.now() - began;
  };
  for (const one of asked.slice(0, 10)) await send(one);
  for (const one of asked) times.push(await send(one));
  await client.end();
  return times;
}

const at = (times: readonly number[], part: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;
const shown = (times: readonly number[]) => [at(times, 0.5).toFixed(1), at(times, 0.99).toFixed(1)];
