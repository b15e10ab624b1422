import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { driverAddress } from './address.ts';
import { joinOthers } from './alone.ts';

/**
 * What other nodes announce at a commit, so that what waits for it in a table is read at once. A notice may be lost, with the
 * connection above all: a listener also asks the table from time to time.
 */
export interface Notices {
  /** The connection is made at the first call. The listener is called at each notice of the topic, and at each new connection. */
  hear(topic: string, listener: () => void): () => void;
  close(): Promise<void>;
}

/** A statement of a step: the notice goes out with its commit. Takes the topic, of at most 200 characters. */
export const GIVE_NOTICE = `SELECT pg_notify('magpie', ?)`;

/** What the connection is named in `pg_stat_activity`. */
export const NOTICES_NAME = 'magpie notices';

/** Milliseconds until a connection that ended is made again, and the most after several attempts that failed. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
const CONNECT_MS = 10_000;
/** Milliseconds between two questions to the server whether the connection still leads to it: a way that goes silent does not say so. */
const CHECK_MS = 15_000;

/**
 * Listens on one connection beside the pool of this process, whatever the number of topics.
 * @param checkMs milliseconds between two checks of the connection, and that it may take to answer one
 */
export function openNotices(url: string, checkMs = CHECK_MS): Notices {
  const listeners = new Map<string, Set<() => void>>();
  const closing = new AbortController();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    let pause = FIRST_WAIT_MS;
    while (!closing.signal.aborted) {
      try {
        await listen(
          url,
          checkMs,
          closing.signal,
          () => {
            pause = FIRST_WAIT_MS;
            for (const own of listeners.values()) for (const listener of own) listener();
          },
          (topic) => {
            for (const listener of listeners.get(topic) ?? []) listener();
          },
        );
      } catch {
        // Tables are asked meanwhile, and report what is wrong with the database.
      }
      await wait(pause, undefined, { signal: closing.signal, ref: false }).catch(() => {});
      pause = Math.min(2 * pause, LONGEST_WAIT_MS);
    }
  }

  return {
    hear(topic, listener) {
      const own = listeners.get(topic) ?? new Set();
      listeners.set(topic, own.add(listener));
      running ??= run();
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(topic) === own) listeners.delete(topic);
      };
    },
    async close() {
      closing.abort();
      await running;
    },
  };
}

/** Until the connection ends, or the signal says so. */
async function listen(
  url: string,
  checkMs: number,
  signal: AbortSignal,
  begun: () => void,
  heard: (topic: string) => void,
): Promise<void> {
  const { default: driver } = await import('pg');
  const client: pg.Client = new driver.Client({
    ...driverAddress(url),
    application_name: NOTICES_NAME,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: Math.min(CONNECT_MS, checkMs),
  });
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  client.on('error', () => resolve());
  client.on('end', () => resolve());
  client.on('notification', ({ payload = '' }) => heard(payload));
  signal.addEventListener('abort', () => resolve(), { once: true });
  let timer: NodeJS.Timeout | undefined;
  try {
    signal.throwIfAborted();
    await client.connect();
    await joinOthers(client);
    await client.query('LISTEN magpie');
    begun();
    timer = setInterval(() => client.query('SELECT 1').catch(() => resolve()), checkMs).unref();
    await ended;
  } finally {
    clearInterval(timer);
    await client.end().catch(() => {});
  }
}
