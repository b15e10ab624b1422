import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { AnyDatabase } from '../../../src/storage/any-database.ts';
import { GIVE_NOTICE, openNotices } from '../../../src/storage/postgres/notices.ts';
import { openPostgres } from '../../../src/storage/postgres/open.ts';
import type { PostgresMigration } from '../../../src/storage/postgres/schema/migration.ts';
import { makePair, type PostgresPair } from '../../helpers/postgres-pair.ts';
import { makeProxy, type PostgresProxy } from '../../helpers/postgres-proxy.ts';

/** The way to a primary with a standby goes silent, and then the primary is lost: its clients go on by themselves. */

const TABLE: PostgresMigration = {
  id: 1,
  name: 't',
  oldest: 1,
  sql: `CREATE TABLE magpie_migrations (id bigint PRIMARY KEY, name text, oldest bigint, at bigint);
    CREATE TABLE t (x bigint PRIMARY KEY)`,
};
const UNAVAILABLE = { code: 'unavailable', status: 503, retryAfter: expect.any(Number) };
let pair: PostgresPair;
let proxy: PostgresProxy;
let db: AnyDatabase;
let next = 0;
const answered: number[] = [];

beforeAll(async () => {
  pair = await makePair(process.env.MAGPIE_TEST_POSTGRES ?? '');
  proxy = await makeProxy(pair.primary);
  db = await openPostgres({ url: proxy.url, migrations: [TABLE], connections: 4, statementMs: 3000 });
});
afterEach(() => proxy.mend());
afterAll(async () => {
  await proxy.close();
  await db.close();
  await pair.remove();
});

async function insert(): Promise<void> {
  const x = next++;
  await db.write((sql) => sql.run('INSERT INTO t (x) VALUES (?)', x));
  answered.push(x);
}
const insertMany = (count: number) => Promise.allSettled(Array.from({ length: count }, insert));
/** Every error that ended one of them. */
const errorsOf = (ended: PromiseSettledResult<void>[]) =>
  ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
const kept = async () =>
  (await db.read((sql) => sql.all<{ x: number }>('SELECT x FROM t ORDER BY x'))).map(({ x }) => x);

test('steps on a silent connection end, and the next steps run when the connection is restored', async () => {
  expect(errorsOf(await insertMany(50))).toEqual([]);
  proxy.silence();
  const ended = await insertMany(50);
  expect(errorsOf(ended)).toHaveLength(50);
  for (const error of errorsOf(ended)) expect(error).toMatchObject(UNAVAILABLE);
  proxy.mend();
  expect(errorsOf(await insertMany(50))).toEqual([]);
  expect(await kept()).toEqual(expect.arrayContaining(answered));
});

test('a silent connection is abandoned, and announcements arrive on a new connection', async () => {
  const notices = openNotices(proxy.url, 200);
  let heard = 0;
  notices.hear('t', () => heard++);
  const other = await openPostgres({ url: pair.primary, migrations: [TABLE] });
  await expect.poll(() => heard).toBeGreaterThan(0);
  proxy.silenceOpen();
  // Called at its new connection.
  const before = heard;
  await expect.poll(() => heard).toBeGreaterThan(before);
  const made = heard;
  await other.write((sql) => sql.get(GIVE_NOTICE, 't'));
  await expect.poll(() => heard).toBeGreaterThan(made);
  await other.close();
  await notices.close();
});

test('answered writes are on the standby that is promoted manually, and its address is not used earlier', async () => {
  const under = insertMany(500);
  await expect.poll(() => answered.length).toBeGreaterThan(150);
  await pair.kill();
  for (const error of errorsOf(await under)) expect(error).toMatchObject(UNAVAILABLE);
  proxy.leadTo(pair.standby);
  const [refused] = errorsOf(await insertMany(1));
  expect(refused).toMatchObject({ ...UNAVAILABLE, message: expect.stringContaining('standby') });
  await expect(kept()).rejects.toMatchObject(UNAVAILABLE);
  await pair.promote();
  expect(errorsOf(await insertMany(50))).toEqual([]);
  expect(await kept()).toEqual(expect.arrayContaining(answered));
});
