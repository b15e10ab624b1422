import querystring from 'node:querystring';
import { upstreamError } from '../../errors.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { GuardedFetch } from './fetch.ts';
import { parseRetryAfterMs } from './politeness.ts';

const TIMEOUT_MS = 10_000;

export interface WebhookOptions {
  readonly url: string;
  readonly fetch: GuardedFetch;
  readonly secret?: Buffer | undefined;
  /** True if the operator chose the address, which may then be on a private network. */
  readonly trusted: boolean;
  readonly authorization?: string | undefined;
}

/** Returns a function that posts signed JSON (Standard Webhooks 1.0.0) or throws AppError `upstream`. */
export function createWebhookPost({ url, fetch, secret, trusted, authorization: given }: WebhookOptions) {
  const { address, authorization = given } = withoutUser(url);
  const { hostname, port, protocol, host } = new URL(address);
  const allow = trusted ? [`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`] : [];

  return async function post(
    { id, body }: { readonly id?: string; readonly body: string },
    signal: AbortSignal,
  ): Promise<void> {
    const {
      status,
      headers,
      body: answer,
    } = await fetch(address, {
      method: 'POST',
      headers: omitUndefined({
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
      throw upstreamError(`the webhook at ${host} answers ${status}`, {
        ...(retryAfter > 0 && { retryAfter }),
      });
    }
  };
}

/** Returns how many seconds the service asks to wait (Retry-After, or `retry_after` in the body), or 0. */
function secondsToWait(status: number, headers: Headers, body: Uint8Array): number {
  if (status !== 429 && status !== 503) return 0;
  const rest = parseRetryAfterMs(headers.get('retry-after'), Date.now());
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

async function signatureOf(id: string, body: string, secret: Buffer | undefined) {
  const now = new Date();
  const named = { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(now.getTime() / 1000)) };
  if (!secret) return named;
  const { Webhook } = await import('standardwebhooks');
  return { ...named, 'webhook-signature': new Webhook(secret, { format: 'raw' }).sign(id, now, body) };
}

/** Moves user name and password from the URL into a header: the guarded fetch refuses them in URLs. */
function withoutUser(url: string): { readonly address: string; readonly authorization?: string } {
  const address = new URL(url);
  const { username, password } = address;
  if (username === '' && password === '') return { address: url };
  const pair = `${querystring.unescape(username)}:${querystring.unescape(password)}`;
  address.username = '';
  address.password = '';
  return { address: address.href, authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
