import type pg from 'pg';
import { AppError, DatabaseFailure } from '../../errors.ts';
import { createKeyedLock } from '../../lib/concurrency/keyed-lock.ts';
import { currentSpan, type SpanStart, traced } from '../../lib/tracing.ts';
import type { AnyDatabase, Value, Work } from '../any-database.ts';
import { refuseMarkedServer } from '../move/mark.ts';
import { driverAddress } from './address.ts';
import { joinPrimary } from './alone.ts';
import { beginSteps, POSTGRES_SQL, runSteps, Unread } from './ask.ts';
import { endWithCall } from './cancel.ts';
import { canTryAgain, databaseError, endsConnection, isStale } from './errors.ts';
import { migratePostgres } from './migrate.ts';
import { POSTGRES_MIGRATIONS } from './schema/list.ts';
import type { PostgresMigration } from './schema/migration.ts';
import { forgetStatements } from './text.ts';
import { received, sent } from './values.ts';

export interface PostgresOptions {
  /** postgres://user:password@host:port/database, with the parameters of libpq. */
  readonly url: string;
  /** Most connections of this process. */
  readonly connections?: number;
  /** Milliseconds that one statement may take. */
  readonly statementMs?: number;
  /** Milliseconds that a step waits for a connection, and for its turn under a name. */
  readonly waitMs?: number;
  readonly migrations?: readonly PostgresMigration[];
  /** The caller keeps all others from the database by `takeAlone`. */
  readonly alone?: boolean;
  /** Whether its schema is brought up to date, as when left out; AppError `not_found` for one that is not, otherwise. */
  readonly makesTables?: boolean;
  /** Also one that `magpie migrate` has not filled to the end. */
  readonly takesUnfinished?: boolean;
}

/** PostgreSQL as Magpie's stores take it, and as a library does that brings its own SQL. */
export interface PostgresDatabase extends AnyDatabase {
  /** Text and values are PostgreSQL's own, and so are the rows. Several statements in one text have no values. */
  ask(text: string, values?: readonly unknown[]): Promise<{ readonly rows: ForeignRow[] }>;
  transaction<T>(name: string, work: (db: PostgresDatabase) => Promise<T>): Promise<T>;
}

export type ForeignRow = Record<string, unknown>;

const CONNECTIONS = 10;
const STATEMENT_MS = 30_000;
/**
 * Milliseconds after the server's own limit when an answer that has not come is given up: the way to the server says nothing
 * more, or a commit waits for a standby that is away.
 */
const SILENCE_MS = 5000;
const STEP_WAIT_MS = 10_000;
const IDLE_MS = 30_000;
/** Milliseconds that the server waits for the next statement of a step: a node that is cut off holds its locks no longer than that. */
const STEP_IDLE_MS = 10_000;
/** Seconds after which a client may try again where its turn did not come. */
const RETRY_AFTER_S = 2;
/** Attempts of a step that the server ended for another one's sake. */
const ATTEMPTS = 5;
const [BOOL, INT8, TEXT, NUMERIC] = [16, 20, 25, 1700];

/** Integers, counts and sums as numbers, truth values as 0 and 1, and texts with NUL, as SQLite has them. */
const PARSERS: Readonly<Record<number, (text: string) => number | string>> = {
  [BOOL]: (text) => (text === 't' ? 1 : 0),
  [INT8]: Number,
  [TEXT]: received,
  [NUMERIC]: Number,
};

/**
 * Opens the database at a URL and brings its schema up to date. Connections are made when they are needed. AppError
 * `unavailable` says what is wrong with it and what to do.
 */
export async function openPostgres(options: PostgresOptions): Promise<PostgresDatabase> {
  const { url, connections = CONNECTIONS, statementMs = STATEMENT_MS, makesTables = true } = options;
  const { waitMs = STEP_WAIT_MS } = options;
  const { default: driver } = await import('pg');
  const types = typesOf(driver);
  const pool = new driver.Pool({
    ...driverAddress(url),
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
    ...(options.alone !== true && { onConnect: joinPrimary }),
  } as pg.PoolConfig);
  // A connection that ends while it is idle is replaced at the next use, and one that is in use fails its statement.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const place = placeOf(url);
  try {
    await withClient(pool, place, async (client) => {
      await migratePostgres(client, options.migrations ?? POSTGRES_MIGRATIONS, place, makesTables);
      const isMagpies = options.migrations === undefined;
      if (isMagpies && options.takesUnfinished !== true) await refuseMarkedServer(client, place);
    });
  } catch (error) {
    await pool.end();
    throw error;
  }
  return databaseOn(driver, pool, place, waitMs);
}

/** How a connection reads values, so that they are as from SQLite. */
export function typesOf(driver: typeof pg): pg.CustomTypesConfig {
  return {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      (format === 'binary' ? undefined : PARSERS[oid]) ?? driver.types.getTypeParser(oid, format),
  } as pg.CustomTypesConfig;
}

