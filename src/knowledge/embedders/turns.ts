import { AppError } from '../../errors.ts';

/** Lets so many run at once; the others wait. */
export interface Turns {
  /** Runs the work in its turn. AppError `unavailable` when too many wait; the signal's reason when aborted. */
  take<T>(first: boolean, work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** At most `atOnce` run and `waiting` wait; those with `first` go before the others. */
export function createTurns(atOnce: number, most: number): Turns {
  const waiting: Record<'first' | 'later', (() => void)[]> = { first: [], later: [] };
  let running = 0;

  function wait(first: boolean, signal: AbortSignal): Promise<void> {
    const list = first ? waiting.first : waiting.later;
    return new Promise((resolve, reject) => {
      const leave = () => {
        list.splice(list.indexOf(go), 1);
        reject(signal.reason);
      };
      const go = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      list.push(go);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  return {
    async take(first, work, signal) {
      signal.throwIfAborted();
      if (running < atOnce) running++;
      else {
        if (waiting.first.length + waiting.later.length >= most) {
          throw new AppError(
            'unavailable',
            'too many texts wait for the embedding model; try again shortly',
            {
              retryAfter: 10,
            },
          );
        }
        // Whoever ends hands the turn over without giving it back.
        await wait(first, signal);
      }
      try {
        return await work();
      } finally {
        const next = waiting.first.shift() ?? waiting.later.shift();
        if (next) next();
        else running--;
      }
    },
  };
}
