import { setTimeout as wait } from 'node:timers/promises';
import type { GuardedFetch } from '../lib/fetch.ts';
import { createWebhookPost } from '../lib/webhook.ts';
import type { Logger } from '../log.ts';
import type { Alert } from './types.ts';

/** Milliseconds before each attempt. */
const ATTEMPTS = [0, 2000, 10_000];
/** Alerts under way at once; more are in the log alone. */
const MOST = 20;

export interface WebhookOptions {
  /** The operator's own address; may be on a private network. */
  readonly url: string;
  readonly fetch: GuardedFetch;
  readonly log: Logger;
  readonly now: () => number;
}

/** Posts alerts as JSON (`kind`, `message`, `key`, `user`, `address`, `time`), three times at most. */
export function createWebhook({ url, fetch, log, now }: WebhookOptions) {
  const attempt = createWebhookPost({ url, fetch, trusted: true });
  const stop = new AbortController();
  let underWay = 0;

  async function post(body: string): Promise<void> {
    let trouble: unknown;
    for (const ms of ATTEMPTS) {
      await wait(ms, undefined, { signal: stop.signal, ref: false });
      try {
        await attempt({ body }, stop.signal);
        return;
      } catch (error) {
        trouble = error;
      }
    }
    throw trouble;
  }

  return {
    send({ kind, message, credential, user, address }: Alert): void {
      if (underWay >= MOST) return;
      underWay++;
      const time = new Date(now()).toISOString();
      post(JSON.stringify({ kind, message, key: credential, user, address, time }))
        .catch((err: unknown) => {
          if (!stop.signal.aborted) log.error({ err }, 'an alert did not reach MAGPIE_ALERT_WEBHOOK');
        })
        .finally(() => {
          underWay--;
        });
    },
    close: () => stop.abort(),
  };
}
