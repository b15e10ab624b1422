import type { Agent, Dispatcher } from 'undici';
import { AppError } from '../errors.ts';
import { parseAllowList } from './address.ts';
import { readBody } from './body.ts';
import { closed, fetchError, HEADER_BYTES } from './fetch-error.ts';
import { createUrlGuard, parseUrl, type UrlGuardOptions } from './url-guard.ts';

/** Limits and extras of one fetch. */
export interface FetchOptions {
  readonly signal: AbortSignal;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ceiling on the bytes of the body after decompression; more is `too_large`. Default 10 MB. */
  readonly maxBytes?: number;
  /** The whole exchange, redirects and body included, in milliseconds. Default 15,000. */
  readonly timeoutMs?: number;
  /** Default 5. */
  readonly maxRedirects?: number;
  /** Hosts or host:port that this one call may reach besides public addresses (an operator's own engine). */
  readonly allow?: readonly string[];
}

export interface Fetched {
  /** The address after redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Fetches from addresses that outsiders choose; see `createGuardedFetch`. */
export interface GuardedFetch {
  (url: string, options: FetchOptions): Promise<Fetched>;
  close(): Promise<void>;
}

export interface GuardOptions extends UrlGuardOptions {
  readonly userAgent: string;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const EMPTY = new Set([204, 205, 304]);

type Response = Dispatcher.ResponseData;

/**
 * A fetch that reaches public addresses only. The address is judged when the connection is made, by the
 * very look-up that the connection uses, so that a name cannot change between check and use; every
 * redirect is judged anew. No cookies, no proxies, no credentials in URLs. Other statuses than 2xx are
 * answers, not errors. Throws AppError: bad_request, forbidden, too_large, unsupported, timeout,
 * cancelled, upstream, and unavailable after `close()`, which breaks off what is under way.
 */
export function createGuardedFetch({ userAgent, ...options }: GuardOptions): GuardedFetch {
  const guard = createUrlGuard(options);
  let ended = false;
  let agents: Promise<{ guarded: Agent; open: Agent; request: typeof import('undici').request }> | undefined;
  // Loaded at the first fetch: the start of the stdio server does not wait for it.
  const load = () => {
    agents ??= import('undici').then(({ Agent, request }) => {
      const shared = {
        connections: 32,
        pipelining: 1,
        maxHeaderSize: HEADER_BYTES,
        keepAliveTimeout: 4000,
        keepAliveMaxTimeout: 30_000,
        // The ceiling on headers holds for HTTP/1.1 only.
        allowH2: false,
      };
      const timeout = 10_000;
      return {
        guarded: new Agent({ ...shared, connect: { timeout, lookup: guard.lookups.guarded } }),
        open: new Agent({ ...shared, connect: { timeout, lookup: guard.lookups.open } }),
        request,
      };
    });
    return agents;
  };

  async function guardedFetch(address: string, options: FetchOptions): Promise<Fetched> {
    if (ended) throw closed();
    const { maxBytes = 10_000_000, timeoutMs = 15_000, maxRedirects = 5 } = options;
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([options.signal, deadline]);
    const own = parseAllowList(options.allow ?? []);
    let url = parseUrl(address);
    let { method = 'GET', body } = options;
    let headers = requestHeaders(options.headers, userAgent);
    try {
      const { guarded, open, request } = await load();
      for (let hops = 0; ; hops++) {
        const dispatcher = guard.judge(url, own) === 'open' ? open : guarded;
        signal.throwIfAborted();
        const call = { dispatcher, method, headers, signal, ...(body !== undefined && { body }) };
        const response = await untilAborted(request(url, call), signal);
        const location = headerOf(response, 'location');
        if (!REDIRECTS.has(response.statusCode) || location === undefined) {
          return {
            url: url.href,
            status: response.statusCode,
            headers: toHeaders(response.headers),
            body: await receive(response, maxBytes, signal),
          };
        }
        letGo(response);
        if (hops >= maxRedirects) {
          throw new AppError(
            'upstream',
            `${url.host} redirects more than ${maxRedirects} times; ask for the final address`,
          );
        }
        const next = parseUrl(location, url);
        if (next.origin !== url.origin) headers = without(headers, CREDENTIALS);
        if (method === 'POST' && response.statusCode <= 303) {
          method = 'GET';
          body = undefined;
          headers = without(headers, /^content-/);
        }
        url = next;
      }
    } catch (error) {
      throw fetchError(error, { url, caller: options.signal, deadline, timeoutMs });
    }
  }

  return Object.assign(guardedFetch, {
    async close() {
      ended = true;
      if (!agents) return;
      const { guarded, open } = await agents;
      await Promise.all([guarded.destroy(), open.destroy()]);
    },
  });
}

/** undici lets a request go only once its connection stands or has failed; a caller does not wait for that. */
async function untilAborted(pending: Promise<Response>, signal: AbortSignal): Promise<Response> {
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([pending, aborted.promise]);
  } catch (error) {
    pending.then(letGo, () => {});
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Gives a body up unread, with its connection: it may never end. */
function letGo({ body }: Response): void {
  body.on('error', () => {});
  body.destroy();
}

async function receive(response: Response, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  const said = headerOf(response, 'content-length');
  if (said === '0' || EMPTY.has(response.statusCode)) {
    return readBody(response.body, {}, maxBytes, signal);
  }
  if (Number(said) > maxBytes) {
    letGo(response);
    throw new AppError(
      'too_large',
      `ResponseTooLarge: the page has ${said} bytes, over the limit of ${maxBytes}`,
    );
  }
  return readBody(response.body, response.headers, maxBytes, signal);
}

/** What no other origin may learn: cookies, tokens, keys, by the names that services give them. */
const CREDENTIALS = /auth|cookie|key|token|secret|signature|^host$/;

function without(headers: Record<string, string>, names: RegExp): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.test(name)));
}

/** Names in lower case. The value of a bad header may be a secret, so it is not told, nor kept as cause. */
function requestHeaders(own: FetchOptions['headers'], userAgent: string): Record<string, string> {
  const headers: Record<string, string> = {
    'accept-encoding': 'gzip, deflate, br, zstd',
    'user-agent': userAgent,
  };
  for (const [name, value] of Object.entries(own ?? {})) {
    try {
      new Headers().set(name, value);
    } catch {
      throw new AppError(
        'bad_request',
        `the header ${JSON.stringify(name)} cannot be sent: it takes one line of Latin letters, digits and signs`,
      );
    }
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

function headerOf({ headers }: Response, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function toHeaders(raw: Response['headers']): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) headers.append(name, one);
  }
  return headers;
}
