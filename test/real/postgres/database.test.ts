import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { DatabaseFailure } from '../../../src/errors.ts';
import { runWithCallSignal } from '../../../src/lib/concurrency/call-signal.ts';
import type { AnyDatabase } from '../../../src/storage/any-database.ts';
import { openPostgres } from '../../../src/storage/postgres/open.ts';
import type { PostgresMigration } from '../../../src/storage/postgres/schema/migration.ts';
import { checkPostgres } from '../../../src/wiring/data/check-postgres.ts';
import { dropPostgres, makePostgres, type PostgresPlace } from '../../helpers/postgres.ts';

const TABLE: PostgresMigration = {
  id: 1,
  name: 't',
  oldest: 1,
  sql: `CREATE TABLE magpie_migrations (id bigint PRIMARY KEY, name text, oldest bigint, at bigint);
    CREATE TABLE t (x bigint PRIMARY KEY, text text, bytes bytea)`,
};

let place: PostgresPlace;
let opened: AnyDatabase[];
let db: AnyDatabase;
const open = async (options: Partial<Parameters<typeof openPostgres>[0]> = {}) => {
  const one = await openPostgres({ url: place.url, migrations: [TABLE], ...options });
  opened.push(one);
  return one;
};
beforeAll(async () => {
  place = await makePostgres('none');
});
beforeEach(async () => {
  opened = [];
  db = await open();
});
afterEach(async () => {
  for (const one of opened) await one.close();
  await place.administer('DROP TABLE IF EXISTS magpie_migrations, t, u');
});
afterAll(async () => {
  await place.remove();
  await dropPostgres();
});

const rows = async (on = db) =>
  (await on.read((sql) => sql.all<{ x: number }>('SELECT x FROM t ORDER BY x'))).map(({ x }) => x);
const insert = (x: number, on = db) => on.write((sql) => sql.run('INSERT INTO t (x) VALUES (?)', x));

test('a write is applied whole or not at all', async () => {
  expect(await insert(1)).toBe(1);
  await expect(
    db.write(function* (sql) {
      yield* sql.run('INSERT INTO t (x) VALUES (2)');
      throw new Error('stop');
    }),
  ).rejects.toThrow('stop');
  await expect(
    db.write(function* (sql) {
      yield* sql.run('INSERT INTO t (x) VALUES (3)');
      yield* sql.run('INSERT INTO t (x) VALUES (1)');
    }),
  ).rejects.toMatchObject({ code: '23505' });
  expect(await rows()).toEqual([1]);
});

test('a step can catch the error of a statement', async () => {
  const caught = await db.read(function* (sql) {
    try {
      return yield* sql.all('SELECT nothing FROM t');
    } catch {
      return 'caught';
    }
  });
  expect(caught).toBe('caught');
});

test('a transaction of several steps is applied whole or not at all, and nested steps belong to it', async () => {
  await db.transaction('t', async (part) => {
    await insert(1, part);
    expect(await rows(part)).toEqual([1]);
    expect(await rows()).toEqual([]);
    await part.transaction('t', (inner) => insert(2, inner));
  });
  await expect(
    db.transaction('t', async (part) => {
      await insert(3, part);
      throw new Error('stop');
    }),
  ).rejects.toThrow('stop');
  expect(await rows()).toEqual([1, 2]);
});

test('exclusive steps of the same name run one after the other, on all connections of all nodes', async () => {
  const other = await open();
  const addNext = (on: AnyDatabase) =>
    on.write(function* (sql) {
      yield* sql.lockName('next');
      const { last = 0 } = (yield* sql.get<{ last: number | null }>('SELECT max(x) AS last FROM t')) ?? {};
      yield* sql.run('INSERT INTO t (x) VALUES (?)', (last ?? 0) + 1);
    });
  await Promise.all(Array.from({ length: 40 }, (_, at) => addNext(at % 2 ? db : other)));
  expect(await rows()).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
});

test('steps beyond the number of connections wait for their turn', async () => {
  const few = await open({ connections: 2 });
  await Promise.all(Array.from({ length: 50 }, (_, at) => insert(at, few)));
  expect(await rows()).toHaveLength(50);
});

