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

/** Limits and options of one fetch. */
export interface FetchOptions {
  readonly signal: AbortSignal;
  readonly method?: Method;
  /** Further request headers, such as `accept` and `accept-language`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Maximum size of the decompressed body in bytes; a larger one is `too_large`. Default 10 MB. */
  readonly maxBytes?: number;
  /** Time limit of the whole fetch in milliseconds, including waiting, redirects and body. Default 15,000. */
  readonly timeoutMs?: number;
  /** Maximum number of redirects to follow. Default 5. */
  readonly maxRedirects?: number;
  /** Decides whether a redirect is followed. If it returns false, the redirect itself is the result, with its status. */
  readonly mayGoTo?: (next: URL) => boolean;
  /**
   * Follows pages that redirect at once by a Refresh header or `<meta http-equiv="refresh">`, and counts them as redirects. A
   * page that leads back to one already visited is the result. With `noscript`, the <noscript> of a page without text counts too,
   * for readers that run no scripts. If left out, such a page is the result.
   */
  readonly followRefresh?: { readonly noscript: boolean };
  /** Hosts (`host` or `host:port`) that this call may reach besides public addresses, such as the operator's search engine. */
  readonly allow?: readonly string[];
  /**
   * User for whom the response may be cached and shared. A GET without credentials is then answered from what this user fetched
   * before, by the rules of HTTP, and equal requests at the same time are sent once. Nothing is shared between users, since the
   * response time would reveal what another user has read. If left out, nothing is cached or shared.
   */
  readonly cacheFor?: string;
  /** True to use HTTP/2 if the site supports it, as browsers do. Default: HTTP/1.1. */
  readonly http2?: boolean;
  /**
   * Gets the Set-Cookie lines of a redirect and returns the `cookie` header for the next request. The header is sent only if that
   * request goes to the host of the original address or to a subdomain of it. If left out, redirects set no cookies.
   */
  readonly keepCookies?: (lines: readonly string[]) => string | undefined;
}

export interface Fetched {
  /** The address after all redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Fetches from untrusted addresses. See `createGuardedFetch`. */
export interface GuardedFetch {
  (url: string, options: FetchOptions): Promise<Fetched>;
  close(): Promise<void>;
}

export interface GuardOptions extends UrlGuardOptions {
  readonly userAgent: string;
  /** Cache for responses of calls with `cacheFor`. Without it, requests are shared only while they are under way. */
  readonly cache?: FetchCache;
  /** Maximum number of requests at once to one origin, over all callers. Default 6, as in browsers. */
  readonly perOrigin?: number;
}

/** How long after its start a request can be shared by other callers, in milliseconds. */
const JOINING_MS = 5000;
const NEVER = new AbortController().signal;

/**
 * Creates a fetch that reaches only public addresses. The address is checked in the DNS lookup of the connection itself, so that
 * a name cannot change between check and use; every redirect and every cached response is checked again. It stores no cookies,
 * uses no proxy, and takes no credentials in URLs. A status other than 2xx is a result, not an error. Each site gets few requests
 * at once, and none while it asks to be left alone; these limits are shared by all users, and are the only thing by which one
 * user can slow down another. Throws AppError: bad_request, forbidden, too_large, unsupported, timeout, cancelled, upstream, and
 * unavailable if too many requests wait for the site or after `close()`, which aborts the requests under way.
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
    // `AbortSignal.timeout` takes whole milliseconds, and a caller may pass a fraction.
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

  /** Follows redirects until the final response. Updates `trip` to the current request. */
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
  /** User for whom responses are cached. */
  owner: string | undefined;
  readonly maxBytes: number;
  readonly maxRedirects: number;
  readonly refresh: FetchOptions['followRefresh'];
  readonly own: AllowList;
  readonly http2: boolean | undefined;
  /** The original address of the call. */
  readonly asked: URL;
  readonly keepCookies: FetchOptions['keepCookies'];
  readonly mayGoTo: FetchOptions['mayGoTo'];
}

/** Returns the address that a page redirects to at once. Failed responses redirect nowhere. */
async function refreshed({ url, method, refresh }: Trip, answer: Answer): Promise<URL | undefined> {
  if (!refresh || method !== 'GET' || answer.status !== 200) return undefined;
  const { headers, body } = answer;
  const next = await refreshOf({ url, headers, body }, refresh.noscript);
  if (!next || !/^https?:$/.test(next.protocol)) return undefined;
  try {
    return parseUrl(next.href);
  } catch {
    // An invalid target, such as one with a password, is the site's mistake. The page itself can still be read.
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
  // RFC 9110, 15.4: 301 and 302 change the method to GET only for POST.
  if (trip.method === 'POST' ? status <= 303 : status === 303) {
    trip.method = 'GET';
    trip.body = undefined;
    trip.headers = withoutContent(trip.headers);
  }
  turn(trip, next);
  const cookie = trip.keepCookies?.(headers.getSetCookie());
  if (cookie && isUnder(next, trip.asked)) trip.headers = { ...trip.headers, cookie };
}

/** True if `url` has the same host as `host`, or a subdomain of it, with the same protocol and port. */
function isUnder({ protocol, port, hostname }: URL, host: URL): boolean {
  if (protocol !== host.protocol || port !== host.port) return false;
  return hostname === host.hostname || hostname.endsWith(`.${host.hostname}`);
}

/** The copy is made with `new Uint8Array`, since a slice of a Buffer would share its memory. */
function copy({ url, status, headers, body }: Fetched): Fetched {
  return { url, status, headers: new Headers(headers), body: new Uint8Array(body) };
}

/** Describes the request for tracing by host and method only. The rest of the address may contain text of users. */
function spanOf({ url, method }: Trip): SpanStart {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const facts = { 'http.request.method': method, 'server.address': url.hostname, 'server.port': port };
  return { name: method, kind: 'client', facts };
}
