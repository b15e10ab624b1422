import type pg from 'pg';
import { toDriverConfig } from './address.ts';
import { cancelStatement } from './cancel.ts';
import { takeSharedLockOnPrimary } from './database-lock.ts';
import { databaseError } from './errors.ts';
import { describeDatabasePlace, typesOf } from './open.ts';

export type RunLongStatement = <Row>(text: string, values?: readonly (string | number)[]) => Promise<Row[]>;

/** Runs work that takes hours, on one node at a time. Returns undefined if another node runs it. */
export type RunLongWork = <T>(
  name: string,
  work: (ask: RunLongStatement) => Promise<T>,
  signal: AbortSignal,
) => Promise<T | undefined>;

/** Time limit of a statement in milliseconds, enough to index millions of rows. */
const STATEMENT_MS = 14_400_000;
const SILENCE_MS = 5000;
const CONNECT_MS = 10_000;
/** Milliseconds after which the server ends the statement of a node that is gone. */
const GONE_MS = 5000;
const ENDED_MS = 1000;

export function createLongWorkRunner(url: string): RunLongWork {
  const place = describeDatabasePlace(url);
  return async (name, work, signal) => {
    const { default: driver } = await import('pg');
    const client = new driver.Client({
      ...toDriverConfig(url),
      application_name: 'magpie long work',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: STATEMENT_MS,
      query_timeout: STATEMENT_MS + SILENCE_MS,
      types: typesOf(driver),
    });
    client.on('error', () => {});
    let ending: NodeJS.Timeout | undefined;
    const end = async () => {
      await cancelStatement(driver, client);
      // If the cancel request has no effect, closing the connection makes the server end the statement.
      ending = setTimeout(() => destroy(client), ENDED_MS).unref();
    };
    signal.addEventListener('abort', end, { once: true });
    try {
      signal.throwIfAborted();
      await client.connect();
      await takeSharedLockOnPrimary(client);
      // The failure is ignored, because some operating systems do not support this setting.
      await client.query(`SET client_connection_check_interval = ${GONE_MS}`).catch(() => {});
      const { rows } = await client.query('SELECT pg_try_advisory_lock(hashtextextended($1, 19)) AS held', [
        name,
      ]);
      if (!rows[0]?.held) return undefined;
      return await work(async (text, values = []) => (await client.query(text, [...values])).rows);
    } catch (error) {
      signal.throwIfAborted();
      throw databaseError(error, place);
    } finally {
      signal.removeEventListener('abort', end);
      await client.end().catch(() => {});
      clearTimeout(ending);
    }
  };
}

function destroy(client: pg.Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
