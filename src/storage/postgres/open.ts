import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { AppError, DatabaseFailure, notFoundError, unavailableError } from '../../errors.ts';
import { createKeyedLock } from '../../lib/concurrency/keyed-lock.ts';
import { runInSpan, type SpanStart } from '../../lib/tracing.ts';
import type { AnyDatabase, TransactionWork } from '../any-database.ts';
import { refuseIncompletePostgres } from '../move/incomplete-mark.ts';
import { toDriverConfig } from './address.ts';
import { beginSteps, POSTGRES_SQL, runSteps, UnreadAnswers } from './ask.ts';
import { cancelWithCall } from './cancel.ts';
import { takeSharedLockOnPrimary } from './database-lock.ts';
import { wrongEncoding } from './encoding.ts';
import { canTryAgain, databaseError, isConnectionBroken, isLockTimeout, isStaleStatement } from './errors.ts';
import { unescapeNul } from './escape-nul.ts';
import { forgetStatements } from './prepare-text.ts';
import { POSTGRES_MIGRATIONS } from './schema/list.ts';
import type { PostgresMigration } from './schema/migration.ts';

export interface PostgresOptions {
  /** URL of the form postgres://user:password@host:port/database, with libpq's parameters. */
  readonly url: string;
  readonly connections?: number;
  readonly statementMs?: number;
  /** Longest wait in ms for a connection, or for earlier transactions with the same name. */
  readonly waitMs?: number;
  readonly migrations?: readonly PostgresMigration[];
  readonly alone?: boolean;
  /** If false, the schema is not migrated: an outdated schema causes AppError `not_found`. */
  readonly makesTables?: boolean;
  readonly takesUnfinished?: boolean;
}

export interface PostgresDatabase extends AnyDatabase {
  /** Runs SQL in PostgreSQL's dialect. With `values`, `text` must be a single statement. */
  ask(text: string, values?: readonly unknown[]): Promise<{ readonly rows: UntypedRow[] }>;
  transaction<T>(name: string, work: (db: PostgresDatabase) => Promise<T>): Promise<T>;
}

export type UntypedRow = Record<string, unknown>;
const CONNECTIONS = 10;
const STATEMENT_MS = 30_000;
/** Milliseconds to wait for an answer beyond the server's own time limit. */
const SILENCE_MS = 5000;
const STEP_WAIT_MS = 10_000;
const IDLE_MS = 30_000;
/** Milliseconds after which the server ends an idle transaction and frees its locks. */
const STEP_IDLE_MS = 10_000;
const RETRY_AFTER_S = 2;
const ATTEMPTS = 5;
const [BOOL, INT8, TEXT, NUMERIC] = [16, 20, 25, 1700];

/** Parsers that return values like SQLite: numbers, booleans as 0 or 1, and texts with NUL characters. */
const PARSERS: Readonly<Record<number, (text: string) => number | string>> = {
  [BOOL]: (text) => (text === 't' ? 1 : 0),
  [INT8]: Number,
  [TEXT]: unescapeNul,
  [NUMERIC]: Number,
};

/** Opens and migrates the database. Throws AppError `unavailable` with the reason and advice. */
export async function openPostgres(options: PostgresOptions): Promise<PostgresDatabase> {
  const { url, connections = CONNECTIONS, statementMs = STATEMENT_MS, makesTables = true } = options;
  const { waitMs = STEP_WAIT_MS } = options;
  const { default: driver } = await import('pg');
  const types = typesOf(driver);
  const pool = new driver.Pool({
    ...toDriverConfig(url),
    max: connections,
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    statement_timeout: statementMs,
    query_timeout: statementMs + SILENCE_MS,
    idle_in_transaction_session_timeout: Math.min(STEP_IDLE_MS, statementMs),
    application_name: 'magpie',
    pipeline: true,
    types,
    ...(options.alone !== true && { onConnect: takeSharedLockOnPrimary }),
  } as pg.PoolConfig);
  // These errors need no handling: broken idle connections are replaced, and busy ones fail the statement.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const place = describeDatabasePlace(url);
  try {
    await withClient(pool, place, async (client) => {
      await migratePostgres(client, options.migrations ?? POSTGRES_MIGRATIONS, place, makesTables);
      const isMagpies = options.migrations === undefined;
      if (isMagpies && options.takesUnfinished !== true) await refuseIncompletePostgres(client, place);
    });
  } catch (error) {
    await pool.end();
    throw error;
  }
  return databaseOn(driver, pool, place, waitMs);
}

export function typesOf(driver: typeof pg): pg.CustomTypesConfig {
  return {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      (format === 'binary' ? undefined : PARSERS[oid]) ?? driver.types.getTypeParser(oid, format),
  } as pg.CustomTypesConfig;
}

