import { AppError } from '../../errors.ts';
import type { FetchOptions, GuardedFetch } from '../../lib/network/fetch.ts';
import { parseRetryAfterMs } from '../../lib/network/politeness.ts';
import { isSameSite } from '../../lib/network/same-site.ts';
import {
  EngineError,
  type EngineRequest,
  type SearchEngine,
  type SearchHit,
  type SearchQuery,
} from '../engine.ts';
import { areUnrelated } from '../merging/unrelated.ts';
import { createCookieJar } from './cookie-jar.ts';

export interface EngineCallOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

export interface EngineClientOptions {
  readonly fetch: GuardedFetch;
  /** Engines on a private network that the operator allows, as `host:port`. */
  readonly trusted: readonly string[];
}

const MAX_ANSWER_BYTES = 2_000_000;
const MAX_TOKEN_CHARS = 4000;

interface EngineToken {
  readonly text: string;
  /** Time until which the token is valid, in milliseconds on the clock of performance.now(). */
  readonly until: number;
}

export function createEngineClient({ fetch, trusted }: EngineClientOptions) {
  const jar = createCookieJar();
  const tokens = new Map<string, EngineToken>();

  async function exchange<T>(
    engine: SearchEngine,
    { url, headers, ...rest }: EngineRequest,
    read: (body: string) => T,
    { signal, timeoutMs }: EngineCallOptions,
  ): Promise<T> {
    const { name, cookies } = engine;
    const cookie = cookies && jar.header(name, headers?.cookie);
    const response = await fetchNamingNoAddress(fetch, url, {
      ...rest,
      headers: cookie ? { ...headers, cookie } : (headers ?? {}),
      signal,
      timeoutMs,
      maxBytes: MAX_ANSWER_BYTES,
      // Redirects must stay within the site, because another site would learn the question.
      mayGoTo: (next) => isSameSite(next, new URL(url)),
      ...(engine.http2 && { http2: true }),
      ...(cookies && {
        keepCookies(lines: readonly string[]) {
          jar.keep(name, lines);
          return jar.header(name, headers?.cookie);
        },
      }),
      allow: trusted.filter((host) => host === hostOf(url)),
    });
    const body = () => new TextDecoder().decode(response.body);
    try {
      checkStatus(engine, response.status, body);
      const result = read(body());
      if (cookies) jar.keep(name, response.headers.getSetCookie());
      return result;
    } catch (error) {
      throw waiting(error, response.headers.get('retry-after'));
    }
  }

  async function tokenFor(engine: SearchEngine, query: SearchQuery, options: EngineCallOptions) {
    const { name, visit } = engine;
    const request = visit?.request(query);
    if (!visit || !request) return '';
    const known = tokens.get(name);
    if (known && visit.lifetime > 0 && known.until > performance.now()) return known.text;
    const text = await exchange(engine, request, visit.read, options);
    if (text.length > MAX_TOKEN_CHARS)
      throw new EngineError('changed', 'its markup has changed: its token has no end');
    // A token for a single question is not cached: a fast answer would reveal that someone asked it before.
    if (visit.lifetime > 0) tokens.set(name, { text, until: performance.now() + visit.lifetime });
    return text;
  }

  return {
    async search(
      engine: SearchEngine,
      query: SearchQuery,
      options: EngineCallOptions,
    ): Promise<readonly SearchHit[]> {
      try {
        const token = await tokenFor(engine, query, options);
        const request = engine.request(query, token);
        return await exchange(engine, request, (body) => parseRelatedHits(engine, body, query), options);
      } catch (error) {
        if (error instanceof EngineError) {
          tokens.delete(engine.name);
          if (error.kind !== 'changed') jar.forget(engine.name);
        }
        throw error;
      }
    },
  };
}

/** Fetches a page. Errors omit addresses of redirects, which may contain the question. */
async function fetchNamingNoAddress(fetch: GuardedFetch, url: string, options: FetchOptions) {
  try {
    return await fetch(url, options);
  } catch (error) {
    if (!(error instanceof AppError) || !error.message.includes(' redirects to "')) throw error;
    throw new EngineError('refused', 'it sends the question on to something that is not a web address');
  }
}

/** Parses hits. Throws EngineError `unrelated` if no hit of a general engine fits the question. */
export function parseRelatedHits(engine: SearchEngine, body: string, query: SearchQuery): SearchHit[] {
  const hits = engine.parse(body, query);
  const { categories, resultPage: isLexical } = engine.about;
  if (categories.includes('general') && areUnrelated(hits, query, { isLexical })) {
    throw new EngineError('unrelated', 'its results have nothing to do with the question');
  }
  return hits;
}

function waiting(error: unknown, retryAfter: string | null): unknown {
  if (!(error instanceof EngineError) || error.kind === 'changed') return error;
  const rest = parseRetryAfterMs(retryAfter, Date.now());
  return rest > error.wait ? new EngineError(error.kind, error.message, rest) : error;
}

function checkStatus(engine: SearchEngine, status: number, body: () => string): void {
  const { pauses, worded, refusals } = engine;
  if (status === 429 || pauses?.includes(status)) {
    const why = `${refusals?.[status] ?? 'it is asked too often'} (${status})`;
    throw new EngineError('rate_limited', why, engine.readWait?.(body()));
  }
  if (status !== 200 && status !== 202 && !worded?.includes(status)) throw refusal(engine, status);
}

function refusal({ refusals }: SearchEngine, status: number): EngineError {
  const words = refusals?.[status] ?? STATUS_WORDS[status];
  if (words) return new EngineError('refused', `${words} (${status})`);
  if (status >= 300 && status < 400) {
    return new EngineError(
      'refused',
      `it sends the question on to another site, which is not asked (${status})`,
    );
  }
  return new EngineError('refused', `it ${status >= 500 ? 'failed' : 'returned no results'} (${status})`);
}

const STATUS_WORDS: Readonly<Record<number, string>> = {
  401: 'it wants a key or password',
  403: 'it refuses the request',
  404: 'its address has no search',
  503: 'it is overloaded or down',
};

function hostOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}
