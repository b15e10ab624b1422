import { AppError } from '../../errors.ts';
import { createLimiter, type Limiter } from '../concurrency/limiter.ts';

/** Keeps Magpie a light guest of every site, over all callers of the process. */
export interface Politeness {
  /**
   * Waits for one of the site's places, in order of arrival, and gives back the way to leave it. AppError
   * `unavailable` when the line is full, and for a GET (`rests`) `upstream` with `retryAfter` while the site
   * asked to be left alone; rejects with the signal's reason when that is first.
   */
  enter(url: URL, signal: AbortSignal, rests: boolean): Promise<() => void>;
  /** Notes what a site answered: 429 and 503 with Retry-After make it rest. */
  heard(url: URL, status: number, retryAfter: string | null): void;
  /** Origins with requests that wait or are under way; no other is kept. */
  busyOrigins(): number;
}

export interface PolitenessOptions {
  /** Requests at once to one origin. */
  readonly places: number;
  /** Milliseconds since the epoch; replaced in tests. */
  readonly now?: () => number;
}

/** Requests that may wait for one origin. */
const MAX_WAITING = 200;
/** Resting sites remembered; with more, the one that was noted first is asked again. */
const MAX_RESTING = 2000;
/** No site is left alone longer, whatever it says, in milliseconds. */
const MAX_REST_MS = 3_600_000;

/** As many origins are kept as have requests under way, and at most 2,000 that rest. */
export function createPoliteness({ places, now = Date.now }: PolitenessOptions): Politeness {
  const origins = new Map<string, { readonly limiter: Limiter; requests: number }>();
  const resting = new Map<string, number>();

  function refuseWhileResting(url: URL): void {
    const until = resting.get(url.origin);
    if (until === undefined) return;
    const rest = until - now();
    if (rest <= 0) return void resting.delete(url.origin);
    throw new AppError('upstream', `${url.host} ${restWords(until)}`, { retryAfter: Math.ceil(rest / 1000) });
  }

  /** Waits for a place of the origin; its limiter is there as long as a request waits or is under way. */
  async function enterOrigin({ origin, host }: URL, signal: AbortSignal): Promise<() => void> {
    const used = origins.get(origin) ?? {
      limiter: createLimiter({
        concurrency: places,
        maxWaiting: MAX_WAITING,
        refuse: () => tooManyWait(host),
      }),
      requests: 0,
    };
    origins.set(origin, used);
    used.requests += 1;
    const end = once(() => {
      used.requests -= 1;
      if (used.requests === 0) origins.delete(origin);
    });
    try {
      const leave = await used.limiter.enter({ signal });
      return () => {
        leave();
        end();
      };
    } catch (error) {
      end();
      throw error;
    }
  }

  return {
    async enter(url, signal, rests) {
      signal.throwIfAborted();
      if (rests) refuseWhileResting(url);
      const leave = await enterOrigin(url, signal);
      try {
        // An answer that came while this one waited may have asked for a rest.
        if (rests) refuseWhileResting(url);
      } catch (error) {
        leave();
        throw error;
      }
      return leave;
    },
    heard(url, status, retryAfter) {
      if (status !== 429 && status !== 503) return;
      const rest = restOf(retryAfter, now());
      if (rest <= 0) return;
      resting.delete(url.origin);
      resting.set(url.origin, now() + Math.min(rest, MAX_REST_MS));
      const [oldest] = resting.keys();
      if (resting.size > MAX_RESTING && oldest !== undefined) resting.delete(oldest);
    },
    busyOrigins: () => origins.size,
  };
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (!done) work();
    done = true;
  };
}

function tooManyWait(host: string): AppError {
  return new AppError(
    'unavailable',
    `${MAX_WAITING} requests already wait for ${host}; try again in a few seconds, or try another page`,
    { retryAfter: 5 },
  );
}

/** What a site wants that asked to be left alone until then, in milliseconds since the epoch, and what to do. */
function restWords(until: number): string {
  return `asked for no requests until ${new Date(until).toISOString().slice(0, 19)}Z; try again then, or try another page`;
}

/** The same of an answer with such a Retry-After; undefined where it names no time. */
export function restAsked(retryAfter: string | null, now = Date.now()): string | undefined {
  const rest = Math.min(restOf(retryAfter, now), MAX_REST_MS);
  return rest > 0 ? restWords(now + rest) : undefined;
}

/** Milliseconds of a Retry-After (RFC 9110, 10.2.3): seconds, or a date; 0 for anything else. */
export function restOf(retryAfter: string | null, now: number): number {
  const text = retryAfter?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = /^[A-Z][a-z]{2,8}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}
