import {
  buildConditionalHeaders,
  isCacheable,
  isFresh,
  isUsableOnError,
  mergeRevalidatedHeaders,
  selectVaryHeaders,
} from './cache-policy.ts';
import type { HttpExchangeClient, HttpRequest, HttpResponse } from './exchange.ts';
import { type CachedResponse, type FetchCache, findCachedResponse } from './fetch-cache.ts';
import { fetchError, forbidden } from './network-failure.ts';
import { parseRetryAfterMs, type RequestPoliteness } from './politeness.ts';
import type { UrlGuard } from './url-guard.ts';

export interface CachingExchangeOptions {
  readonly exchange: HttpExchangeClient;
  readonly politeness: RequestPoliteness;
  readonly guard: UrlGuard;
  readonly cache: FetchCache | undefined;
  /** The operator's allow list. Responses that were cached under another list are not used. */
  readonly policy: readonly string[];
}

/** Sends requests and caches responses for `owner`. Requests without an owner are not cached. */
export type CachingExchange = (
  ask: HttpRequest & { readonly owner: string | undefined },
) => Promise<HttpResponse>;

/** Time limit for the DNS lookup before a cached response is used. */
const RECHECK_MS = 1000;
/** Maximum number of requests for a page whose site asks for pauses. */
const MAX_TRIES = 3;

/** Adds HTTP caching (RFC 9111). A cached response is refused if its host has become private. */
export function createCachingExchange(options: CachingExchangeOptions): CachingExchange {
  const { exchange, politeness, guard, cache } = options;
  const policy = [...options.policy].sort();

  async function politely(ask: HttpRequest): Promise<HttpResponse> {
    const until = performance.now() + (ask.patienceMs ?? 0);
    for (let tries = 1; ; tries++) {
      const answer = await askOnce({ ...ask, patienceMs: until - performance.now() });
      const { status, headers } = answer;
      if ((status !== 429 && status !== 503) || ask.method !== 'GET' || tries === MAX_TRIES) return answer;
      const rest = parseRetryAfterMs(headers.get('retry-after'), Date.now());
      if (rest === 0 || rest > until - performance.now()) return answer;
    }
  }

  async function askOnce(ask: HttpRequest): Promise<HttpResponse> {
    const leave = await politeness.enter(ask.url, ask.signal, ask.method === 'GET', ask.patienceMs);
    try {
      const answer = await exchange(ask);
      politeness.heard(ask.url, answer.status, answer.headers.get('retry-after'));
      return answer;
    } finally {
      leave();
    }
  }

  async function given(kept: CachedResponse, { url, verdict, signal }: HttpRequest): Promise<CachedResponse> {
    if (
      await guard.resolvesToPrivate(url, verdict, AbortSignal.any([signal, AbortSignal.timeout(RECHECK_MS)]))
    )
      throw forbidden(url);
    return kept;
  }

  return async ({ owner, ...ask }) => {
    if (!cache || owner === undefined || ask.method !== 'GET') return politely(ask);
    const { url, headers, maxBytes } = ask;
    const scope = JSON.stringify([owner, ask.verdict, policy]);
    const kept = await findCachedResponse(cache, scope, url.href, headers, maxBytes);
    if (kept && isFresh(kept, Date.now())) return given(kept, ask);
    const answer = kept ? await askAgain(kept, ask) : await politely(ask);
    if (answer === kept) return given(kept, ask);
    const result = kept && answer.status === 304 ? renewed(kept, answer) : withVariance(answer, headers);
    if (isCacheable(result)) void cache.put(scope, url.href, result);
    return result;
  };

  async function askAgain(kept: CachedResponse, ask: HttpRequest): Promise<HttpResponse> {
    const bridges = isUsableOnError(kept, Date.now());
    try {
      const answer = await politely({
        ...ask,
        headers: { ...ask.headers, ...buildConditionalHeaders(kept) },
      });
      return bridges && answer.status >= 500 ? kept : answer;
    } catch (error) {
      if (bridges && !ask.signal.aborted && failed(error, ask)) return kept;
      throw error;
    }
  }
}

function renewed(kept: CachedResponse, news: HttpResponse): CachedResponse {
  const { status, body, vary } = kept;
  return { ...news, status, body, vary, headers: mergeRevalidatedHeaders(kept.headers, news.headers) };
}

function withVariance(answer: HttpResponse, request: HttpRequest['headers']): CachedResponse {
  return { ...answer, vary: selectVaryHeaders(answer.headers, request) };
}

function failed(error: unknown, { url, signal }: HttpRequest): boolean {
  return fetchError(error, { url, caller: signal, deadline: signal, timeoutMs: 0 }).code === 'upstream';
}
