import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { chunkEntry, normalizeEntry } from '../src/knowledge/entries/new-entry.ts';
import { createEntryStore } from '../src/knowledge/stores/entry-store.ts';
import type { AnyDatabase, Sql } from '../src/storage/any-database.ts';
import { openPostgres } from '../src/storage/postgres/open.ts';
import { printTable } from './figures.ts';
import { DIMENSIONS, passageTexts, questionFrom, vectorsOf } from './kb-data.ts';

/**
 * What the knowledge base takes on PostgreSQL: bytes of each table a passage, what one insert writes to the log, and how many questions
 * the calls of a query ask. `DATABASE_URL=postgres://... npm run bench -- postgres` on an empty database of its own, with nothing
 * else at work on the server, since the log is that of all its databases; `--entries <n>`.
 */

const WINDOW = 256;
const AT_ONCE = 100;
const OWNERS = 20;
const MODEL = 'bench';
const TABLES = [
  'kb_entries',
  'kb_passages',
  'kb_words',
  'kb_halfvecs',
  'kb_owners',
  'kb_embedded',
  'kb_changes',
];

/** Sizes of a table with its partitions. */
const SIZES = `
  SELECT coalesce(sum(pg_table_size(part)), 0) AS rows, coalesce(sum(pg_indexes_size(part)), 0) AS indexes
  FROM (SELECT CAST(? AS regclass) AS part UNION SELECT relid FROM pg_partition_tree(CAST(? AS regclass)) WHERE isleaf) AS parts`;

interface Size {
  readonly rows: number;
  readonly indexes: number;
}

export async function run(args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { entries: { type: 'string', default: '20000' } },
  });
  const url = process.env.DATABASE_URL;
  if (!url?.startsWith('postgres')) {
    process.stdout.write('\n## postgres: left out, DATABASE_URL names no database\n');
    return;
  }
  const opened = await openPostgres({ url });
  const asked = { count: 0 };
  const db = counting(opened, asked);
  const store = createEntryStore(db);
  const prefix = randomUUID().slice(0, 8);
  const ownerOf = (n: number) => `${prefix}-${n % OWNERS}`;
  const nextText = passageTexts();
  const additionOf = async (n: number) => ({
    owner: ownerOf(n),
    entry: await chunkEntry(normalizeEntry({ text: `${nextText()} ${n}` }), WINDOW),
  });
  try {
    const before = await sizesOf(opened);
    let passages = 0;
    const entries = Number(values.entries);
    for (let from = 0; from < entries; from += AT_ONCE) {
      const some = await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => additionOf(from + at)));
      for (const one of await store.insertEntries(some)) passages += one.passages;
    }
    for (let n = 0; n < OWNERS; n++) await embedAll(store, ownerOf(n));
    await opened.writeAutocommit((sql) => sql.run('ANALYZE kb_passages'));
    const after = await sizesOf(opened);
    process.stdout.write(
      `\n## postgres: bytes a passage, ${entries} entries, ${passages} passages of ${OWNERS} users, vectors of ${DIMENSIONS} numbers\n\n`,
    );
    printTable(['table', 'rows', 'indexes', 'together'], rowsOf(before, after, passages));
    await printWrites(opened, store, additionOf, ownerOf(0), entries);
    await printQuestions(store, asked, ownerOf(1), questionFrom(nextText(), Math.random));
  } finally {
    for (let n = 0; n < OWNERS; n++) await store.removeAllEntries(ownerOf(n));
    await opened.close();
  }
}

const nextVector = vectorsOf(5);

type Store = ReturnType<typeof createEntryStore>;

async function embedAll(store: Store, owner: string): Promise<void> {
  for (;;) {
    const some = await store.listUnembedded(owner, MODEL, 500);
    const last = some.at(-1);
    if (!last) return;
    const vectors = some.map(({ place }) => ({ place, vector: nextVector() }));
    await store.putVectors(owner, MODEL, last.place + 1, vectors);
  }
}

async function sizesOf(db: AnyDatabase): Promise<Map<string, Size>> {
  return db.read(function* (sql) {
    const sizes = new Map<string, Size>();
    for (const table of TABLES) {
      sizes.set(table, (yield* sql.get<Size>(SIZES, table, table)) ?? { rows: 0, indexes: 0 });
    }
    return sizes;
  });
}