test('a step that the server aborts in favour of another is retried', async () => {
  await Promise.all([insert(1), insert(2)]);
  const swap = (first: number, second: number) =>
    db.write(function* (sql) {
      yield* sql.run("UPDATE t SET text = coalesce(text, '') || 'a' WHERE x = ?", first);
      yield* sql.get('SELECT pg_sleep(0.2)');
      yield* sql.run("UPDATE t SET text = coalesce(text, '') || 'a' WHERE x = ?", second);
    });
  await Promise.all([swap(1, 2), swap(2, 1)]);
  const texts = await db.read((sql) => sql.all<{ text: string }>('SELECT text FROM t'));
  expect(texts.map(({ text }) => text)).toEqual(['aa', 'aa']);
});

test('numbers, booleans, texts and bytes are returned as from SQLite', async () => {
  const bytes = Buffer.from([0, 1, 255]);
  await db.write((sql) =>
    sql.run('INSERT INTO t VALUES (?, ?, ?)', 9_007_199_254_740_991, 'it\0s 🐦', bytes),
  );
  const row = await db.read((sql) =>
    sql.get(
      'SELECT x, text, bytes, count(*) OVER () AS n, sum(x) OVER () AS sum, x > 1 AS more, NULL AS none FROM t',
    ),
  );
  expect(row).toMatchObject({ x: 9_007_199_254_740_991, text: 'it\0s 🐦', n: 1, more: 1, none: null });
  expect(Buffer.compare((row as { bytes: Buffer }).bytes, bytes)).toBe(0);
  expect(await db.read((sql) => sql.get('SELECT 1 WHERE 1 = 2'))).toBeUndefined();
});

test('one statement for many lists of values is sent as one batch, and applied whole or not at all', async () => {
  const insertAll = (...all: number[]) =>
    db.write((sql) =>
      sql.sendEach(
        'INSERT INTO t (x) VALUES (?)',
        all.map((x) => [x]),
      ),
    );
  await insertAll(1, 2, 3);
  await expect(insertAll(4, 1, 5)).rejects.toMatchObject({ code: '23505' });
  await insertAll();
  expect(await rows()).toEqual([1, 2, 3]);
});

test('a statement that is sent without waiting fails its step with its own error, whatever was sent after it', async () => {
  await insert(1);
  const afterFailed = (...after: readonly ('send' | 'get')[]) =>
    db.write(function* (sql) {
      yield* sql.send('INSERT INTO t (x) VALUES (2)');
      yield* sql.send('INSERT INTO t (x) VALUES (1)');
      for (const how of after) yield* sql[how]('UPDATE t SET text = text');
    });
  for (const after of [[], ['send'], ['get'], ['send', 'get', 'send']] as const) {
    await expect(afterFailed(...after)).rejects.toMatchObject({ code: '23505' });
  }
  await expect(
    db.write(function* (sql) {
      yield* sql.send('INSERT INTO t (x) VALUES (1)');
      throw new Error('stop');
    }),
  ).rejects.toThrow('stop');
  expect(await rows()).toEqual([1]);
});

test('a step that continues after a failed statement is not reported as written', async () => {
  await expect(
    db.write(function* (sql) {
      yield* sql.send('INSERT INTO t (x) VALUES (1)');
      try {
        yield* sql.run('INSERT INTO t (x) VALUES (1)');
      } catch {}
    }),
  ).rejects.toThrow('went on after a statement that failed');
  expect(await rows()).toEqual([]);
});

test('SQL in a template runs on PostgreSQL, also within a transaction', async () => {
  await db.write((sql) => sql.run`INSERT INTO t VALUES (${1}), (${2})`);
  expect(await db.remove((sql) => sql.run`DELETE FROM t WHERE x = ${1}`)).toBe(1);
  await expect(
    db.transaction('t', async (part) => {
      await part.write((sql) => sql.run`INSERT INTO t VALUES (${3})`);
      throw new Error('stop');
    }),
  ).rejects.toThrow('stop');
  expect(await db.read((sql) => sql.get`SELECT count(*) AS n FROM t`)).toEqual({ n: 1 });
});

const RUNNING =
  "SELECT count(*) AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(6%' AND pid <> pg_backend_pid()";
const sleepers = async () => (await db.read((sql) => sql.get<{ n: number }>(RUNNING)))?.n;

