import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPassageNumberSet } from '../../../src/knowledge/ranking/passage-number-set.ts';
import type { EntryStore } from '../../../src/knowledge/store.ts';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import { createLongWorkRunner } from '../../../src/storage/postgres/long-work.ts';
import { prepared } from '../../helpers/entry-stores.ts';
import { makePostgres, type PostgresPlace } from '../../helpers/postgres.ts';

/** Indexes of vectors for owners of very many passages: their answers, and how they come and go. */

const FROM = 300;
const DIMENSIONS = 16;
const [LARGE, SMALL] = [900, 100];
const signal = new AbortController().signal;

let place: PostgresPlace;
let client: pg.Client;
let store: EntryStore;
/** Compares all vectors, whatever their number. */
let exact: EntryStore;

beforeEach(async () => {
  place = await makePostgres('own');
  store = await openStore();
  exact = createEntryStore(await place.open());
  client = new pg.Client({ connectionString: place.url });
  client.on('error', () => {});
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await place.remove();
});

const openStore = async (most?: number) =>
  createEntryStore(await place.open(), {
    graphs: { from: FROM, runLong: createLongWorkRunner(place.url), ...(most !== undefined && { most }) },
  });
const tend = (one: EntryStore = store) => one.tendGraphs?.(signal);

/** Numbers in 0..1, always the same ones. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

function vectorsFrom(seed: number, dimensions = DIMENSIONS): () => Float32Array {
  const random = numbersFrom(seed);
  return () => {
    const numbers = Array.from({ length: dimensions }, () => random() - 0.5);
    const length = Math.hypot(...numbers);
    return Float32Array.from(numbers, (one) => one / length);
  };
}

async function fill(owner: string, count: number, collection = 'default'): Promise<void> {
  const additions = await Promise.all(
    Array.from({ length: count }, async (_, n) => ({
      owner,
      entry: { ...(await prepared({ text: `heron number ${n} of ${collection}` })), collection },
    })),
  );
  await store.insertEntries(additions);
}

async function embed(owner: string, model = 'm', next = vectorsFrom(7)): Promise<void> {
  const waiting = await store.listUnembedded(owner, model, 10_000);
  const vectors = waiting.map(({ place: at }) => ({ place: at, vector: next() }));
  await store.putVectors(owner, model, (vectors.at(-1)?.place ?? 0) + 1, vectors);
}

type Within = ReturnType<typeof createPassageNumberSet> | undefined;

async function nearest(of: EntryStore, vector: Float32Array, within?: Within, model = 'm') {
  const question = { text: 'heron', most: 50, within, near: { model, vector } };
  const found = await of.findCandidates?.('ann', question);
  return found?.near.slice(0, 10).map(({ place: at }) => at) ?? [];
}

/** Of the ten nearest of 20 questions, the part that is found. */
async function recall(within?: Within, model = 'm', dimensions = DIMENSIONS): Promise<number> {
  const next = vectorsFrom(99, dimensions);
  let hits = 0;
  for (let n = 0; n < 20; n++) {
    const vector = next();
    const right = await nearest(exact, vector, within, model);
    const found = new Set(await nearest(store, vector, within, model));
    expect(right).toHaveLength(10);
    hits += right.filter((at) => found.has(at)).length;
  }
  return hits / 200;
}

async function graphs(): Promise<{ name: string; valid: boolean; scans: number }[]> {
  const { rows } = await client.query(
    `SELECT c.relname AS name, x.indisvalid AS valid, coalesce(s.idx_scan, 0)::int AS scans
     FROM pg_class c JOIN pg_index x ON x.indexrelid = c.oid LEFT JOIN pg_stat_all_indexes s ON s.indexrelid = c.oid
     WHERE c.relname LIKE 'kb\\_graph\\_%' ORDER BY c.relname`,
  );
  return rows;
}
const names = async () => (await graphs()).map(({ name, valid }) => (valid ? name : `${name} broken`));

/** The plan of the statement that `kb_near` runs for an owner, with the settings that it has. */
async function planOf(owner: number, byGraph: boolean): Promise<string> {
  await client.query("SET hnsw.iterative_scan = 'relaxed_order'; SET hnsw.ef_search = 200");
  const first = `(CAST(1 AS bigint) << 55) + (CAST(${owner} AS bigint) << 31)`;
  const { rows } = await client.query(
    `SELECT kb_near_sql(${owner}, ${first}, ${DIMENSIONS}, ${byGraph}) AS text`,
  );
  const vector = `'[${vectorsFrom(3)().join(',')}]'::halfvec`;
  const values = [vector, 'NULL::bytea', 'NULL::bytea', 'NULL::int8multirange', '50'];
  const text = String(rows[0]?.text).replace(/\$(\d)/g, (_, at) => values[at - 1] ?? '');
  const plan = await client.query(`EXPLAIN (COSTS OFF) ${text}`);
  return plan.rows.map((row) => row['QUERY PLAN']).join('\n');
}

