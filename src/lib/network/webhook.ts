import querystring from 'node:querystring';
import { AppError } from '../../errors.ts';
import { defined } from '../defined.ts';
import type { GuardedFetch } from './fetch.ts';
import { restOf } from './politeness.ts';

/** Milliseconds that one attempt may take. */
const TIMEOUT_MS = 10_000;

export interface WebhookOptions {
  readonly url: string;
  readonly fetch: GuardedFetch;
  /** Bytes of the key that messages are signed with; unsigned without. */
  readonly secret?: Buffer | undefined;
  /** The operator's own address, which may be on a private network; others reach public addresses only. */
  readonly trusted: boolean;
  /** In the header of that name, in place of a user and a password in the address. */
  readonly authorization?: string | undefined;
}

/** One message: `id` stays the same when it is sent again, so that a receiver can recognise it. */
export interface WebhookMessage {
  readonly id?: string;
  readonly body: string;
}

/**
 * Posts JSON once, without following redirects. Signed as Standard Webhooks have it
 * (https://www.standardwebhooks.com, version 1.0.0), by their own package. Throws AppError:
 * `upstream` for any status but 2xx, with the seconds that a 429 or 503 asks to wait, and what the guarded fetch throws.
 */
export function createWebhookPost({ url, fetch, secret, trusted, authorization: given }: WebhookOptions) {
  const { address, authorization = given } = withoutUser(url);
  const { hostname, port, protocol, host } = new URL(address);
  const allow = trusted ? [`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`] : [];

  return async function post({ id, body }: WebhookMessage, signal: AbortSignal): Promise<void> {
    const {
      status,
      headers,
      body: answer,
    } = await fetch(address, {
      method: 'POST',
      headers: defined({
        'content-type': 'application/json',
        authorization: authorization || undefined,
        ...(id !== undefined && (await signatureOf(id, body, secret))),
      }),
      body,
      signal,
      allow,
      timeoutMs: TIMEOUT_MS,
      maxBytes: 65_536,
      maxRedirects: 0,
    });
    if (status < 200 || status > 299) {
      const retryAfter = secondsToWait(status, headers, answer);
      throw new AppError('upstream', `the webhook at ${host} answers ${status}`, {
        ...(retryAfter > 0 && { retryAfter }),
      });
    }
  };
}

/** By Retry-After, or as Discord (`retry_after`) and Telegram (`parameters.retry_after`) say it in the body; 0 where neither does. */
function secondsToWait(status: number, headers: Headers, body: Uint8Array): number {
  if (status !== 429 && status !== 503) return 0;
  const rest = restOf(headers.get('retry-after'), Date.now());
  if (rest > 0) return Math.ceil(rest / 1000);
  try {
    const { retry_after: own, parameters } = JSON.parse(Buffer.from(body).toString()) as {
      retry_after?: unknown;
      parameters?: { retry_after?: unknown };
    };
    const seconds = Number(own ?? parameters?.retry_after ?? 0);
    return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : 0;
  } catch {
    return 0;
  }
}

/** Headers of a named message. The library is loaded with the first that is signed. */
async function signatureOf(
  id: string,
  body: string,
  secret: Buffer | undefined,
): Promise<Record<string, string>> {
  const now = new Date();
  const named = { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(now.getTime() / 1000)) };
  if (!secret) return named;
  const { Webhook } = await import('standardwebhooks');
  return { ...named, 'webhook-signature': new Webhook(secret, { format: 'raw' }).sign(id, now, body) };
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