test('a read ends with its call, and its connection stays usable', async () => {
  const one = await open({ connections: 1, statementMs: 600_000 });
  const call = new AbortController();
  const read = runWithCallSignal(call.signal, () => one.read((sql) => sql.get('SELECT pg_sleep(600)')));
  read.catch(() => {});
  await expect.poll(sleepers).toBe(1);
  call.abort(new Error('the caller has gone'));
  await expect(read).rejects.toThrow('the caller has gone');
  await expect.poll(sleepers).toBe(0);
  expect(await rows(one)).toEqual([]);
  await expect(runWithCallSignal(call.signal, () => rows(one))).rejects.toThrow('the caller has gone');
});

test('a write of a cancelled call is completed, and its later statements are independent of the call', async () => {
  const call = new AbortController();
  const { promise: later, resolve } = Promise.withResolvers<number[]>();
  await runWithCallSignal(call.signal, async () => {
    const writing = db.write(function* (sql) {
      yield* sql.get('SELECT pg_sleep(0.2)');
      yield* sql.run('INSERT INTO t (x) VALUES (1)');
    });
    call.abort();
    await writing;
    setTimeout(300).then(() => resolve(rows()));
  });
  expect(await later).toEqual([1]);
});

test('a statement that takes too long is ended with a message that says so', async () => {
  const hasty = await open({ statementMs: 100 });
  await expect(hasty.read((sql) => sql.get('SELECT pg_sleep(600)'))).rejects.toMatchObject({
    code: 'timeout',
    message: expect.stringContaining('took too long'),
  });
});

