import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Agent, Dispatcher } from 'undici';
import { AppError } from '../errors.ts';
import {
  type AllowList,
  inAnyBlock,
  isLiteral,
  isPrivateName,
  isPublicAddress,
  parseAllowList,
} from './address.ts';
import { readBody } from './body.ts';

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

export interface GuardOptions {
  /** What may be reached besides public addresses: host, host:port, CIDR. */
  readonly allowHosts: readonly string[];
  readonly userAgent: string;
  /** Resolves names; replaced in tests that rebind a name between two look-ups. */
  readonly lookup?: LookupFunction;
}

const HEADER_BYTES = 64 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const PRIVATE = 'EPRIVATE';

/**
 * A fetch that reaches public addresses only. The address is judged when the connection is made, by the
 * very look-up that the connection uses, so that a name cannot change between check and use; every
 * redirect is judged anew. No cookies, no proxies, no credentials in URLs. Other statuses than 2xx are
 * answers, not errors. Throws AppError: bad_request, forbidden, too_large, timeout, cancelled, upstream.
 */
export function createGuardedFetch({
  allowHosts,
  userAgent,
  lookup = systemLookup,
}: GuardOptions): GuardedFetch {
  const allowed = parseAllowList(allowHosts);
  let agents: Promise<{ guarded: Agent; open: Agent; request: typeof import('undici').request }> | undefined;
  const load = () => {
    agents ??= import('undici').then(({ Agent, request }) => {
      const shared = { connections: 32, pipelining: 1, maxHeaderSize: HEADER_BYTES, keepAliveTimeout: 4000 };
      const timeout = 10_000;
      return {
        guarded: new Agent({ ...shared, connect: { timeout, lookup: publicOnly(lookup, allowed.blocks) } }),
        open: new Agent({ ...shared, connect: { timeout, lookup } }),
        request,
      };
    });
    return agents;
  };

  async function guardedFetch(address: string, options: FetchOptions): Promise<Fetched> {
    const { maxBytes = 10_000_000, timeoutMs = 15_000, maxRedirects = 5 } = options;
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([options.signal, deadline]);
    const own = parseAllowList(options.allow ?? []);
    let url = parseUrl(address);
    let { method = 'GET', body } = options;
    let headers: Record<string, string> = { ...options.headers };
    try {
      const { guarded, open, request } = await load();
      for (let hops = 0; ; hops++) {
        const dispatcher = judge(url, allowed, own) === 'open' ? open : guarded;
        signal.throwIfAborted();
        const response = await request(url, {
          dispatcher,
          method,
          headers: { 'accept-encoding': 'gzip, deflate, br, zstd', 'user-agent': userAgent, ...headers },
          ...(body !== undefined && { body }),
          signal,
        });
        const location = headerOf(response.headers, 'location');
        if (!REDIRECTS.has(response.statusCode) || location === undefined) {
          const received = await readBody(response.body, response.headers, maxBytes, signal);
          return {
            url: url.href,
            status: response.statusCode,
            headers: toHeaders(response.headers),
            body: received,
          };
        }
        await response.body.dump({ limit: 64_000, signal }).catch(() => {});
        if (hops >= maxRedirects) {
          throw new AppError(
            'upstream',
            `${address} redirects more than ${maxRedirects} times; ask for the final address`,
          );
        }
        const next = parseUrl(location, url.href);
        if (next.origin !== url.origin) headers = withoutCredentials(headers);
        if (response.statusCode === 303 || (method === 'POST' && response.statusCode < 303)) {
          method = 'GET';
          body = undefined;
        }
        url = next;
      }
    } catch (error) {
      throw fetchError(error, url, options.signal, deadline, timeoutMs);
    }
  }

  return Object.assign(guardedFetch, {
    async close() {
      if (!agents) return;
      const { guarded, open } = await agents;
      await Promise.all([guarded.destroy(), open.destroy()]);
    },
  });
}

