import { setTimeout as wait } from 'node:timers/promises';
import type { GuardedFetch } from '../../lib/network/fetch.ts';
import { createWebhookPost } from '../../lib/network/webhook.ts';
import type { Logger } from '../../log.ts';
import type { AccessAlert } from '../types.ts';

const ATTEMPT_DELAYS_MS = [0, 2000, 10_000];
const MAX_SENDING = 20;

export function createAlertWebhook(options: {
  /** The operator chooses this address. It may be on a private network. */
  readonly url: string;
  readonly fetch: GuardedFetch;
  readonly log: Logger;
  readonly now: () => number;
  /** Milliseconds to wait before each attempt. Default: 0, 2,000 and 10,000. */
  readonly attemptDelaysMs?: readonly number[] | undefined;
}) {
  const { url, fetch, log, now, attemptDelaysMs = ATTEMPT_DELAYS_MS } = options;
  const attempt = createWebhookPost({ url, fetch, trusted: true });
  const stop = new AbortController();
  let underWay = 0;

  async function post(body: string): Promise<void> {
    let failure: unknown;
    for (const ms of attemptDelaysMs) {
      await wait(ms, undefined, { signal: stop.signal, ref: false });
      try {
        await attempt({ body }, stop.signal);
        return;
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  return {
    send({ kind, message, credential, user, address }: AccessAlert): void {
      if (underWay >= MAX_SENDING) return;
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
