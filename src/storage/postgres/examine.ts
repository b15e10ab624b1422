import type pg from 'pg';
import type { TransactionWork } from '../any-database.ts';
import { refuseIncompletePostgres } from '../move/incomplete-mark.ts';
import { toDriverConfig } from './address.ts';
import { POSTGRES_SQL, runSteps } from './ask.ts';
import { takeSharedLock } from './database-lock.ts';
import { databaseError } from './errors.ts';
import { describeDatabasePlace, typesOf } from './open.ts';
import { POSTGRES_MIGRATIONS } from './schema/list.ts';

export interface PostgresFacts {
  readonly place: string;
  readonly version: string;
  readonly major: number;
  readonly vectors: { readonly created: string | undefined; readonly offered: string | undefined };
  /** Last migration that the database has (0 if none), and last migration that this program knows. */
  readonly schema: { readonly done: number; readonly known: number };
  readonly encoding: string;
  /** What exists of pg-boss: its tables, its schema, or nothing. `refused`: this user may not create it. */
  readonly jobs: 'tables' | 'schema' | 'none' | 'refused';
  readonly connections: { readonly most: number; readonly open: number };
}

const FACTS = `
  SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int / 10000 AS major,
    (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS created,
    (SELECT default_version FROM pg_available_extensions WHERE name = 'vector') AS offered,
    to_regclass('magpie_migrations') IS NOT NULL AS there,
    CASE WHEN to_regclass('magpie_jobs.job') IS NOT NULL THEN 'tables' WHEN to_regnamespace('magpie_jobs') IS NOT NULL THEN 'schema'
      WHEN has_database_privilege(current_database(), 'CREATE') THEN 'none' ELSE 'refused' END AS jobs, current_setting('server_encoding') AS encoding,
    current_setting('max_connections')::int AS most, (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS open`;
const CONNECT_MS = 10_000;
const STATEMENT_MS = 600_000;

export async function examinePostgres<T>(
  url: string,
  work: (database: {
    readonly facts: PostgresFacts;
    read<T>(work: TransactionWork<T>): Promise<T>;
  }) => Promise<T>,
): Promise<T> {
  const { default: driver } = await import('pg');
  const place = describeDatabasePlace(url);
  const client = new driver.Client({
    ...toDriverConfig(url),
    application_name: 'magpie check',
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    types: typesOf(driver),
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await takeSharedLock(client);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const facts = await readFacts(client, place);
    if (facts.schema.done > 0) await refuseIncompletePostgres(client, place);
    return await work({ facts, read: (steps) => runSteps(steps(POSTGRES_SQL), client) });
  } catch (error) {
    throw databaseError(error, place);
  } finally {
    await client.end().catch(() => {});
  }
}

interface FactRow extends Pick<PostgresFacts, 'version' | 'major' | 'encoding' | 'jobs'> {
  readonly created: string | null;
  readonly offered: string | null;
  readonly there: number;
  readonly most: number;
  readonly open: number;
}

async function readFacts(client: pg.Client, place: string): Promise<PostgresFacts> {
  const [row] = (await client.query<FactRow>(FACTS)).rows;
  if (!row) throw new TypeError('the database says nothing of itself');
  const { created, offered, there, most, open, ...facts } = row;
  const [last] = there
    ? (await client.query<{ id: number | null }>('SELECT max(id) AS id FROM magpie_migrations')).rows
    : [];
  return {
    ...facts,
    place,
    vectors: { created: created ?? undefined, offered: offered ?? undefined },
    schema: { done: last?.id ?? 0, known: POSTGRES_MIGRATIONS.at(-1)?.id ?? 0 },
    connections: { most, open },
  };
}
