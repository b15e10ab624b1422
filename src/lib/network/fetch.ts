import { upstreamError } from '../../errors.ts';
import { attempt } from '../attempt.ts';
import { createCoalescer } from '../concurrency/request-coalescer.ts';
import { runInSpan, type SpanStart } from '../tracing.ts';
import { type HostAllowList, parseAllowList } from './address.ts';
import { isRedirect } from './body.ts';
import { createCachingExchange } from './caching-exchange.ts';
import { createExchange, type HttpMethod, type HttpResponse } from './exchange.ts';
import type { FetchCache } from './fetch-cache.ts';
import { fetchClosedError, fetchError } from './network-failure.ts';
import { createPoliteness } from './politeness.ts';
import { createRedirectCookies, type RedirectCookies } from './redirect-cookies.ts';
import { findRefreshTarget } from './refresh.ts';
import { hasCredentials, requestHeaders, withoutContent, withoutCredentials } from './request-headers.ts';
import { createUrlGuard, parseUrl, type UrlGuardOptions } from './url-guard.ts';

export interface FetchOptions {
  readonly signal: AbortSignal;
  readonly method?: HttpMethod;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Maximum size of the decompressed body in bytes. Default: 10 MB. */
  readonly maxBytes?: number;
  /** Time limit in milliseconds, including waiting, redirects and reading the body. Default: 15,000. */
  readonly timeoutMs?: number;
  readonly maxRedirects?: number;
  /** Decides whether to follow a redirect. If it returns false, the result is the redirect response. */
  readonly mayGoTo?: (next: URL) => boolean;
  /** Follows a page's refresh. `noscript`: also a refresh inside <noscript>, if the page has little text. */
  readonly followRefresh?: { readonly noscript: boolean };
  /** Private hosts that this call may reach, for example the operator's own search engine. */
  readonly allow?: readonly string[];
  /** User for whom the response is cached. A shared cache would reveal which pages other users read. */
  readonly cacheFor?: string;
  /** True to use HTTP/2 if the site supports it, as browsers do. Default: HTTP/1.1. */
  readonly http2?: boolean;
  /** Accepts responses that break HTTP rules, as browsers do, and sends a redirect's cookies back. */
  readonly asBrowser?: boolean;
  /** Cuts texts, HTML and CSV over `maxBytes` after their last whole line, in place of an error. */
  readonly cutsText?: boolean;
  /** Waits up to this many ms where a site answers 429 or 503 with Retry-After, and asks again. Default: 0. */
  readonly patienceMs?: number | undefined;
  /** Receives a redirect's Set-Cookie lines. Returns the `cookie` header for the next request to that host. */
  readonly keepCookies?: (lines: readonly string[]) => string | undefined;
}

export interface FetchResult extends Pick<HttpResponse, 'status' | 'headers' | 'body' | 'isCut'> {
  readonly url: string;
}

export type OpenInBrowser = (
  url: string,
  options: { readonly signal: AbortSignal; readonly timeoutMs: number },
) => Promise<string>;

export interface GuardedFetch {
  (url: string, options: FetchOptions): Promise<FetchResult>;
  close(): Promise<void>;
}

export interface GuardedFetchOptions extends UrlGuardOptions {
  readonly userAgent: string;
  /** Cache for calls with `cacheFor`. Without a cache, only calls at the same time share a response. */
  readonly cache?: FetchCache;
  /** Maximum number of requests at once to one origin. Default: 6, as in browsers. */
  readonly perOrigin?: number;
}

const JOINING_MS = 5000;
const NEVER = new AbortController().signal;

