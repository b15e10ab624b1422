import { setTimeout } from 'node:timers/promises';
import { AppError, DatabaseFailure } from '../../errors.ts';
import type { KeyedLock } from '../../lib/concurrency/keyed-lock.ts';
import type { Fetched, GuardedFetch } from '../../lib/network/fetch.ts';
import { restOf } from '../../lib/network/politeness.ts';
import { createRobots, type RobotsRules } from './robots.ts';

/** A fetch for reading many pages of one host without burdening it. */
export interface PoliteFetch {
  /**
   * Waits for its turn, and for what the host asks for; other statuses than 2xx are answers. `most` bytes in
   * place of those of a page, for a list of pages.
   */
  fetchPage(
    url: string,
    signal: AbortSignal,
    headers?: Readonly<Record<string, string>>,
    most?: number,
  ): Promise<Fetched>;
  rulesFor(url: string, signal: AbortSignal): Promise<RobotsRules>;
}

export interface PoliteOptions {
  readonly fetch: GuardedFetch;
  /** Least milliseconds between two requests to one host; robots.txt may ask for more. */
  readonly delayMs: number;
  readonly timeoutMs: number;
  /** Most bytes of a page. */
  readonly maxBytes: number;
  /** The turns of each host, which all that read sites share. */
  readonly hosts: KeyedLock;
  /** Asked before each request; false where those of the day are used up, which ends it as `rate_limited`. */
  readonly mayFetch?: (() => Promise<boolean>) | undefined;
}

/** Times that a host which is busy (429, 503) is asked for one page. */
const MAX_TRIES = 3;
/** Milliseconds for which a busy host is left alone when it does not say how long, and at most. */
const BUSY_PAUSE_MS = 5000;
const MAX_PAUSE_MS = 120_000;

/** One request at a time to a host: the next begins no sooner than `delayMs` after the last one's end. */
export function createPoliteFetch(options: PoliteOptions): PoliteFetch {
  const { fetch, delayMs, timeoutMs, maxBytes, hosts, mayFetch } = options;
  const robots = createRobots(fetch, timeoutMs);

  async function asked(
    url: string,
    signal: AbortSignal,
    headers: Readonly<Record<string, string>>,
    most: number,
  ) {
    const { delay } = await robots.rulesFor(url, signal);
    for (let attempt = 1; ; attempt++) {
      if (mayFetch && !(await mayFetch())) {
        throw new AppError('rate_limited', 'the limit of fetches for one day (in UTC) is reached');
      }
      const followRefresh = { noscript: true };
      const response = await fetch(url, { signal, timeoutMs, maxBytes: most, headers, followRefresh });
      const busy = response.status === 429 || response.status === 503;
      const wait = busy ? Math.max(restAsked(response), delay, delayMs) : 0;
      if (!busy || attempt === MAX_TRIES || wait > MAX_PAUSE_MS) return response;
      await setTimeout(wait, undefined, { signal });
    }
  }

  return {
    rulesFor: robots.rulesFor,
    async fetchPage(url, signal, headers = {}, most = maxBytes) {
      const { promise, resolve, reject } = Promise.withResolvers<Fetched>();
      const work = async () => {
        await asked(url, signal, headers, most).then(resolve, reject);
        // The answer is out already; the host is not asked again before the pause has passed.
        const { delay } = await robots.rulesFor(url, signal);
        const wait = Math.max(delay, delayMs);
        if (wait > 0) await setTimeout(wait, undefined, { signal });
      };
      hosts.run(new URL(url).host, work, signal).catch(reject);
      return promise;
    },
  };
}

/** Whether an error ends a whole run, whose pages wait: its caller may fetch nothing more, or the database fails. */
export function endsRun(error: unknown): boolean {
  if (error instanceof DatabaseFailure) return true;
  return error instanceof AppError && (error.code === 'rate_limited' || error.code === 'unauthenticated');
}

function restAsked({ headers }: Fetched): number {
  const asked = headers.get('retry-after');
  return asked?.trim() === '0' ? 0 : restOf(asked, Date.now()) || BUSY_PAUSE_MS;
}
