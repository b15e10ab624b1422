import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { AppError } from '../../errors.ts';
import { wrongEncoding } from './encoding.ts';
import { canTryAgain, isLockTimeout } from './errors.ts';
import type { PostgresMigration } from './schema/migration.ts';

/** Number of the advisory lock for migrations: an arbitrary number that other programs are unlikely to use. */
const LOCK = 7_240_191_119;
/** Another node's migration may index a large table. */
const WAIT_MS = 600_000;
/** Short, because queries of older nodes wait meanwhile. */
const LOCK_MS = 2000;
const PAUSE_MS = 500;

/** Migrates the schema or changes nothing. Throws AppError `unavailable`, or `not_found` without `makesTables`. */
export async function migratePostgres(
  client: pg.ClientBase,
  migrations: readonly PostgresMigration[],
  place: string,
  makesTables = true,
): Promise<void> {
  await checkEncoding(client, place);
  const newest = migrations.at(-1)?.id ?? 0;
  const before = await present(client, newest, place);
  if (before >= newest) return;
  if (!makesTables) {
    const why = before === 0 ? 'has no tables of Magpie yet' : 'has the tables of an older Magpie';
    throw new AppError('not_found', `the database ${place} ${why}: there is nothing to compare`);
  }
  for (const begun = performance.now(); ; await wait(PAUSE_MS)) {
    try {
      await migrateFrom(client, migrations, place);
      return;
    } catch (error) {
      const isBusy = canTryAgain(error) || isLockTimeout(error);
      if (!isBusy || performance.now() - begun > WAIT_MS) throw error;
    }
  }
}

async function checkEncoding(client: pg.ClientBase, place: string): Promise<void> {
  const { rows } = await client.query("SELECT current_setting('server_encoding') AS encoding");
  const wrong = wrongEncoding(String(rows[0]?.encoding));
  if (wrong !== undefined)
    throw new AppError('unavailable', `the database ${place} cannot be used: ${wrong}`);
}

async function migrateFrom(
  client: pg.ClientBase,
  migrations: readonly PostgresMigration[],
  place: string,
): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL statement_timeout = ${WAIT_MS}`);
    await client.query(patient(`SELECT pg_advisory_xact_lock(${LOCK})`));
    await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
    const done = await present(client, migrations.at(-1)?.id ?? 0, place);
    for (const { id, name, oldest, sql } of migrations) {
      if (id <= done) continue;
      await client.query(patient(sql));
      await client.query('INSERT INTO magpie_migrations (id, name, oldest, at) VALUES ($1, $2, $3, $4)', [
        id,
        name,
        oldest,
        Date.now(),
      ]);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

function patient(text: string) {
  return { text, query_timeout: WAIT_MS };
}

async function present(client: pg.ClientBase, newest: number, place: string): Promise<number> {
  const { rows: found } = await client.query("SELECT to_regclass('magpie_migrations') IS NOT NULL AS there");
  if (!found[0]?.there) return 0;
  const { rows } = await client.query(
    'SELECT coalesce(max(id), 0) AS id, coalesce(max(oldest), 0) AS oldest FROM magpie_migrations',
  );
  const { id, oldest } = rows[0] as { id: number; oldest: number };
  if (oldest <= newest) return Number(id);
  throw new AppError(
    'unavailable',
    `the database ${place} was migrated by a newer Magpie (it takes version ${oldest}, this one knows ${newest}): update Magpie`,
  );
}