function rowsOf(before: Map<string, Size>, after: Map<string, Size>, passages: number): string[][] {
  const rows = TABLES.map((table): [string, number, number] => {
    const [one, other] = [before.get(table), after.get(table)];
    return [
      table,
      ((other?.rows ?? 0) - (one?.rows ?? 0)) / passages,
      ((other?.indexes ?? 0) - (one?.indexes ?? 0)) / passages,
    ];
  });
  const sum = (at: 1 | 2) => rows.reduce((all, row) => all + row[at], 0);
  return [...rows, ['all', sum(1), sum(2)] as [string, number, number]].map(([name, own, indexes]) => [
    name,
    own.toFixed(0),
    indexes.toFixed(0),
    (own + indexes).toFixed(0),
  ]);
}

async function printWrites(
  db: AnyDatabase,
  store: Store,
  additionOf: (n: number) => Promise<Parameters<Store['insertEntries']>[0][number]>,
  owner: string,
  next: number,
): Promise<void> {
  const position = async () =>
    (await db.read((sql) => sql.get<{ at: number }>("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS at")))
      ?.at ?? 0;
  const measure = async (count: number, work: () => Promise<unknown>) => {
    await db.writeAutocommit((sql) => sql.run('CHECKPOINT'));
    // The first write of a page after a checkpoint takes the whole page along; these are counted apart.
    const first = await position();
    await work();
    return ((await position()) - first) / count;
  };
  const insert = (from: number, count: number) => async () => {
    for (let n = 0; n < count; n++) await store.insertEntries([{ ...(await additionOf(from + n)), owner }]);
  };
  const cold = await measure(20, insert(next, 20));
  const at = await position();
  await insert(next + 20, 200)();
  const warm = ((await position()) - at) / 200;
  process.stdout.write('\n## postgres: bytes that an insert of one passage writes to the log\n\n');
  printTable(
    ['when', 'bytes'],
    [
      ['the 20 after a checkpoint, whole pages included', cold.toFixed(0)],
      ['200 later ones', warm.toFixed(0)],
    ],
  );
}

async function printQuestions(
  store: Store,
  asked: { count: number },
  owner: string,
  text: string,
): Promise<void> {
  const places = (await store.listPlaces(owner, 1, 100)).slice(0, 100);
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    'insert of one entry': async () =>
      store.insertEntries([
        { owner, entry: await chunkEntry(normalizeEntry({ text: `${text} ${randomUUID()}` }), WINDOW) },
      ]),
    [`findByWords (${text.split(' ').length} words)`]: () => store.findByWords(owner, text, 400),
    readStanding: () => store.readStanding(owner, MODEL),
    listHiddenPassages: () => store.listHiddenPassages(owner),
    'readPassages of 100': () => store.readPassages(owner, places),
    'readVectors of 100': () => store.readVectors(owner, MODEL, places),
  };
  const rows: string[][] = [];
  for (const [name, call] of Object.entries(calls)) {
    await call();
    asked.count = 0;
    await call();
    rows.push([name, `${asked.count}`]);
  }
  process.stdout.write(
    '\n## postgres: questions one after the other (each a way there and back), the second time\n\n',
  );
  printTable(['call', 'questions'], rows);
}

/** Counts what is waited for; statements that are sent together count as one. */
function counting(db: AnyDatabase, asked: { count: number }): AnyDatabase {
  const noting = (sql: Sql): Sql => {
    const noted =
      <Args extends readonly unknown[], T>(ask: (...args: Args) => T) =>
      (...args: Args): T => {
        asked.count++;
        return ask(...args);
      };
    return {
      dialect: sql.dialect,
      all: noted(sql.all) as Sql['all'],
      get: noted(sql.get) as Sql['get'],
      run: noted(sql.run),
      allEach: noted(sql.allEach) as Sql['allEach'],
      send: sql.send,
      sendEach: sql.sendEach,
      lockName: sql.lockName,
    };
  };
  return {
    ...db,
    read: (work) => db.read((sql) => work(noting(sql))),
    // COMMIT, with what was sent before it; BEGIN goes out with the first statement.
    write: (work) => {
      asked.count++;
      return db.write((sql) => work(noting(sql)));
    },
    remove: (work) => db.remove((sql) => work(noting(sql))),
  };
}
