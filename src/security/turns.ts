import { AppError } from '../errors.ts';

/** Who may run now: the others wait in line, those of one owner behind each other's. */
export interface Turns {
  /** Resolves when it is one's turn, with what ends it. AppError `rate_limited` when too many wait. */
  take(owner: string, signal: AbortSignal): Promise<() => void>;
}

/** Bounds of the line. */
export interface TurnOptions {
  readonly atOnce: number;
  readonly waiting: number;
  readonly waitingPerOwner: number;
}

interface Waiting {
  readonly owner: string;
  go(): void;
}

/** The owner with the fewest running goes first; among them, who came first. */
export function createTurns({ atOnce, waiting, waitingPerOwner }: TurnOptions): Turns {
  const line: Waiting[] = [];
  const running: string[] = [];

  function next(): void {
    while (running.length < atOnce && line.length > 0) {
      const load = (owner: string) => running.filter((one) => one === owner).length;
      const least = Math.min(...line.map(({ owner }) => load(owner)));
      const at = line.findIndex(({ owner }) => load(owner) === least);
      const [one] = line.splice(at, 1);
      if (!one) return;
      running.push(one.owner);
      one.go();
    }
  }

  return {
    take(owner, signal) {
      signal.throwIfAborted();
      const busy = running.length >= atOnce;
      const own = line.filter((one) => one.owner === owner).length;
      if (busy && (line.length >= waiting || own >= waitingPerOwner)) {
        const why =
          own >= waitingPerOwner ? `${own} of your scans wait already` : `${line.length} scans wait`;
        throw new AppError('rate_limited', `${why}: try again when one has ended`, { retryAfter: 30 });
      }
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const give = () => {
        const at = line.indexOf(one);
        if (at < 0) return;
        line.splice(at, 1);
        reject(signal.reason);
      };
      const one: Waiting = {
        owner,
        go() {
          signal.removeEventListener('abort', give);
          let over = false;
          resolve(() => {
            if (over) return;
            over = true;
            running.splice(running.indexOf(owner), 1);
            next();
          });
        },
      };
      signal.addEventListener('abort', give, { once: true });
      line.push(one);
      next();
      return promise;
    },
  };
}
