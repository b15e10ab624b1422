import { setTimeout } from 'node:timers/promises';
import { AppError, DatabaseFailure } from '../../errors.ts';
import type { KeyedLock } from '../../lib/concurrency/keyed-lock.ts';
import type { FetchResult, GuardedFetch } from '../../lib/network/fetch.ts';
import { parseRetryAfterMs } from '../../lib/network/politeness.ts';
import { createRobotsCache } from './robots.ts';

export type PoliteFetch = ReturnType<typeof createPoliteFetch>;

export interface PoliteOptions {
  readonly fetch: GuardedFetch;
  readonly delayMs: number;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly hosts: KeyedLock;
  /** Called before each request for a page. If it resolves to false, the request fails (`rate_limited`). */
  readonly mayFetch?: (() => Promise<boolean>) | undefined;
}

const MAX_TRIES = 3;
const BUSY_PAUSE_MS = 5000;
const MAX_PAUSE_MS = 120_000;

export function createPoliteFetch(options: PoliteOptions) {
  const { fetch, delayMs, timeoutMs, maxBytes, hosts, mayFetch } = options;
  const robots = createRobotsCache(fetch, timeoutMs);

  async function asked(
    url: string,
    signal: AbortSignal,
    headers: Readonly<Record<string, string>>,
    most: number,
  ) {
    const { hostDelayMs } = await robots.rulesFor(url, signal);
    for (let attempt = 1; ; attempt++) {
      if (mayFetch && !(await mayFetch())) {
        throw new AppError('rate_limited', 'the limit of fetches for one day (in UTC) is reached');
      }
      const followRefresh = { noscript: true };
      const how = { followRefresh, asBrowser: true };
      const response = await fetch(url, { signal, timeoutMs, maxBytes: most, headers, ...how });
      const busy = response.status === 429 || response.status === 503;
      const wait = busy ? Math.max(restAsked(response), hostDelayMs, delayMs) : 0;
      if (!busy || attempt === MAX_TRIES || wait > MAX_PAUSE_MS) return response;
      await setTimeout(wait, undefined, { signal });
    }
  }

  return {
    rulesFor: robots.rulesFor,
    /** Fetches a page once the host may be asked again. Resolves for any status. `most`: maximum bytes. */
    async fetchPage(
      url: string,
      signal: AbortSignal,
      headers: Readonly<Record<string, string>> = {},
      most: number = maxBytes,
    ): Promise<FetchResult> {
      const { promise, resolve, reject } = Promise.withResolvers<FetchResult>();
      const work = async () => {
        await asked(url, signal, headers, most).then(resolve, reject);
        const { hostDelayMs } = await robots.rulesFor(url, signal);
        const wait = Math.max(hostDelayMs, delayMs);
        if (wait > 0) await setTimeout(wait, undefined, { signal });
      };
      hosts.run(new URL(url).host, work, signal).catch(reject);
      return promise;
    },
  };
}

/** True if the error must end the crawl, for example because the user's daily limit is reached. */
export function isFatalCrawlError(error: unknown): boolean {
  if (error instanceof DatabaseFailure) return true;
  return error instanceof AppError && (error.code === 'rate_limited' || error.code === 'unauthenticated');
}

function restAsked({ headers }: FetchResult): number {
  const asked = headers.get('retry-after');
  return asked?.trim() === '0' ? 0 : parseRetryAfterMs(asked, Date.now()) || BUSY_PAUSE_MS;
}