function parseUrl(address: string, base?: string): URL {
  const shown = JSON.stringify(address.length > 200 ? `${address.slice(0, 197)}...` : address);
  if (!URL.canParse(address, base))
    throw new AppError('bad_request', `${shown} is no URL: it takes an http or https URL`);
  const url = new URL(address, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new AppError(
      'bad_request',
      `${shown} has the scheme ${url.protocol} and only http and https are read`,
    );
  }
  if (url.username || url.password) {
    throw new AppError(
      'bad_request',
      `the address of ${url.host} holds a user name or password: leave it out`,
    );
  }
  url.hash = '';
  return url;
}

/** Which connections a URL may use; throws when none. */
function judge(url: URL, allowed: AllowList, own: AllowList): 'open' | 'guarded' {
  if (allowed.allows(url) || own.allows(url)) return 'open';
  if (isLiteral(url.hostname)) {
    if (isPublicAddress(url.hostname) || inAnyBlock(url.hostname, allowed.blocks)) return 'guarded';
    throw forbidden(url);
  }
  if (isPrivateName(url.hostname) && allowed.blocks.length === 0) throw forbidden(url);
  return 'guarded';
}

function forbidden(url: URL): AppError {
  return new AppError(
    'forbidden',
    `${url.host} is not a public address and is not read; the operator can allow it with MAGPIE_ALLOW_HOSTS`,
  );
}

/** A look-up that gives only addresses that may be connected to, and fails when there is none. */
function publicOnly(lookup: LookupFunction, blocks: readonly string[]): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0);
      const addresses = (Array.isArray(found) ? found : []).filter(
        ({ address }) => isPublicAddress(address) || inAnyBlock(address, blocks),
      );
      const [first] = addresses;
      if (!first) return callback(Object.assign(new Error('no public address'), { code: PRIVATE }), '', 0);
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}

function withoutCredentials(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(authorization|cookie|x-.*key.*|.*token.*)$/i.test(name)),
  );
}

function headerOf(headers: Dispatcher.ResponseData['headers'], name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function toHeaders(raw: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) headers.append(name, one);
  }
  return headers;
}

/** What went wrong, in plain words; addresses that a name resolved to stay in the log. */
function fetchError(
  error: unknown,
  url: URL,
  caller: AbortSignal,
  deadline: AbortSignal,
  timeoutMs: number,
): AppError {
  if (error instanceof AppError) return error;
  const cause = error;
  if (caller.aborted) {
    const late = caller.reason instanceof DOMException && caller.reason.name === 'TimeoutError';
    if (!late) return new AppError('cancelled', 'the call was cancelled', { cause });
    return new AppError('timeout', `${url.host} did not answer in time`, { cause });
  }
  if (deadline.aborted) {
    return new AppError('timeout', `${url.host} did not answer within ${timeoutMs / 1000} s`, { cause });
  }
  const code = codeOf(error);
  if (code === PRIVATE) return forbidden(url);
  return new AppError('upstream', `${url.host} ${REASONS[code] ?? 'gave no usable answer'}`, { cause });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'is not known to the name service',
  EAI_AGAIN: 'cannot be looked up: there is no name service or no network',
  ECONNREFUSED: 'refuses the connection',
  ECONNRESET: 'broke the connection off',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached: there is no network',
  ETIMEDOUT: 'did not accept the connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'did not accept the connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'stopped in the middle of its answer',
  UND_ERR_SOCKET: 'broke the connection off',
  UND_ERR_HEADERS_OVERFLOW: `sent more than ${HEADER_BYTES} bytes of headers`,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'sent a body of another length than it said',
  Z_DATA_ERROR: 'sent a body that does not unpack',
  Z_BUF_ERROR: 'sent a packed body that ends too early',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a certificate that nobody vouches for',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate that nobody vouches for',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'has a certificate that nobody vouches for',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
};

function codeOf(error: unknown): string {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; depth++) {
    const code = (at as NodeJS.ErrnoException).code;
    if (code && (REASONS[code] || code === PRIVATE)) return code;
    const inner: unknown = at instanceof AggregateError ? at.errors[0] : at.cause;
    at = inner;
  }
  return '';
}