/** Creates a fetch for public addresses. It uses no credentials and no proxies, and throws AppError. */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { userAgent, cache, perOrigin = 6 } = options;
  const guard = createUrlGuard(options);
  const politeness = createPoliteness({ concurrencyPerOrigin: perOrigin });
  const exchange = createExchange(guard, perOrigin);
  const ask = createCachingExchange({ exchange, politeness, guard, cache, policy: options.allowHosts });
  const flights = createCoalescer<FetchResult>({ copy, joining: JOINING_MS });
  let ended = false;

  async function guardedFetch(address: string, call: FetchOptions): Promise<FetchResult> {
    if (ended) throw fetchClosedError();
    const { timeoutMs = 15_000, cacheFor } = call;
    // `AbortSignal.timeout` accepts only whole milliseconds.
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
      asBrowser: call.asBrowser === true,
      cutsText: call.cutsText === true,
      patienceMs: call.patienceMs,
      cookies: call.asBrowser ? createRedirectCookies() : undefined,
      mayGoTo: call.mayGoTo,
    };
    const shared = cacheFor !== undefined && trip.method === 'GET' && !hasCredentials(trip.headers);
    if (shared) trip.owner = JSON.stringify([cacheFor, call.allow]);
    const key = shared
      ? JSON.stringify([
          trip.owner,
          trip.url,
          trip.headers,
          trip.maxBytes,
          trip.maxRedirects,
          trip.refresh,
          trip.asBrowser,
          trip.cutsText,
          trip.patienceMs,
        ])
      : undefined;
    try {
      const either = AbortSignal.any([call.signal, deadline]);
      return await runInSpan(
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

  async function travel(trip: Trip, signal: AbortSignal): Promise<FetchResult> {
    const visited = new Set<string>();
    try {
      for (let hops = 0; ; hops++) {
        const { url } = trip;
        const verdict = guard.judge(url, trip.own);
        const answer = await ask({ ...withCookies(trip), verdict, signal });
        trip.cookies?.keep(url, answer.headers.getSetCookie());
        visited.add(url.href);
        const goesOn = isRedirect(answer) && (trip.mayGoTo?.(redirectOf(trip, answer)) ?? true);
        const next = isRedirect(answer) ? undefined : await refreshed(trip, answer);
        if (!goesOn && (!next || visited.has(next.href))) return toFetched(url, answer);
        if (hops >= trip.maxRedirects) {
          throw upstreamError(
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
      flights.end(fetchClosedError());
      await exchange.close();
      await cache?.close();
    },
  });
}

interface Trip {
  url: URL;
  method: HttpMethod;
  headers: Record<string, string>;
  body: string | undefined;
  owner: string | undefined;
  readonly maxBytes: number;
  readonly maxRedirects: number;
  readonly refresh: FetchOptions['followRefresh'];
  readonly own: HostAllowList;
  readonly http2: boolean | undefined;
  readonly asked: URL;
  readonly keepCookies: FetchOptions['keepCookies'];
  readonly asBrowser: boolean;
  readonly cutsText: boolean;
  readonly patienceMs: number | undefined;
  readonly cookies: RedirectCookies | undefined;
  readonly mayGoTo: FetchOptions['mayGoTo'];
}

function toFetched(url: URL, { status, headers, body, isCut }: HttpResponse): FetchResult {
  return { url: url.href, status, headers, body, ...(isCut && { isCut }) };
}

function withCookies(trip: Trip): Trip {
  const cookie = trip.headers.cookie === undefined ? trip.cookies?.header(trip.url) : undefined;
  return cookie === undefined ? trip : { ...trip, headers: { ...trip.headers, cookie }, owner: undefined };
}

async function refreshed({ url, method, refresh }: Trip, answer: HttpResponse): Promise<URL | undefined> {
  if (!refresh || method !== 'GET' || answer.status !== 200) return undefined;
  const { headers, body } = answer;
  const next = await findRefreshTarget({ url, headers, body }, refresh.noscript);
  if (!next || !/^https?:$/.test(next.protocol)) return undefined;
  // A redirect to an invalid URL is not followed: its response is the result.
  return attempt(() => parseUrl(next.href));
}

function turn(trip: Trip, next: URL): void {
  if (next.origin !== trip.url.origin) trip.headers = withoutCredentials(trip.headers);
  trip.url = next;
}

function redirectOf({ url }: Trip, { headers }: HttpResponse): URL {
  return parseUrl(headers.get('location') ?? '', url);
}

function redirect(trip: Trip, answer: HttpResponse): void {
  const { status, headers } = answer;
  const next = redirectOf(trip, answer);
  // After 301 and 302 only POST becomes GET, after 303 every method (RFC 9110, 15.4).
  if (trip.method === 'POST' ? status <= 303 : status === 303) {
    trip.method = 'GET';
    trip.body = undefined;
    trip.headers = withoutContent(trip.headers);
  }
  turn(trip, next);
  const cookie = trip.keepCookies?.(headers.getSetCookie());
  if (cookie && isUnder(next, trip.asked)) trip.headers = { ...trip.headers, cookie };
}

function isUnder({ protocol, port, hostname }: URL, host: URL): boolean {
  if (protocol !== host.protocol || port !== host.port) return false;
  return hostname === host.hostname || hostname.endsWith(`.${host.hostname}`);
}

/** Returns a copy for another caller. The body is copied too: a slice of a Buffer would share memory. */
function copy({ body, headers, ...rest }: FetchResult): FetchResult {
  return { ...rest, headers: new Headers(headers), body: new Uint8Array(body) };
}

/** Describes a request for tracing by its host and method. The rest of a URL may contain user data. */
function spanOf({ url, method }: Trip): SpanStart {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const facts = { 'http.request.method': method, 'server.address': url.hostname, 'server.port': port };
  return { name: method, kind: 'client', facts };
}
