import querystring from 'node:querystring';
import { setTimeout as wait } from 'node:timers/promises';
import type { GuardedFetch } from '../lib/fetch.ts';
import type { Logger } from '../log.ts';
import type { Alert } from './alerts.ts';

/** Milliseconds before each attempt, and that one may take. */
const ATTEMPTS = [0, 2000, 10_000];
const TIMEOUT = 10_000;
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
  const { address, authorization } = withoutUser(url);
  const { hostname, port, protocol } = new URL(address);
  const allow = [`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`];
  const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
  const stop = new AbortController();
  let underWay = 0;

  async function post(body: string): Promise<void> {
    let trouble: unknown;
    for (const ms of ATTEMPTS) {
      await wait(ms, undefined, { signal: stop.signal, ref: false });
      try {
        const { status } = await fetch(address, {
          method: 'POST',
          headers,
          body,
          signal: stop.signal,
          allow,
          timeoutMs: TIMEOUT,
          maxBytes: 65_536,
          maxRedirects: 0,
        });
        if (status < 300) return;
        trouble = new Error(`it answers ${status}`);
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

/** An address whose user and password stand in a header instead: the guarded fetch takes none in addresses. */
function withoutUser(url: string): { readonly address: string; readonly authorization?: string } {
  const address = new URL(url);
  const { username, password } = address;
  if (username === '' && password === '') return { address: url };
  const pair = `${querystring.unescape(username)}:${querystring.unescape(password)}`;
  address.username = '';
  address.password = '';
  return { address: address.href, authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
