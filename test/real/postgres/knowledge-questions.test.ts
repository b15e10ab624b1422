import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { openGrowingIndex } from '../../../src/knowledge/indexes/growing.ts';
import { createKnowledge } from '../../../src/knowledge/knowledge.ts';
import type { EntryStore } from '../../../src/knowledge/store.ts';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import { type AnyDatabase, type Sql, toAnyDatabase } from '../../../src/storage/any-database.ts';
import { openDatabase } from '../../../src/storage/sqlite.ts';
import { addEntry } from '../../helpers/entry-stores.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { dropPostgres, makePostgres, type PostgresPlace } from '../../helpers/postgres.ts';
import { createWordEmbedder } from '../../helpers/word-embedder.ts';

/** How often a call waits for the database, and that its answers are those of SQLite. */

let place: PostgresPlace;
let asked = 0;
let store: EntryStore;

/** Statements that are sent together are waited for once. */
function counting(db: AnyDatabase): AnyDatabase {
  const noting = (sql: Sql): Sql => ({
    ...sql,
    all(text, ...values) {
      asked++;
      return sql.all(text, ...values);
    },
    get(text, ...values) {
      asked++;
      return sql.get(text, ...values);
    },
    allEach(statements) {
      asked++;
      return sql.allEach(statements);
    },
  });
  return { ...db, read: (work) => db.read((sql) => work(noting(sql))) };
}

beforeEach(async () => {
  place = await makePostgres();
  store = createEntryStore(counting(await place.open()));
});
afterEach(() => place.remove());
afterAll(dropPostgres);

const WORDS = 'heron egret magpie thrush wren robin sparrow finch owl kite swift crane'.split(' ');
const textOf = (n: number) =>
  Array.from({ length: 20 }, (_, at) => WORDS[(n * (at + 3) + at * at) % WORDS.length]).join(' ');

test('a question of many words makes as many database round trips as a question of one word', async () => {
  for (let n = 0; n < 5; n++) await addEntry(store, 'ann', `${textOf(n)} ${n}`);
  await store.findByWords('ann', 'heron', 10);
  const counts: number[] = [];
  for (const text of ['heron', WORDS.join(' ')]) {
    asked = 0;
    expect((await store.findByWords('ann', text, 10)).scored.length).toBeGreaterThan(0);
    counts.push(asked);
  }
  expect(counts).toEqual([1, 1]);
});

test('scores and the choice of rare and common words are the same as with SQLite', async () => {
  const folder = temporaryFolder();
  const file = await openDatabase({ folder: folder.path });
  try {
    const other = createEntryStore(toAnyDatabase(file));
    for (let n = 0; n < 60; n++) {
      for (const one of [store, other]) await addEntry(one, 'ann', `${textOf(n)} number${n}`);
    }
    for (const text of [WORDS.join(' '), 'heron number7 number8', 'nothing of it', 'owl owl kite']) {
      expect(await store.findByWords('ann', text, 50)).toEqual(await other.findByWords('ann', text, 50));
    }
  } finally {
    file.close();
    folder.remove();
  }
});

test('the newest of contradicting entries comes first, whether it was inserted or replaced another by its key', async () => {
  const signal = AbortSignal.timeout(60_000);
  const knowledge = createKnowledge({
    store,
    embedder: createWordEmbedder(),
    openIndex: openGrowingIndex,
    log: { warn() {}, info() {} },
  });
  const keep = async (code: number, key = '') =>
    (await knowledge.insertEntry('ann', { text: `The gate code is ${code}.`, key }, signal)).id;
  const first = async () => (await knowledge.findPassages('ann', 'gate code 1111', {}, signal))[0];
  const keyed = await keep(1111, 'gate');
  const plain = await keep(2222);
  expect(await first()).toMatchObject({ passage: { of: plain }, replaces: [keyed] });
  await keep(3333, 'gate');
  expect(await first()).toMatchObject({ passage: { of: keyed }, replaces: [plain] });
  await knowledge.close();
});
