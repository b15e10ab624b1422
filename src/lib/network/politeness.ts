import { setTimeout as wait } from 'node:timers/promises';
import { unavailableError, upstreamError } from '../../errors.ts';
import { BoundedMap } from '../concurrency/bounded-map.ts';
import { createLimiter, type Limiter } from '../concurrency/limiter.ts';
import { parseInstant } from '../time/written-date.ts';

export type RequestPoliteness = ReturnType<typeof createPoliteness>;

export interface PolitenessOptions {
  readonly concurrencyPerOrigin: number;
  readonly now?: () => number;
}

const MAX_WAITING = 200;
const MAX_RESTING = 2000;
const MAX_REST_MS = 3_600_000;

export function createPoliteness({ concurrencyPerOrigin, now = Date.now }: PolitenessOptions) {
  const origins = new Map<string, { readonly limiter: Limiter; requests: number }>();
  const resting = new BoundedMap<number>(MAX_RESTING);

  /** Waits until the end of the origin's pause, or refuses if that takes longer than `patienceMs`. */
  async function waitWhileResting(url: URL, signal: AbortSignal, patienceMs: number): Promise<void> {
    const until = resting.get(url.origin);
    if (until === undefined) return;
    const rest = until - now();
    if (rest <= 0) return void resting.delete(url.origin);
    if (rest <= patienceMs) return wait(rest, undefined, { signal });
    throw upstreamError(`${url.host} ${restWords(until)}`, { retryAfter: Math.ceil(rest / 1000) });
  }

  async function enterOrigin({ origin, host }: URL, signal: AbortSignal): Promise<() => void> {
    const used = origins.get(origin) ?? {
      limiter: createLimiter({
        concurrency: concurrencyPerOrigin,
        maxWaiting: MAX_WAITING,
        refuse: () =>
          unavailableError(
            `${MAX_WAITING} requests already wait for ${host}; try again in a few seconds, or try another page`,
            { retryAfter: 5 },
          ),
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
    /** Waits until a request may be sent. Returns a function to call after the request. Throws AppError. */
    async enter(url: URL, signal: AbortSignal, rests: boolean, patienceMs = 0): Promise<() => void> {
      signal.throwIfAborted();
      if (rests) await waitWhileResting(url, signal, patienceMs);
      const leave = await enterOrigin(url, signal);
      try {
        if (rests) await waitWhileResting(url, signal, patienceMs);
      } catch (error) {
        leave();
        throw error;
      }
      return leave;
    },
    heard(url: URL, status: number, retryAfter: string | null): void {
      if (status !== 429 && status !== 503) return;
      const rest = parseRetryAfterMs(retryAfter, now());
      if (rest <= 0) return;
      resting.set(url.origin, now() + Math.min(rest, MAX_REST_MS));
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

function restWords(until: number): string {
  return `asked for no requests until ${new Date(until).toISOString().slice(0, 19)}Z; try again then, or try another page`;
}

export function describeRetryAfter(retryAfter: string | null, now = Date.now()): string | undefined {
  const rest = Math.min(parseRetryAfterMs(retryAfter, now), MAX_REST_MS);
  return rest > 0 ? restWords(now + rest) : undefined;
}

/** Parses Retry-After (RFC 9110, 10.2.3): seconds or a date. Returns milliseconds, 0 for invalid text. */
export function parseRetryAfterMs(retryAfter: string | null, now: number): number {
  const text = retryAfter?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = /^[A-Z][a-z]{2,8}, /.test(text) ? parseInstant(text) : undefined;
  return date === undefined ? 0 : Math.max(0, date - now);
}
