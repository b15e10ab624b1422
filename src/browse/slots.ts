import { AppError } from '../errors.ts';

/** Room for so many at once, and a bounded queue before it. */
export interface Slots {
  /** Resolves when there is room, with what gives it back. AppError `unavailable` when too many wait. */
  enter(signal: AbortSignal): Promise<() => void>;
  /** How many are in. */
  busy(): number;
}

/** `most` at once and `queue` waiting, first come first served. */
export function createSlots(most: number, queue: number): Slots {
  const waiting: (() => void)[] = [];
  let busy = 0;
  // Room that is handed on is never free in between, or a newcomer could take it.
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else busy--;
  };
  const once = () => {
    let left = false;
    return () => {
      if (!left) leave();
      left = true;
    };
  };

  async function wait(signal: AbortSignal): Promise<void> {
    const turn = Promise.withResolvers<void>();
    let given = false;
    const give = () => {
      given = true;
      turn.resolve();
    };
    waiting.push(give);
    try {
      await untilAborted(turn.promise, signal);
    } catch (error) {
      if (given) leave();
      else waiting.splice(waiting.indexOf(give), 1);
      throw error;
    }
  }

  return {
    busy: () => busy,
    async enter(signal) {
      signal.throwIfAborted();
      if (busy < most) {
        busy++;
        return once();
      }
      if (waiting.length >= queue) {
        throw new AppError('unavailable', 'too many pages are being run in the browser; try again shortly', {
          retryAfter: 10,
        });
      }
      await wait(signal);
      return once();
    },
  };
}

/** The outcome of `pending`, or the signal's reason as soon as it is aborted. */
export async function untilAborted<T>(pending: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason);
  pending.catch(() => {});
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([pending, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
