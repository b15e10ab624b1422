import pg from 'pg';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { EntryStore } from '../../../src/knowledge/store.ts';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import { addEntry, prepared } from '../../helpers/entry-stores.ts';
import { dropPostgres, makePostgres, type PostgresPlace } from '../../helpers/postgres.ts';

/** Two nodes that write to one knowledge base at once. */

let place: PostgresPlace;
let one: EntryStore;
let other: EntryStore;
let reader: EntryStore;
const clients: pg.Client[] = [];

beforeEach(async () => {
  place = await makePostgres();
  [one, other, reader] = await Promise.all([open(), open(), open()]);
  // What is written from here on is read.
  await Promise.all([one.readChanges(), other.readChanges(), reader.readChanges()]);
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end();
  await place.remove();
});
afterAll(dropPostgres);

const open = async () => createEntryStore(await place.open());

/** A connection of its own, as a node that stands still in the middle of a step. */
async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: place.url });
  await client.connect();
  clients.push(client);
  return client;
}

async function readIds(store: EntryStore): Promise<string[]> {
  return (await store.readChanges()).flatMap(({ ids }) => ids);
}

test('two nodes with many concurrent owners lose nothing, and each change is read once', async () => {
  const owners = Array.from({ length: 24 }, (_, n) => `owner-${n}`);
  const [own, seen]: [Set<string>, string[]] = [new Set(), []];
  let writing = true;
  const reading = (async () => {
    while (writing) seen.push(...(await readIds(reader)));
  })();
  await Promise.all(
    owners.flatMap((owner, n) =>
      [one, other].map(async (store, at) => {
        for (let i = 0; i < 6; i++) {
          // Every second text is the same on both nodes.
          const text = i % 2 === 0 ? `text ${i} of ${owner}` : `text ${i} of ${owner} on ${at}`;
          own.add((await addEntry(store, owner, text)).id);
        }
        // Several owners in one step, in another order on each node.
        const named = at === 0 ? [owner, `next-${n}`] : [`next-${n}`, owner];
        for (const name of named) own.add((await addEntry(store, name, `shared by ${name}`)).id);
      }),
    ),
  );
  writing = false;
  await reading;
  seen.push(...(await readIds(reader)));
  expect([...new Set(seen)].sort()).toEqual([...own].sort());
  expect(seen).toHaveLength(own.size);
  for (const owner of owners) {
    const { records, passages } = await other.readCounts(owner);
    expect([owner, records, passages]).toEqual([owner, 10, 10]);
    const places = await one.listPlaces(owner, 1, 100);
    expect(places).toEqual(Array.from({ length: 10 }, (_, at) => at + 1));
  }
});

test('concurrent additions of several owners in opposite orders are all stored', async () => {
  const names = Array.from({ length: 12 }, (_, n) => `owner-${n}`);
  const addAll = async (store: EntryStore, order: readonly string[], text: string) =>
    store.insertEntries(
      await Promise.all(order.map(async (owner) => ({ owner, entry: await prepared({ text }) }))),
    );
  await addAll(one, names, 'the first of each');
  for (let round = 0; round < 5; round++) {
    await Promise.all([
      addAll(one, names, `one ${round}`),
      addAll(other, names.toReversed(), `other ${round}`),
    ]);
  }
  for (const owner of names) expect((await one.readCounts(owner)).records).toBe(11);
});

test('a blocked step of one owner delays only that owner, until the step ends', async () => {
  await addEntry(one, 'ann', 'a first text');
  const client = await connect();
  await client.query('BEGIN');
  await client.query("SELECT 1 FROM kb_owners WHERE name = 'ann' FOR NO KEY UPDATE");
  let done = false;
  const held = addEntry(one, 'ann', 'a second text').then((added) => {
    done = true;
    return added;
  });
  for (const store of [one, other]) {
    for (const owner of ['bob', 'cal', 'dan']) await addEntry(store, owner, 'a text of another owner');
  }
  expect(done).toBe(false);
  await client.query('COMMIT');
  await held;
  expect((await other.readCounts('ann')).records).toBe(2);
});

test('a change that began first and ended last is read once', async () => {
  await addEntry(one, 'ann', 'a first text');
  await readIds(reader);
  const client = await connect();
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO kb_changes (writer, owner, what) SELECT 1, id, 'doc://late.pdf' FROM kb_owners WHERE name = 'ann'`,
  );
  const { id } = await addEntry(other, 'bob', 'begun later, and there at once');
  expect(await readIds(reader)).toEqual([id]);
  expect(await readIds(reader)).toEqual([]);
  // One that opens now reads what was begun before and ends after.
  const late = await open();
  expect(await readIds(late)).toEqual([]);
  await client.query('COMMIT');
  expect(await readIds(reader)).toEqual(['doc://late.pdf']);
  expect(await readIds(late)).toEqual(['doc://late.pdf']);
  expect(await readIds(reader)).toEqual([]);
});

test('changes beyond the size of one reading are read in order, each once', async () => {
  await addEntry(one, 'ann', 'a text');
  await readIds(reader);
  const client = await connect();
  await client.query(
    `INSERT INTO kb_changes (writer, owner, what)
     SELECT 1, o.id, 'doc://' || n FROM kb_owners AS o, generate_series(1, 25000) AS n WHERE o.name = 'ann'`,
  );
  const seen: string[] = [];
  for (let some = await readIds(reader); some.length > 0; some = await readIds(reader)) seen.push(...some);
  expect(seen).toEqual(Array.from({ length: 25_000 }, (_, n) => `doc://${n + 1}`));
});

test('transaction numbers of another server, as in a restored dump, are skipped', async () => {
  await addEntry(one, 'ann', 'a text');
  const client = await connect();
  await client.query(
    `INSERT INTO kb_changes (writer, owner, what, tx)
     SELECT 1, id, 'doc://dumped.pdf', CAST('9000000000000' AS xid8) FROM kb_owners WHERE name = 'ann'`,
  );
  expect(await readIds(await open())).toEqual([]);
  await readIds(reader);
  const { id } = await addEntry(other, 'ann', 'another text');
  expect(await readIds(reader)).toEqual([id]);
});
