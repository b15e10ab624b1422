import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import { createLog } from '../../../src/log.ts';
import { startBoss } from '../../../src/storage/postgres/jobs/boss.ts';
import { createLongWorkRunner } from '../../../src/storage/postgres/long-work.ts';
import { openPostgres } from '../../../src/storage/postgres/open.ts';
import { addEntry } from '../../helpers/entry-stores.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { dropPostgres, makePostgres, type PostgresPlace } from '../../helpers/postgres.ts';

/** Magpie's user owns the database and is no superuser; an administrator has created pgvector there. */

const GRAPHS = "SELECT count(*)::int AS count FROM pg_class WHERE relname LIKE 'kb\\_graph\\_%'";

let place: PostgresPlace;
beforeEach(async () => {
  place = await makePostgres('none');
});
afterEach(() => place.remove());
afterAll(dropPostgres);

async function ask(sql: string, url = place.url): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** On connections that have not met a vector yet. */
async function nearest(url: string): Promise<number[] | undefined> {
  const db = await openPostgres({ url });
  try {
    const near = { model: 'm', vector: new Float32Array([1, 0]) };
    const found = await createEntryStore(db).findCandidates?.('ann', {
      text: 'heron',
      most: 5,
      within: undefined,
      near,
    });
    return found?.near.map((one) => one.place);
  } finally {
    await db.close();
  }
}

async function fill(): Promise<void> {
  const store = createEntryStore(await place.open(), {
    graphs: { from: 2, runLong: createLongWorkRunner(place.url) },
  });
  await addEntry(store, 'ann', 'a heron');
  await addEntry(store, 'ann', 'another heron');
  await store.putVectors('ann', 'm', 3, [
    { place: 1, vector: new Float32Array([0, 1]) },
    { place: 2, vector: new Float32Array([1, 0]) },
  ]);
  const signal = new AbortController().signal;
  expect(await store.tendGraphs?.(signal)).toEqual({ built: 1, dropped: 0 });
}

test('the database owner creates all tables, searches by vectors, builds a vector index and has tables of jobs', async () => {
  expect(await ask('SELECT rolsuper FROM pg_roles WHERE rolname = current_user')).toEqual([
    { rolsuper: false },
  ]);
  await fill();
  expect(await ask(GRAPHS)).toEqual([{ count: 1 }]);
  expect(await nearest(place.url)).toEqual([2, 1]);
  const db = await openPostgres({ url: place.url });
  await (await startBoss(db, createLog('silent'))).stop({ graceful: false });
  await db.close();
  expect(await ask("SELECT to_regclass('magpie_jobs.job') IS NOT NULL AS there")).toEqual([{ there: true }]);
});

test('the database owner restores a pg_dump in a session that has used a vector', async () => {
  await fill();
  const [found] = await ask(
    "SELECT setting FROM pg_config() WHERE name = 'BINDIR'",
    process.env.MAGPIE_TEST_POSTGRES,
  );
  const run = (program: string, ...args: string[]) =>
    promisify(execFile)(join(String(found?.setting), program), args);
  const folder = temporaryFolder();
  const file = join(folder.path, 'magpie.sql');
  await run('pg_dump', '--no-comments', '--file', file, place.url);
  const other = await makePostgres('none');
  try {
    await run('psql', '--set', 'ON_ERROR_STOP=1', '-c', "SELECT vector '[1]'", '-f', file, other.url);
    expect(await ask(GRAPHS, other.url)).toEqual([{ count: 1 }]);
    expect(await nearest(other.url)).toEqual([2, 1]);
  } finally {
    await other.remove();
    folder.remove();
  }
});
