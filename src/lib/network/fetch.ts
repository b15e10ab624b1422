import { AppError } from '../../errors.ts';
import { createFlights } from '../concurrency/flights.ts';
import { type SpanStart, traced } from '../tracing.ts';
import { type AllowList, parseAllowList } from './address.ts';
import { type Answer, createExchange, isRedirect, type Method } from './exchange.ts';
import type { FetchCache } from './fetch-cache.ts';
import { closed, fetchError } from './fetch-error.ts';
import { createKeptExchange } from './kept-exchange.ts';
import { createPoliteness } from './politeness.ts';
import { refreshOf } from './refresh.ts';
import { hasCredentials, requestHeaders, withoutContent, withoutCredentials } from './request-headers.ts';
import { createUrlGuard, parseUrl, type UrlGuardOptions } from './url-guard.ts';

/** Limits and extras of one fetch. */
export interface FetchOptions {
  readonly signal: AbortSignal;
  readonly method?: Method;
  /** Further headers for the site: `accept`, `accept-language` and the like. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ceiling on the bytes of the body after decompression; more is `too_large`. Default 10 MB. */
  readonly maxBytes?: number;
  /** The whole exchange, waiting, redirects and body included, in milliseconds. Default 15,000. */
  readonly timeoutMs?: number;
  /** Default 5. */
  readonly maxRedirects?: number;
  /** A redirect to an address for which this is false is not followed: it is the answer, with its status. */
  readonly mayGoTo?: (next: URL) => boolean;
  /**
   * A page that leads on at once, by a Refresh header or `<meta http-equiv="refresh">`, is followed like a redirect and
   * counted with them; where it leads back to a page on the way, that page is the answer. `noscript`: also by what
   * a page without text says in <noscript>, for a reader that runs no scripts. Left out: the page is the answer.
   */
  readonly followRefresh?: { readonly noscript: boolean };
  /** Hosts or host:port that this one call may reach besides public addresses (an operator's own engine). */
  readonly allow?: readonly string[];
  /**
   * The user for whom the answer may be kept and shared: a GET without credentials is then answered from
   * what this user fetched before, by the rules of HTTP, and the same one at the same time is one exchange.
   * Nothing of it serves another user: the time of an answer must not reveal what another user has read. Left out:
   * nothing is kept or shared.
   */
  readonly cacheFor?: string;
  /** Over HTTP/2 where the site speaks it, as browsers do. Default: HTTP/1.1. */
  readonly http2?: boolean;
  /**
   * Takes the Set-Cookie lines of a redirect and gives the `cookie` header of the next request, which is sent where that
   * stays on the host that was asked or goes to one under it. Left out: a redirect sets no cookies.
   */
  readonly keepCookies?: (lines: readonly string[]) => string | undefined;
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
  /** Where answers are kept for `cacheFor`; without it they are shared while under way only. */
  readonly cache?: FetchCache;
  /** Requests at once to one origin, over all callers. Default 6, as browsers have it. */
  readonly perOrigin?: number;
}

/** A request can be joined this long after it began, in milliseconds. */
const JOINING_MS = 5000;
const NEVER = new AbortController().signal;

/**
 * A fetch that reaches public addresses only. The address is judged when the connection is made, by the
 * very look-up that the connection uses, so that a name cannot change between check and use; every
 * redirect, and every answer that was kept, is judged again. No cookies of its own, no proxies, no credentials in URLs.
 * Other statuses than 2xx are answers, not errors. A site has a few requests at once and is left alone when
 * it asks for it, which all users share: the one thing by which their haste can be felt by each other.
 * Throws AppError: bad_request, forbidden, too_large, unsupported, timeout, cancelled, upstream, and
 * unavailable when too many wait for the site or after `close()`, which breaks off what is under way.
 */
