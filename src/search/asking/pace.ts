/**
 * What one search has of the engines: a search with less goes first, so that many at once get some engines
 * each, and not the first of them all. Kept by the pacer.
 */
export interface Stake {
  /** Engines that it asks or has an answer of; who loses the use of a turn takes it back. */
  held: number;
  /** Engines whose turn it waits for. */
  waiting: number;
}

export interface Turn {
  /** Least milliseconds between two requests. */
  readonly pace: number;
  /** Most milliseconds that are waited. */
  readonly patience: number;
  readonly stake: Stake;
  readonly signal: AbortSignal;
}

/** Requests to each engine, spread over time for all callers of the process. */
export interface Pacer {
  /**
   * Resolves when the engine may be asked, which counts as a request. Rejects with OutOfTurn when that would
   * take longer than `patience`, and with the signal's reason when that is first.
   */
  waitForTurn(engine: string, turn: Turn): Promise<void>;
  /** Milliseconds after which a newcomer would have its turn, if no one gives theirs up. */
  waitOf(engine: string, pace: number): number;
}

/** The engine tolerates only so many requests, and others came first. */
export class OutOfTurn extends Error {
  /** Milliseconds after which it is worth asking again. */
  readonly wait: number;
  readonly pace: number;

  constructor(
    pace: number,
    wait: number,
    why = `its turn did not come: it tolerates a request every ${pace / 1000} s`,
  ) {
    super(why);
    this.name = 'OutOfTurn';
    this.wait = wait;
    this.pace = pace;
  }
}

interface Waiter {
  readonly pace: number;
  readonly stake: Stake;
  /** Ends the waiting: with its turn, or with why not. */
  end(error?: unknown): void;
}

interface Line {
  /** When the engine may be asked next, by performance.now(). */
  free: number;
  readonly waiting: Set<Waiter>;
  timer: NodeJS.Timeout | undefined;
}

/** Milliseconds that a free engine waits for others who come at the same time. */
const SETTLING_MS = 5;

/**
 * As many lines as there are engines; a line is no longer than the patience of the last who joined it
 * allows, so its length and the work per turn are bounded.
 */
export function createPacer(now: () => number = () => performance.now()): Pacer {
  const lines = new Map<string, Line>();

  function serve(line: Line): void {
    line.timer = undefined;
    const next = first(line.waiting);
    if (next) {
      line.free = Math.max(line.free, now()) + next.pace;
      next.end();
    }
    arm(line);
  }

  function arm(line: Line): void {
    if (line.timer || line.waiting.size === 0) return;
    line.timer = setTimeout(serve, Math.max(SETTLING_MS, line.free - now()), line);
  }

  function leave(line: Line, waiter: Waiter): void {
    line.waiting.delete(waiter);
    if (line.waiting.size > 0) return;
    clearTimeout(line.timer);
    line.timer = undefined;
  }

  return {
    waitOf(engine, pace) {
      const line = lines.get(engine);
      return line ? Math.max(0, line.free - now()) + line.waiting.size * pace : 0;
    },
    async waitForTurn(engine, { pace, patience, stake, signal }) {
      signal.throwIfAborted();
      if (pace <= 0) return void stake.held++;
      const line = lines.get(engine) ?? { free: 0, waiting: new Set<Waiter>(), timer: undefined };
      lines.set(engine, line);
      const wait = Math.max(0, line.free - now());
      const places = Math.floor((patience - wait) / pace) + 1;
      if (line.waiting.size >= places) {
        const refused = new OutOfTurn(pace, wait + line.waiting.size * pace);
        const last = richest(line.waiting);
        if (places < 1 || !last || compare(stake, last.stake) >= 0) throw refused;
        last.end(refused);
      }
      await new Promise<void>((resolve, reject) => {
        const onAbort = () => waiter.end(signal.reason);
        const late = setTimeout(() => waiter.end(new OutOfTurn(pace, pace)), patience);
        const waiter: Waiter = {
          pace,
          stake,
          end(error) {
            clearTimeout(late);
            signal.removeEventListener('abort', onAbort);
            leave(line, waiter);
            stake.waiting--;
            if (error !== undefined) return reject(error);
            stake.held++;
            resolve();
          },
        };
        signal.addEventListener('abort', onAbort, { once: true });
        line.waiting.add(waiter);
        stake.waiting++;
        arm(line);
      });
    },
  };
}

/** The waiter with the least; among equals, who came first. */
function first(waiting: ReadonlySet<Waiter>): Waiter | undefined {
  let best: Waiter | undefined;
  for (const one of waiting) if (!best || compare(one.stake, best.stake) < 0) best = one;
  return best;
}

/** The waiter with the most; among equals, who came last. */
function richest(waiting: ReadonlySet<Waiter>): Waiter | undefined {
  let most: Waiter | undefined;
  for (const one of waiting) if (!most || compare(one.stake, most.stake) >= 0) most = one;
  return most;
}

function compare(a: Stake, b: Stake): number {
  return a.held - b.held || a.waiting - b.waiting;
}