test('a connection that the server closes is replaced, and the step asks for a retry', async () => {
  const one = await open({ connections: 1 });
  const read = one.read((sql) => sql.get('SELECT pg_sleep(600)'));
  read.catch(() => {});
  await expect.poll(sleepers).toBe(1);
  await db.read((sql) =>
    sql.get(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(6%' AND pid <> pg_backend_pid()",
    ),
  );
  await expect(read).rejects.toMatchObject({ code: 'unavailable' });
  expect(await rows(one)).toEqual([]);
});

test('a step whose next statement is late is ended by the server, and asks for a retry', async () => {
  const impatient = await open({ statementMs: 300 });
  const late = impatient.transaction('t', async (part) => {
    await insert(1, part);
    await setTimeout(1500);
    await insert(2, part);
  });
  await expect(late).rejects.toMatchObject({ code: 'unavailable', retryAfter: expect.any(Number) });
  expect(await rows(impatient)).toEqual([]);
});

test('a transaction waits for its turn only for a limited time', async () => {
  const impatient = await open({ waitMs: 3000 });
  const held = Promise.withResolvers<void>();
  const first = impatient.transaction('t', async (part) => {
    await held.promise;
    await insert(1, part);
  });
  const second = impatient.transaction('t', (part) => insert(2, part));
  await expect(second).rejects.toMatchObject({ code: 'unavailable', retryAfter: expect.any(Number) });
  held.resolve();
  await first;
  expect(await rows()).toEqual([1]);
});

test.each([
  ['40P01', true],
  ['40001', true],
  ['57P01', true],
  ['25006', true],
  ['53300', true],
  ['53100', false],
  ['42501', false],
])('an error %s of the server is unavailable and temporary: %s', async (code, passes) => {
  const raise = `DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$`;
  const failed = db.transaction('t', (part) => part.write((sql) => sql.run(raise)));
  await expect(failed).rejects.toMatchObject({ code: 'unavailable', retryAfter: expect.any(Number) });
  expect((await failed.catch((error: unknown) => error)) instanceof DatabaseFailure).toBe(passes);
});

test('an unreachable server is named without its password', async () => {
  const away = openPostgres({ url: 'postgres://ada:secret@127.0.0.1:1/kb', migrations: [] });
  await expect(away).rejects.toMatchObject({
    code: 'unavailable',
    message: 'the database 127.0.0.1:1/kb does not answer; try again',
  });
});

test.each(['SQL_ASCII', 'LATIN1'])(
  'a database in %s is refused when it is opened, with the message of `magpie kb check`',
  async (encoding) => {
    const url = new URL(place.url);
    const name = `${url.pathname.slice(1)}_${encoding.toLowerCase()}`;
    await place.administer(
      `CREATE DATABASE ${name} OWNER ${url.username} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`,
    );
    try {
      url.pathname = name;
      await expect(openPostgres({ url: url.href })).rejects.toMatchObject({
        code: 'unavailable',
        message: `the database ${url.host}/${name} cannot be used: its encoding is ${encoding}: make a database in UTF8 (createdb -E UTF8 -T template0)`,
      });
      const report = await checkPostgres(url.href, false, {
        signal: new AbortController().signal,
        progress: () => {},
      });
      expect(report.problems).toEqual([
        { part: 'database', problem: expect.stringContaining(`its encoding is ${encoding}: make`) },
      ]);
    } finally {
      await place.administer(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  },
);

const step = (id: number, oldest: number, sql = ''): PostgresMigration => ({
  id,
  name: `step ${id}`,
  oldest,
  sql,
});

test('of nodes that start together one migrates, and the others wait', async () => {
  const steps = [TABLE, step(2, 1, 'CREATE TABLE u (x bigint); INSERT INTO u SELECT 1 FROM pg_sleep(0.3)')];
  const nodes = await Promise.all(Array.from({ length: 4 }, () => open({ migrations: steps })));
  for (const node of nodes) {
    expect(await node.read((sql) => sql.all('SELECT x FROM u'))).toEqual([{ x: 1 }]);
  }
});

test('a failed migration step leaves the schema unchanged', async () => {
  const bad = [TABLE, step(2, 1, 'CREATE TABLE u (x bigint)'), step(3, 1, 'CREATE TABLE t (x bigint)')];
  await expect(open({ migrations: bad })).rejects.toMatchObject({ code: '42P07' });
  const tables = await db.read((sql) => sql.get("SELECT to_regclass('u') IS NULL AS none"));
  expect(tables).toEqual({ none: 1 });
  await open({ migrations: [TABLE, step(2, 1, 'CREATE TABLE u (x bigint)')] });
});

test('an older program works with a schema that only gained parts, and is refused by a schema that dropped parts', async () => {
  await open({ migrations: [TABLE, step(2, 1, 'ALTER TABLE t ADD COLUMN more bigint')] });
  const older = await open();
  await insert(7, older);
  await open({ migrations: [TABLE, step(2, 1), step(3, 2, 'ALTER TABLE t DROP COLUMN text')] });
  await expect(open()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('newer Magpie'),
  });
  expect(await rows(older)).toEqual([7]);
});

const GROWN: PostgresMigration = {
  id: 2,
  name: 'grown',
  oldest: 1,
  sql: 'ALTER TABLE t ADD COLUMN newer text',
};

test('prepared statements of an older node keep working when a newer node adds a column', async () => {
  const all = (on: AnyDatabase) => on.read((sql) => sql.all('SELECT * FROM t'));
  const inStep = () =>
    db.write(function* (sql) {
      yield* sql.run('INSERT INTO t (x) VALUES (2)');
      return yield* sql.all('SELECT * FROM t ORDER BY x');
    });
  await insert(1);
  await Promise.all(Array.from({ length: 10 }, () => all(db)));
  await open({ migrations: [TABLE, GROWN] });
  const row = (x: number) => ({ x, text: null, bytes: null, newer: null });
  const read = await Promise.all(Array.from({ length: 10 }, () => all(db)));
  expect(read).toEqual(read.map(() => [row(1)]));
  expect(await inStep()).toEqual([row(1), row(2)]);
});

test('a newer node that waits for a table because of a long query does not block queries of older nodes', async () => {
  const [held, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const long = db.transaction('long', async (part) => {
    await rows(part);
    asked.resolve();
    await held.promise;
  });
  // Else the newer node might have the table first.
  await asked.promise;
  const opening = open({ migrations: [TABLE, GROWN] });
  const waiting = () =>
    db.read((sql) => sql.get<{ count: number }>('SELECT count(*) AS count FROM pg_locks WHERE NOT granted'));
  await expect.poll(async () => (await waiting())?.count).toBeGreaterThan(0);
  expect(await rows()).toEqual([]);
  held.resolve();
  await long;
  await opening;
});