test('the index is built only for owners of many passages, is used, and agrees with an exhaustive comparison', async () => {
  await fill('ann', LARGE);
  await fill('bob', SMALL);
  await embed('ann');
  await embed('bob', 'm', vectorsFrom(8));
  // Until it is there all vectors are compared.
  expect(await recall()).toBe(1);
  expect(await tend()).toEqual({ built: 1, dropped: 0 });
  expect(await names()).toEqual([`kb_graph_1_1_${DIMENSIONS}`]);
  await client.query('ANALYZE kb_halfvecs');
  expect(await planOf(1, true)).toContain(`Index Scan using kb_graph_1_1_${DIMENSIONS}`);
  expect(await planOf(1, false)).not.toContain('kb_graph');
  expect(await planOf(2, true)).not.toContain('kb_graph');
  expect(await recall()).toBeGreaterThanOrEqual(0.99);
  // A connection says within some seconds what it has scanned.
  await expect.poll(async () => (await graphs())[0]?.scans).toBeGreaterThan(0);
  expect(await tend()).toEqual({ built: 0, dropped: 0 });
  // What comes later is found by it too.
  await fill('ann', 200, 'later');
  await embed('ann', 'm', vectorsFrom(21));
  expect(await recall()).toBeGreaterThanOrEqual(0.99);
});

test('a search applies its filters: the trash, a collection, unfinished files, and a few positions among many', async () => {
  await fill('ann', LARGE);
  await fill('ann', 600, 'herons');
  await fill('ann', 30, 'few');
  async function* pages() {
    yield Array.from({ length: 50 }, (_, n) => ({ title: 'File', text: `page ${n} of a file` }));
    await embed('ann');
    await tend();
    throw new Error('the file ends here');
  }
  await expect(store.putFile('ann', { name: 'a.pdf', title: 'A' }, pages())).rejects.toThrow('ends here');
  await tend();
  expect(await names()).toEqual([`kb_graph_1_1_${DIMENSIONS}`]);
  const within = async (collection: string) => {
    const places = await store.filterPlaces('ann', { collection });
    return createPassageNumberSet(places ?? []);
  };
  for (const collection of ['herons', 'few']) {
    const set = await within(collection);
    for (const at of await nearest(store, vectorsFrom(5)(), set)) expect(set.has(at)).toBe(true);
    expect(await recall(set)).toBeGreaterThanOrEqual(0.99);
  }
  const gone = await within('herons');
  await store.moveToTrash('ann', { collection: 'herons' });
  const next = vectorsFrom(6);
  for (let n = 0; n < 10; n++) {
    for (const at of await nearest(store, next())) expect(gone.has(at)).toBe(false);
  }
  expect(await recall()).toBeGreaterThanOrEqual(0.99);
});

test('where most of the near vectors are hidden, all vectors are compared', async () => {
  await fill('ann', LARGE);
  await fill('ann', 1500, 'crowd');
  const near = vectorsFrom(12)();
  const crowd = createPassageNumberSet((await store.filterPlaces('ann', { collection: 'crowd' })) ?? []);
  const next = vectorsFrom(13);
  const waiting = await store.listUnembedded('ann', 'm', 10_000);
  const vectors = waiting.map(({ place: at }) => {
    const vector = next();
    return {
      place: at,
      vector: crowd.has(at) ? vector.map((one, k) => 0.05 * one + (near[k] ?? 0)) : vector,
    };
  });
  await store.putVectors('ann', 'm', 10_000, vectors);
  await tend();
  const rest = createPassageNumberSet((await store.filterPlaces('ann', { collection: 'default' })) ?? []);
  expect(rest.size).toBeGreaterThan(FROM);
  expect(await nearest(store, near, rest)).toEqual(await nearest(exact, near, rest));
});

