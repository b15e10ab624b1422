import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { toDriverConfig } from './address.ts';
import { takeSharedLock } from './database-lock.ts';

/** Notifications that nodes send with their commits. Some may get lost, so listeners must also poll. */
export type PostgresNotices = ReturnType<typeof openNotices>;
/** SQL that sends a notification at the commit of its transaction. The value is the topic, at most 200 characters. */
export const GIVE_NOTICE = `SELECT pg_notify('magpie', ?)`;
export const NOTICES_NAME = 'magpie notices';
/** First delay before a broken connection is opened again. It grows up to `LONGEST_WAIT_MS`. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
const CONNECT_MS = 10_000;
/** Interval of checks of the connection, because a broken network path causes no error by itself. */
const CHECK_MS = 15_000;

export function openNotices(url: string, checkMs = CHECK_MS) {
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
        // The error is ignored, because the listeners also poll their tables and then report the error.
      }
      await wait(pause, undefined, { signal: closing.signal, ref: false }).catch(() => {});
      pause = Math.min(2 * pause, LONGEST_WAIT_MS);
    }
  }

  return {
    hear(topic: string, listener: () => void): () => void {
      const own = listeners.get(topic) ?? new Set();
      listeners.set(topic, own.add(listener));
      running ??= run();
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(topic) === own) listeners.delete(topic);
      };
    },
    async close(): Promise<void> {
      closing.abort();
      await running;
    },
  };
}

async function listen(
  url: string,
  checkMs: number,
  signal: AbortSignal,
  begun: () => void,
  heard: (topic: string) => void,
): Promise<void> {
  const { default: driver } = await import('pg');
  const client: pg.Client = new driver.Client({
    ...toDriverConfig(url),
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
    await takeSharedLock(client);
    await client.query('LISTEN magpie');
    begun();
    timer = setInterval(() => client.query('SELECT 1').catch(() => resolve()), checkMs).unref();
    await ended;
  } finally {
    clearInterval(timer);
    await client.end().catch(() => {});
  }
}
