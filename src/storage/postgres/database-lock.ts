import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { unavailableError } from '../../errors.ts';
import { toDriverConfig } from './address.ts';
import { databaseError } from './errors.ts';

/** Advisory lock. Magpie's connections share it, and `magpie migrate` takes it exclusively. */
const LOCK = 7_240_191_120;
/** Longest wait in ms for the server to close the connections of a process that ended. */
const WAIT_MS = 10_000;
const AGAIN_MS = 100;
/** Milliseconds for connecting, and for the result of a query. */
const ANSWER_MS = 10_000;
const RETRY_AFTER_S = 60;
const STANDBY_RETRY_S = 2;

/** Takes the shared lock. Throws AppError `unavailable` while the database is being moved. */
export async function takeSharedLock(client: pg.ClientBase): Promise<void> {
  if (await holds(client, 'pg_try_advisory_lock_shared')) return;
  throw unavailableError('the database is being moved by `magpie migrate`; try again when it has ended', {
    retryAfter: RETRY_AFTER_S,
  });
}

/** Takes the shared lock. Throws AppError `unavailable` on a standby, where a revoked key could still be valid. */
export async function takeSharedLockOnPrimary(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query('SELECT pg_is_in_recovery() AS standby');
  if (rows[0]?.standby) {
    throw unavailableError(
      'the database is a standby, and DATABASE_URL must lead to the primary; try again when one is promoted',
      { retryAfter: STANDBY_RETRY_S },
    );
  }
  await takeSharedLock(client);
}

async function holds(client: pg.ClientBase, way: string): Promise<boolean> {
  const { rows } = await client.query(`SELECT ${way}(${LOCK}) AS held`);
  return Boolean(rows[0]?.held);
}

/** Takes the exclusive lock. Throws AppError `unavailable` while another Magpie process is connected. */
export async function takeExclusiveLock(
  url: string,
  place: string,
  { signal, answerMs = ANSWER_MS }: { readonly signal?: AbortSignal; readonly answerMs?: number } = {},
): Promise<{ check(): Promise<void>; release(): Promise<void> }> {
  const { default: driver } = await import('pg');
  const client = new driver.Client({
    ...toDriverConfig(url),
    application_name: 'magpie migrate',
    keepAlive: true,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    for (let waited = 0; !(await holds(client, 'pg_try_advisory_lock')); waited += AGAIN_MS) {
      if (waited < WAIT_MS) {
        await setTimeout(AGAIN_MS, undefined, { signal });
        continue;
      }
      throw unavailableError(
        `another Magpie is connected to the database ${place}: end every server, assistant and command on it first`,
      );
    }
  } catch (error) {
    await client.end().catch(() => {});
    signal?.throwIfAborted();
    throw databaseError(error, place);
  }
  return {
    async check() {
      try {
        await client.query('SELECT 1');
      } catch (error) {
        throw databaseError(error, place);
      }
    },
    release: () => client.end().catch(() => {}),
  };
}