export function describeDatabasePlace(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? host}${pathname}`;
}

const stepSpan = (): SpanStart => ({
  name: 'database',
  kind: 'client',
  facts: { 'db.system.name': 'postgresql' },
  onlyWithin: true,
});

const withClient = <T>(
  pool: pg.Pool,
  place: string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> => runInSpan(stepSpan, () => onClient(pool, place, work));

async function onClient<T>(pool: pg.Pool, place: string, work: (client: pg.PoolClient) => Promise<T>) {
  if (pool.ending) throw unavailableError('Magpie is being ended: try again', { retryAfter: RETRY_AFTER_S });
  let client: pg.PoolClient | undefined;
  let broken = false;
  try {
    client = await pool.connect();
    return await work(client);
  } catch (error) {
    broken = isConnectionBroken(error);
    throw databaseError(error, place);
  } finally {
    client?.release(broken);
  }
}

/** Runs a transaction without awaiting BEGIN and COMMIT. A failed rollback closes the connection. */
async function inTransaction<T>(client: pg.PoolClient, work: (unread: UnreadAnswers) => Promise<T>) {
  const unread = new UnreadAnswers();
  unread.add(client.query('BEGIN'));
  try {
    const result = await work(unread);
    const ended = client.query('COMMIT');
    unread.add(ended);
    await unread.settle();
    // If an earlier statement failed, the server answers COMMIT by rolling back, with the command `ROLLBACK`.
    if ((await ended).command === 'COMMIT') return result;
    throw new TypeError('a step went on after a statement that failed');
  } catch (error) {
    await client.query('ROLLBACK').catch((failed: unknown) => {
      throw new AggregateError([error, failed], 'a transaction could not be rolled back', { cause: error });
    });
    throw error;
  }
}

function databaseOn(driver: typeof pg, pool: pg.Pool, place: string, waitMs: number): PostgresDatabase {
  const locks = createKeyedLock();
  const apart = <T>(step: (client: pg.PoolClient) => Promise<T>) =>
    withClient(pool, place, async (client) => {
      try {
        return await step(client);
      } catch (error) {
        if (!isStaleStatement(error)) throw error;
        await forgetStatements(client);
        return await step(client);
      }
    });
  const read = <T>(work: TransactionWork<T>) =>
    apart((client) => cancelWithCall(driver, client, () => runSteps(work(POSTGRES_SQL), client)));
  const write = <T>(work: TransactionWork<T>) =>
    withClient(pool, place, async (client) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await inTransaction(client, (unread) => beginSteps(work(POSTGRES_SQL), client, unread));
        } catch (error) {
          if (attempt === ATTEMPTS || !(canTryAgain(error) || isStaleStatement(error))) throw error;
          if (isStaleStatement(error)) await forgetStatements(client);
        }
      }
    });
  return {
    dialect: 'postgres',
    embedded: undefined,
    read,
    write,
    writeAutocommit: (work) => apart((client) => runSteps(work(POSTGRES_SQL), client)),
    writeReplaceable: write,
    remove: write,
    releaseFreePages: async () => {},
    ask: (text, values) => withClient(pool, place, (client) => askForeign(driver, client, text, values)),
    // Waits for transactions with the same name before it takes a connection.
    transaction: (name, work) =>
      locks.run(
        name,
        () =>
          withClient(pool, place, (client) =>
            inTransaction(client, async () => {
              await runSteps(POSTGRES_SQL.lockName(name), client);
              return work(partOn(driver, client, place));
            }),
          ),
        turnWithin(waitMs, place),
      ),
    async close() {
      if (!pool.ending) await pool.end();
    },
  };
}

function turnWithin(ms: number, place: string): AbortSignal {
  const late = new AbortController();
  const reason = () =>
    new DatabaseFailure('unavailable', `the database ${place} has much to do; try again`, {
      retryAfter: RETRY_AFTER_S,
    });
  setTimeout(() => late.abort(reason()), ms).unref();
  return late.signal;
}

function partOn(driver: typeof pg, client: pg.PoolClient, place: string): PostgresDatabase {
  const step = <T>(work: TransactionWork<T>) => runSteps(work(POSTGRES_SQL), client);
  const part: PostgresDatabase = {
    dialect: 'postgres',
    embedded: undefined,
    read: step,
    write: step,
    writeAutocommit: step,
    writeReplaceable: step,
    remove: step,
    releaseFreePages: async () => {},
    ask: (text, values) => askForeign(driver, client, text, values),
    transaction: (_, work) => work(part),
    close: () => Promise.reject(new AppError('internal', `a transaction does not close ${place}`)),
  };
  return part;
}

/** Runs SQL. If SQL that starts with BEGIN fails, a transaction may be open and is rolled back. */
async function askForeign(
  driver: typeof pg,
  client: pg.PoolClient,
  text: string,
  values: readonly unknown[] = [],
): Promise<{ rows: UntypedRow[] }> {
  try {
    const answer: pg.QueryResult | pg.QueryResult[] = await client.query({
      text,
      ...(values.length > 0 && { values: [...values] }),
      types: driver.types,
    });
    return Array.isArray(answer) ? { rows: answer.flatMap(({ rows }) => rows) } : answer;
  } catch (error) {
    if (/^\s*BEGIN\b/i.test(text)) await client.query('ROLLBACK');
    throw error;
  }
}

/** Advisory lock for migrations: an arbitrary number, which other programs are unlikely to use. */
const LOCK = 7_240_191_119;
/** Milliseconds to wait for another node's migration, which may index a large table. */
const WAIT_MS = 600_000;
/** Milliseconds that a migration waits for a table's lock. Other nodes' queries wait meanwhile. */
const LOCK_MS = 2000;
const PAUSE_MS = 500;

/** Migrates the schema or changes nothing. Throws AppError `unavailable`, or `not_found` without `makesTables`. */
async function migratePostgres(
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
    throw notFoundError(`the database ${place} ${why}: there is nothing to compare`);
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
  if (wrong !== undefined) throw unavailableError(`the database ${place} cannot be used: ${wrong}`);
}

async function migrateFrom(client: pg.ClientBase, migrations: readonly PostgresMigration[], place: string) {
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
  throw unavailableError(
    `the database ${place} was migrated by a newer Magpie (it takes version ${oldest}, this one knows ${newest}): update Magpie`,
  );
}