test('an index is removed with a reset, rebuilt with a restore, and removed with a model', async () => {
  await fill('ann', LARGE);
  await embed('ann');
  await tend();
  await store.moveToTrash('ann');
  expect(await tend()).toEqual({ built: 0, dropped: 1 });
  expect(await names()).toEqual([]);
  await store.restoreFromTrash('ann', 'all');
  await embed('ann');
  expect(await tend()).toEqual({ built: 1, dropped: 0 });
  expect(await recall()).toBeGreaterThanOrEqual(0.99);
  // Another model with longer vectors, beside the old one for a time.
  await embed('ann', 'n', vectorsFrom(31, 24));
  await tend();
  expect(await names()).toEqual(['kb_graph_1_1_16', 'kb_graph_1_2_24']);
  expect(await recall(undefined, 'n', 24)).toBeGreaterThanOrEqual(0.99);
  // A vector of another length is written all the same.
  const [at] = await store.listPlaces('ann', 1, 1);
  await store.putVectors('ann', 'n', LARGE, [{ place: at ?? 1, vector: vectorsFrom(1, 8)() }]);
  await client.query('UPDATE kb_embedded SET below = 0 WHERE model = 1');
  expect(await tend()).toEqual({ built: 0, dropped: 1 });
  expect(await names()).toEqual(['kb_graph_1_2_24']);
  await store.removeAllEntries('ann');
  await store.purgeTrash(Number.MAX_SAFE_INTEGER, signal);
  expect(await tend()).toEqual({ built: 0, dropped: 1 });
});

test('an interrupted build is found and repeated, and another node works without it meanwhile', async () => {
  await fill('ann', LARGE);
  await embed('ann');
  // An older transaction keeps the build from its end: it waits for all that may see other rows.
  const other = new pg.Client({ connectionString: place.url });
  await other.connect();
  await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await other.query('SELECT count(*) FROM kb_halfvecs');
  const broken = expect(tend()).rejects.toMatchObject({ code: 'unavailable' });
  const builder =
    "SELECT pid FROM pg_stat_activity WHERE query LIKE '%CREATE INDEX CONCURRENTLY%' AND pid <> pg_backend_pid() AND wait_event IS NOT NULL AND datname = current_database()";
  let pid: number | undefined;
  await expect
    .poll(async () => {
      pid = (await client.query(builder)).rows[0]?.pid;
      return pid !== undefined && (await graphs()).length;
    })
    .toBe(1);
  // Another node has nothing to do while one builds, inserts go on, and all vectors are compared.
  expect(await tend(await openStore())).toEqual({ built: 0, dropped: 0 });
  await fill('ann', 20, 'meanwhile');
  await embed('ann', 'm', vectorsFrom(41));
  expect(await recall()).toBe(1);
  await client.query('SELECT pg_terminate_backend($1)', [pid]);
  await broken;
  await other.query('ROLLBACK');
  await other.end();
  expect(await names()).toEqual(['kb_graph_1_1_16 broken']);
  expect(await recall()).toBe(1);
  expect(await tend()).toEqual({ built: 1, dropped: 1 });
  expect(await names()).toEqual(['kb_graph_1_1_16']);
  expect(await recall()).toBeGreaterThanOrEqual(0.99);
});

test('two nodes at once build one index, and a node that stops ends its build', async () => {
  await fill('ann', LARGE);
  await embed('ann');
  const other = new pg.Client({ connectionString: place.url });
  await other.connect();
  await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await other.query('SELECT count(*) FROM kb_halfvecs');
  const stop = new AbortController();
  const stopped = expect(store.tendGraphs?.(stop.signal)).rejects.toThrow('the node stops');
  await expect.poll(names).toEqual(['kb_graph_1_1_16 broken']);
  stop.abort(new Error('the node stops'));
  await stopped;
  await other.query('ROLLBACK');
  await other.end();
  const builders =
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'magpie long work' AND datname = current_database()";
  await expect.poll(async () => (await client.query(builders)).rows[0]?.n).toBe(0);
  const second = await openStore();
  const done = await Promise.all([tend(), tend(second)]);
  expect(done.reduce((sum, one) => sum + (one?.built ?? 0), 0)).toBe(1);
  expect(await names()).toEqual(['kb_graph_1_1_16']);
});

test('no more indexes are built than allowed, for the owners of the most vectors, and none by a pgvector that may damage them', async () => {
  await fill('ann', FROM);
  await fill('bob', FROM + 50);
  await embed('ann');
  await embed('bob', 'm', vectorsFrom(8));
  const version = (name: string) =>
    place.administer(`UPDATE pg_extension SET extversion = '${name}' WHERE extname = 'vector'`);
  const { rows } = await client.query("SELECT extversion FROM pg_extension WHERE extname = 'vector'");
  for (const old of ['0.8.3', '0.7.9']) {
    await version(old);
    await expect(tend()).rejects.toThrow(`pgvector ${old} may damage indexes`);
  }
  expect(await names()).toEqual([]);
  await version('0.10.0');
  expect(await tend(await openStore(1))).toEqual({ built: 1, dropped: 0 });
  expect(await names()).toEqual([`kb_graph_2_1_${DIMENSIONS}`]);
  await version(rows[0]?.extversion);
  expect(await tend()).toEqual({ built: 1, dropped: 0 });
  expect(await names()).toEqual([`kb_graph_1_1_${DIMENSIONS}`, `kb_graph_2_1_${DIMENSIONS}`]);
});
