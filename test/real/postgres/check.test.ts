import pg from 'pg';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import { POSTGRES_MIGRATIONS } from '../../../src/storage/postgres/schema/list.ts';
import { addEntry, longText } from '../../helpers/entry-stores.ts';
import { environment, runMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import { dropPostgres, makePostgres, type PostgresPlace } from '../../helpers/postgres.ts';

/** `magpie doctor` and `magpie kb check` where DATABASE_URL names PostgreSQL. */

let folder: ReturnType<typeof temporaryFolder>;
let place: PostgresPlace;
let env: Record<string, string>;

const begin = async (schema: 'whole' | 'none') => {
  place = await makePostgres(schema);
  env = { ...environment(folder.path), DATABASE_URL: place.url, MAGPIE_ENGINES: 'local' };
};
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await place.remove();
  folder.remove();
});
afterAll(dropPostgres);

const check = (...args: string[]) => runMagpie(['kb', 'check', ...args], env);
const NEWEST = POSTGRES_MIGRATIONS.at(-1)?.id;

interface Finding {
  readonly state: string;
  readonly what: string;
  readonly says: string;
}

async function doctor(): Promise<readonly Finding[]> {
  const { stdout } = await runMagpie(['doctor', '--offline', '--json'], env);
  return (JSON.parse(stdout) as { findings: Finding[] }).findings.filter(({ what }) => what === 'database');
}

async function onDatabase(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: place.url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

test('an intact database is reported with version, pgvector, tables and counts, without the password', async () => {
  await begin('whole');
  const store = createEntryStore(await place.open());
  await addEntry(store, 'ann', longText(4));
  await addEntry(store, 'bob', 'what bob keeps');
  const [server, tables, ...others] = await doctor();
  expect(server?.says).toMatch(
    /^127\.0\.0\.1:\d+\/magpie_\w+: PostgreSQL 1[68]\.\d+, pgvector \d+\.\d+\.\d+/,
  );
  expect(tables?.says).toMatch(
    new RegExp(`^tables of version ${NEWEST}: 2 users, 2 entries, \\d+ passages, 0 files`),
  );
  expect([server?.state, tables?.state, others]).toEqual(['good', 'good', []]);
  const { code, stdout } = await check();
  expect([code, stdout]).toEqual([0, expect.stringContaining('Nothing is wrong there.')]);
  const body = JSON.parse((await check('--json')).stdout);
  expect(body).toMatchObject({
    database: { schema: { done: NEWEST, known: NEWEST }, encoding: 'UTF8' },
    counts: { users: 2, entries: 2 },
    problems: [],
  });
  expect(body.database.place).toBe(`${new URL(place.url).host}${new URL(place.url).pathname}`);
});

test('wrong counters, passages, words and vectors are reported by user', async () => {
  await begin('whole');
  const store = createEntryStore(await place.open());
  const { id } = await addEntry(store, 'ann', longText(4));
  await store.putVectors('ann', 'm', 2, [{ place: 1, vector: new Float32Array([1, 0]) }]);
  await addEntry(store, 'bob', 'what bob keeps');
  await addEntry(store, 'cal', 'what cal keeps');
  await onDatabase(`
    DELETE FROM kb_passages WHERE owner = (SELECT id FROM kb_owners WHERE name = 'ann') AND id & 2147483647 = 1;
    DELETE FROM kb_words WHERE owner = (SELECT id FROM kb_owners WHERE name = 'bob');
    UPDATE kb_owners SET bytes = bytes + 1 WHERE name = 'cal';
  `);
  const { code, stdout } = await check('--json');
  expect(code).toBe(3);
  expect((JSON.parse(stdout) as { problems: unknown }).problems).toEqual([
    { part: 'entries', problem: 'entries or files of ann lack passages: 1', ids: [id], lost: true },
    { part: 'vectors', problem: 'vectors of ann whose passages are not there: 1' },
    { part: 'words', problem: 'passages of bob that no word finds: 1' },
    { part: 'counters', problem: 'the counters of cal do not fit the entries' },
  ]);
  expect((await check()).stdout).toContain(`  ${id}`);
  const mended = await check('--mend');
  expect([mended.code, mended.stderr]).toEqual([2, expect.stringContaining('--mend mends the data folder')]);
});

test('a check creates no tables in an empty database; a database that does not answer is a problem', async () => {
  await begin('none');
  const found = await doctor();
  expect(found.map(({ state }) => state)).toEqual(['good', 'note']);
  expect(found[1]?.says).toContain('it has no tables yet');
  const client = new pg.Client({ connectionString: place.url });
  await client.connect();
  const { rows } = await client.query("SELECT to_regclass('magpie_migrations') AS there");
  await client.end();
  expect(rows).toEqual([{ there: null }]);
  env.DATABASE_URL = 'postgres://magpie:hushhush@127.0.0.1:1/none';
  const [problem] = await doctor();
  expect(problem).toMatchObject({
    state: 'problem',
    says: 'the database 127.0.0.1:1/none does not answer; try again',
  });
  expect((await check()).stderr).not.toContain('hushhush');
});

test('a pgvector version that may damage indexes is named, with what to do', async () => {
  await begin('none');
  await place.administer("UPDATE pg_extension SET extversion = '0.8.3' WHERE extname = 'vector'");
  const [, old] = await doctor();
  expect(old).toMatchObject({
    state: 'note',
    says: expect.stringContaining('ALTER EXTENSION vector UPDATE'),
  });
});