/** Host, or folder of its socket, and database of a URL, without what is secret. */
export function placeOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? host}${pathname}`;
}

const stepSpan = (): SpanStart => ({
  name: 'database',
  kind: 'client',
  facts: { 'db.system.name': 'postgresql' },
  onlyWithin: true,
});

/** Within a span that begins before the connection is there. */
const withClient = <T>(
  pool: pg.Pool,
  place: string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> => traced(stepSpan, () => onClient(pool, place, work));

async function onClient<T>(
  pool: pg.Pool,
  place: string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  // A call that a stopping server could not finish.
  if (pool.ending) {
    throw new AppError('unavailable', 'Magpie is being ended: try again', { retryAfter: RETRY_AFTER_S });
  }
  let client: pg.PoolClient | undefined;
  let broken = false;
  try {
    client = await pool.connect();
    return await work(client);
  } catch (error) {
    broken = endsConnection(error);
    throw databaseError(error, place);
  } finally {
    client?.release(broken);
  }
}

/** All of it, or none. A connection that cannot roll back is closed. BEGIN and COMMIT go out with the statements beside them. */
async function inTransaction<T>(client: pg.PoolClient, work: (unread: Unread) => Promise<T>): Promise<T> {
  const unread = new Unread();
  unread.add(client.query('BEGIN'));
  try {
    const result = await work(unread);
    const ended = client.query('COMMIT');
    unread.add(ended);
    await unread.settle();
    // After a statement that failed it has rolled back.
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
        if (!isStale(error)) throw error;
        await forgetStatements(client);
        return await step(client);
      }
    });
  const read = <T>(work: Work<T>) =>
    apart((client) => endWithCall(driver, client, () => runSteps(work(POSTGRES_SQL), client)));
  const write = <T>(work: Work<T>) =>
    withClient(pool, place, async (client) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await inTransaction(client, (unread) => beginSteps(work(POSTGRES_SQL), client, unread));
        } catch (error) {
          if (attempt === ATTEMPTS || !(canTryAgain(error) || isStale(error))) throw error;
          if (isStale(error)) await forgetStatements(client);
        }
      }
    });
  return {
    dialect: 'postgres',
    embedded: undefined,
    read,
    write,
    writeApart: (work) => apart((client) => runSteps(work(POSTGRES_SQL), client)),
    writeReplaceable: write,
    remove: write,
    giveBack: async () => {},
    query: (text, values) =>
      withClient(pool, place, (client) =>
        isRead(text)
          ? endWithCall(driver, client, () => ask(client, text, values))
          : ask(client, text, values),
      ),
    ask: (text, values) => withClient(pool, place, (client) => askForeign(driver, client, text, values)),
    // Of those that wait for a name in this process, one has a connection. Each would wait for all before it where these fail slowly.
    transaction: (name, work) =>
      locks.run(
        name,
        () =>
          withClient(pool, place, (client) =>
            inTransaction(client, async () => {
              await runSteps(POSTGRES_SQL.alone(name), client);
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

/** Aborted with AppError `unavailable` after that time. */
function turnWithin(ms: number, place: string): AbortSignal {
  const late = new AbortController();
  const reason = () =>
    new DatabaseFailure('unavailable', `the database ${place} has much to do; try again`, {
      retryAfter: RETRY_AFTER_S,
    });
  setTimeout(() => late.abort(reason()), ms).unref();
  return late.signal;
}

function isRead(text: string): boolean {
  return /^\s*select\b/i.test(text);
}

/** What a transaction of several steps is handed. */
function partOn(driver: typeof pg, client: pg.PoolClient, place: string): PostgresDatabase {
  const step = <T>(work: Work<T>) => runSteps(work(POSTGRES_SQL), client);
  const part: PostgresDatabase = {
    dialect: 'postgres',
    embedded: undefined,
    read: step,
    write: step,
    writeApart: step,
    writeReplaceable: step,
    remove: step,
    giveBack: async () => {},
    query: (text, values) => ask(client, text, values),
    ask: (text, values) => askForeign(driver, client, text, values),
    transaction: (_, work) => work(part),
    close: () => Promise.reject(new AppError('internal', `a transaction does not close ${place}`)),
  };
  return part;
}

async function ask<Row>(client: pg.PoolClient, text: string, values: readonly Value[]) {
  currentSpan().note(text);
  const { rows, rowCount } = await client.query(text, values.map(sent));
  return { rows: rows as Row[], changes: rowCount ?? 0 };
}

/** A text of several statements that begins a transaction leaves it open where one of them fails. */
async function askForeign(
  driver: typeof pg,
  client: pg.PoolClient,
  text: string,
  values: readonly unknown[] = [],
): Promise<{ rows: ForeignRow[] }> {
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