export function createGuardedFetch(options: GuardOptions): GuardedFetch {
  const { userAgent, cache, perOrigin = 6 } = options;
  const guard = createUrlGuard(options);
  const politeness = createPoliteness({ places: perOrigin });
  const exchange = createExchange(guard, perOrigin);
  const ask = createKeptExchange({ exchange, politeness, guard, cache, policy: options.allowHosts });
  const flights = createFlights<Fetched>({ copy, joining: JOINING_MS });
  let ended = false;

  async function guardedFetch(address: string, call: FetchOptions): Promise<Fetched> {
    if (ended) throw closed();
    const { timeoutMs = 15_000, cacheFor } = call;
    // It takes whole milliseconds, and a caller's share of a time seldom is.
    const deadline = AbortSignal.timeout(Math.ceil(timeoutMs));
    const trip: Trip = {
      url: parseUrl(address),
      method: call.method ?? 'GET',
      headers: requestHeaders(call.headers ?? {}, userAgent),
      body: call.body,
      maxBytes: call.maxBytes ?? 10_000_000,
      maxRedirects: call.maxRedirects ?? 5,
      refresh: call.followRefresh,
      own: parseAllowList(call.allow ?? []),
      owner: undefined,
      http2: call.http2,
      asked: parseUrl(address),
      keepCookies: call.keepCookies,
      mayGoTo: call.mayGoTo,
    };
    const shared = cacheFor !== undefined && trip.method === 'GET' && !hasCredentials(trip.headers);
    if (shared) trip.owner = JSON.stringify([cacheFor, call.allow]);
    const key = shared
      ? JSON.stringify([trip.owner, trip.url, trip.headers, trip.maxBytes, trip.maxRedirects, trip.refresh])
      : undefined;
    try {
      const either = AbortSignal.any([call.signal, deadline]);
      return await traced(
        () => spanOf(trip),
        async (span) => {
          const answer = await flights.join(key, (signal) => travel(trip, signal), either);
          span.set({ 'http.response.status_code': answer.status });
          return answer;
        },
      );
    } catch (error) {
      throw fetchError(error, { url: trip.url, caller: call.signal, deadline, timeoutMs });
    }
  }

  /** From redirect to redirect; `trip` is where it has come to. */
  async function travel(trip: Trip, signal: AbortSignal): Promise<Fetched> {
    const visited = new Set<string>();
    try {
      for (let hops = 0; ; hops++) {
        const { url } = trip;
        const verdict = guard.judge(url, trip.own);
        const answer = await ask({ ...trip, verdict, signal });
        visited.add(url.href);
        const goesOn = isRedirect(answer) && (trip.mayGoTo?.(redirectOf(trip, answer)) ?? true);
        const next = isRedirect(answer) ? undefined : await refreshed(trip, answer);
        if (!goesOn && (!next || visited.has(next.href))) {
          const { status, headers, body } = answer;
          return { url: url.href, status, headers, body };
        }
        if (hops >= trip.maxRedirects) {
          throw new AppError(
            'upstream',
            `${url.host} redirects more than ${trip.maxRedirects} times; ask for the final address`,
          );
        }
        if (next) turn(trip, next);
        else redirect(trip, answer);
      }
    } catch (error) {
      throw fetchError(error, { url: trip.url, caller: signal, deadline: NEVER, timeoutMs: 0 });
    }
  }

  return Object.assign(guardedFetch, {
    async close() {
      ended = true;
      flights.end(closed());
      await exchange.close();
      await cache?.close();
    },
  });
}

interface Trip {
  url: URL;
  method: Method;
  headers: Record<string, string>;
  body: string | undefined;
  /** For whom answers are kept. */
  owner: string | undefined;
  readonly maxBytes: number;
  readonly maxRedirects: number;
  readonly refresh: FetchOptions['followRefresh'];
  readonly own: AllowList;
  readonly http2: boolean | undefined;
  /** Where the call itself goes. */
  readonly asked: URL;
  readonly keepCookies: FetchOptions['keepCookies'];
  readonly mayGoTo: FetchOptions['mayGoTo'];
}

/** Where an answer leads on to at once; what failed does not. */
async function refreshed({ url, method, refresh }: Trip, answer: Answer): Promise<URL | undefined> {
  if (!refresh || method !== 'GET' || answer.status !== 200) return undefined;
  const { headers, body } = answer;
  const next = await refreshOf({ url, headers, body }, refresh.noscript);
  if (!next || !/^https?:$/.test(next.protocol)) return undefined;
  try {
    return parseUrl(next.href);
  } catch {
    // The site's own mistake, as a password in the address: the page itself can be read.
    return undefined;
  }
}

function turn(trip: Trip, next: URL): void {
  if (next.origin !== trip.url.origin) trip.headers = withoutCredentials(trip.headers);
  trip.url = next;
}

function redirectOf({ url }: Trip, { headers }: Answer): URL {
  return parseUrl(headers.get('location') ?? '', url);
}

function redirect(trip: Trip, answer: Answer): void {
  const { status, headers } = answer;
  const next = redirectOf(trip, answer);
  // RFC 9110, 15.4: only of POST do 301 and 302 make a GET.
  if (trip.method === 'POST' ? status <= 303 : status === 303) {
    trip.method = 'GET';
    trip.body = undefined;
    trip.headers = withoutContent(trip.headers);
  }
  turn(trip, next);
  const cookie = trip.keepCookies?.(headers.getSetCookie());
  if (cookie && isUnder(next, trip.asked)) trip.headers = { ...trip.headers, cookie };
}

/** Whether an address is on a host or on one under it, by the same protocol and port. */
function isUnder({ protocol, port, hostname }: URL, host: URL): boolean {
  if (protocol !== host.protocol || port !== host.port) return false;
  return hostname === host.hostname || hostname.endsWith(`.${host.hostname}`);
}

/** A Buffer's own slice would share its memory. */
function copy({ url, status, headers, body }: Fetched): Fetched {
  return { url, status, headers: new Headers(headers), body: new Uint8Array(body) };
}

/** Host and method: the rest of an address may have words of users in it. */
function spanOf({ url, method }: Trip): SpanStart {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const facts = { 'http.request.method': method, 'server.address': url.hostname, 'server.port': port };
  return { name: method, kind: 'client', facts };
}
