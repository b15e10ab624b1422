import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EntryStore } from '../../../src/knowledge/store.ts';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import type { AnyDatabase, SqlValue } from '../../../src/storage/any-database.ts';
import { prepareText as numbered } from '../../../src/storage/postgres/prepare-text.ts';
import { addEntry, longText, prepared } from '../../helpers/entry-stores.ts';
import { dropPostgres, makePostgres, type PostgresPlace } from '../../helpers/postgres.ts';
import { recordedDatabase } from '../../helpers/recorded-database.ts';

/** What grows with the passages of users lies in partitions by owner, and every statement asks one of them. */

const GROWING = ['kb_passages', 'kb_words', 'kb_halfvecs'];

let place: PostgresPlace;
let db: AnyDatabase;
let client: pg.Client;

beforeAll(async () => {
  place = await makePostgres();
  db = await place.open();
  client = new pg.Client({ connectionString: place.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await place.remove();
  await dropPostgres();
});

test('each partitioned table is distributed by its owner alone, in 16 parts, and the owner begins every key', async () => {
  const { rows } = await client.query(
    `SELECT c.relname AS name, pg_get_partkeydef(c.oid) AS by, count(i.inhrelid)::int AS parts,
       (SELECT array_agg(pg_get_indexdef(x.indexrelid, 1, true)) FROM pg_index x WHERE x.indrelid = c.oid AND x.indisunique) AS first
     FROM pg_class c JOIN pg_inherits i ON i.inhparent = c.oid
     WHERE c.relkind = 'p' AND c.relnamespace = 'public'::regnamespace GROUP BY c.oid, c.relname ORDER BY c.relname`,
  );
  expect(rows.map(({ name }) => name)).toEqual([
    'document_pages',
    ...[...GROWING, 'kb_vectors'].toSorted(),
    'page_versions',
    'pages',
  ]);
  for (const { name, by, parts, first } of rows) {
    expect([name, by, parts]).toEqual([name, 'HASH (owner)', 16]);
    for (const column of first) expect([name, column]).toEqual([name, 'owner']);
  }
});

const vectorOf = (n: number) => Float32Array.from([Math.cos(n), Math.sin(n)]);

async function* file() {
  yield Array.from({ length: 30 }, (_, n) => ({ title: 'File', text: `page ${n} of a file`, page: n + 1 }));
}

/** Calls every method of the store that reads or writes passages, words or vectors. */
async function useAll(store: EntryStore): Promise<void> {
  const signal = new AbortController().signal;
  const { id } = await addEntry(store, 'ann', longText(5));
  await addEntry(store, 'bob', 'what another owner keeps');
  await store.putFile('ann', { name: 'a.pdf', title: 'A file' }, file());
  const places = await store.listPlaces('ann', 1, 100);
  const vectors = places.slice(0, 5).map((place) => ({ place, vector: vectorOf(place) }));
  for (const model of ['m', 'n']) await store.putVectors('ann', model, 6, vectors);
  await store.listUnembedded('ann', 'm', 10);
  await store.countPending('ann', 'm');
  await store.listWaitingOwners('m');
  await store.readProgress('m');
  await store.listVectors('ann', 'm', 1, 10);
  await store.readVectors('ann', 'm', [1, 2]);
  await store.findByWords('ann', 'a magpie on a page of a file', 10);
  const near = { model: 'm', vector: vectorOf(1) };
  await store.findCandidates?.('ann', { text: 'a magpie', most: 10, within: undefined, near });
  await store.findSharing('ann', ['magpi', 'file'], { collection: 'default', limit: 5, chars: 100 });
  await store.readPassages('ann', places);
  await store.readStarts('ann', places);
  await store.readNeighbours('ann', 2, 2);
  await store.listFilePlaces('ann', 'a.pdf', { fromPage: 1, toPage: 9 });
  await store.findEntry('ann', id);
  await store.updateEntry('ann', id, await prepared({ text: longText(4, 'heron'), title: 'Another' }));
  await store.listTrash('ann', 10);
  await store.restoreFromTrash('ann', 'latest');
  await store.restoreFromTrash('ann', { entry: id });
  await store.moveToTrash('ann', id);
  await store.restoreFromTrash('ann', 'all');
  await store.setAsideVectors('m', 3);
  await store.dropUnused({ common: 'n', multilingual: 'o' });
  await store.tendModels({ common: 'n' });
  await store.settleLanguages(signal);
  await store.removeFile('ann', 'a.pdf');
  await store.moveToTrash('ann');
  await store.purgeTrash(Number.MAX_SAFE_INTEGER, signal);
  await addEntry(store, 'ann', 'one more');
  await store.removeAllEntries('ann');
  await store.cleanUp(signal);
}

const PARTITION = /"Relation Name":"kb_(passages|words|halfvecs)_(\d+)"/g;

test('every statement on partitioned tables uses the partition of one owner', async () => {
  const asked = new Map<string, readonly SqlValue[]>();
  await useAll(createEntryStore(recordedDatabase(db, asked)));
  const onGrowing = [...asked].filter(([text]) => GROWING.some((table) => text.includes(table)));
  for (const table of GROWING) expect(onGrowing.some(([text]) => text.includes(table))).toBe(true);
  // Each statement that names a table is among them: what is in the source was sent.
  expect(onGrowing.length).toBeGreaterThan(20);
  for (const [text, values] of onGrowing) {
    const { rows } = await client.query(`EXPLAIN (COSTS OFF, FORMAT JSON) ${numbered(text).text}`, [
      ...values,
    ]);
    const plan = JSON.stringify(rows.map((row) => row['QUERY PLAN']));
    const numbers = new Set([...plan.matchAll(PARTITION)].map(([, , number]) => number));
    // None where the values of a range exclude all rows, and of an insertion, which finds its partition by the row.
    expect([text, plan, numbers.size < 2]).toEqual([text, plan, true]);
  }
});
