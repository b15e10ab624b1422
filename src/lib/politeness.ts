import { AppError } from '../errors.ts';

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
}

export interface PolitenessOptions {
  /** Requests at once to one origin. */
  readonly places: number;
  /** Milliseconds since the epoch; replaced in tests. */
  readonly now?: () => number;
}

/** Requests that may wait for one origin. */
const LINE = 200;
/** Resting sites remembered; with more, the one that was noted first is asked again. */
const RESTING = 2000;
/** No site is left alone longer, whatever it says, in milliseconds. */
const LONGEST_REST = 3_600_000;

interface Origin {
  busy: number;
  /** In order of arrival: a Set keeps it, and lets any one leave at once. */
  readonly waiting: Set<() => void>;
}

/** As many origins are kept as have requests under way, and at most 2,000 that rest. */
export function createPoliteness({ places, now = Date.now }: PolitenessOptions): Politeness {
  const origins = new Map<string, Origin>();
  const resting = new Map<string, number>();

  function refuseWhileResting(url: URL): void {
    const until = resting.get(url.origin);
    if (until === undefined) return;
    const rest = until - now();
    if (rest <= 0) return void resting.delete(url.origin);
    throw new AppError(
      'upstream',
      `${url.host} asked to be left alone until ${new Date(until).toISOString().slice(0, 19)}Z; ask then, or try another page`,
      { retryAfter: Math.ceil(rest / 1000) },
    );
  }

  function leave(name: string, origin: Origin): void {
    const [next] = origin.waiting;
    if (next) return void next();
    origin.busy -= 1;
    if (origin.busy === 0) origins.delete(name);
  }

  return {
    async enter(url, signal, rests) {
      signal.throwIfAborted();
      if (rests) refuseWhileResting(url);
      const name = url.origin;
      const origin = origins.get(name) ?? { busy: 0, waiting: new Set() };
      origins.set(name, origin);
      if (origin.busy < places) origin.busy += 1;
      else await turn(origin, url, signal);
      let left = false;
      const leaveOnce = () => {
        if (left) return;
        left = true;
        leave(name, origin);
      };
      try {
        // Those who were asked before may have brought the wish to be left alone.
        if (rests) refuseWhileResting(url);
      } catch (error) {
        leaveOnce();
        throw error;
      }
      return leaveOnce;
    },
    heard(url, status, retryAfter) {
      if (status !== 429 && status !== 503) return;
      const rest = restOf(retryAfter, now());
      if (rest <= 0) return;
      resting.delete(url.origin);
      resting.set(url.origin, now() + Math.min(rest, LONGEST_REST));
      const [oldest] = resting.keys();
      if (resting.size > RESTING && oldest !== undefined) resting.delete(oldest);
    },
  };
}

/** The place of one who leaves goes to the first in line as it is. */
function turn(origin: Origin, url: URL, signal: AbortSignal): Promise<void> {
  if (origin.waiting.size >= LINE) {
    throw new AppError(
      'unavailable',
      `${LINE} requests wait for ${url.host} already; try again in a few seconds, or another page`,
      { retryAfter: 5 },
    );
  }
  return new Promise((resolve, reject) => {
    const end = () => {
      origin.waiting.delete(mine);
      signal.removeEventListener('abort', stop);
    };
    const mine = () => {
      end();
      resolve();
    };
    const stop = () => {
      end();
      reject(signal.reason);
    };
    origin.waiting.add(mine);
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** Milliseconds of a Retry-After (RFC 9110, 10.2.3): seconds, or a date; 0 for anything else. */
export function restOf(retryAfter: string | null, now: number): number {
  const text = retryAfter?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = /^[A-Z][a-z]{2,8}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}
