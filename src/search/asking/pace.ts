/** Numbers of engines that a search uses (`held`) and waits for. Searches with lower counts go first. */
export interface EngineUseCounts {
  held: number;
  waiting: number;
}

export interface EngineTurnRequest {
  readonly pace: number;
  /** Maximum wait for the next permitted request, in milliseconds. */
  readonly patience: number;
  readonly stake: EngineUseCounts;
  readonly signal: AbortSignal;
}

export class OutOfTurnError extends Error {
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
  readonly stake: EngineUseCounts;
  end(error?: unknown): void;
}

interface PaceLine {
  /** Time of the next permitted request, in milliseconds on the clock of performance.now(). */
  free: number;
  readonly waiting: Set<Waiter>;
  timer: NodeJS.Timeout | undefined;
}

/** Milliseconds to wait for simultaneous requests before the request with the highest priority is chosen. */
const SETTLING_MS = 5;

export function createPacer(now: () => number = () => performance.now()) {
  const lines = new Map<string, PaceLine>();

  function serve(line: PaceLine): void {
    line.timer = undefined;
    const next = first(line.waiting);
    if (next) {
      line.free = Math.max(line.free, now()) + next.pace;
      next.end();
    }
    arm(line);
  }

  function arm(line: PaceLine): void {
    if (line.timer || line.waiting.size === 0) return;
    line.timer = setTimeout(serve, Math.max(SETTLING_MS, line.free - now()), line);
  }

  function leave(line: PaceLine, waiter: Waiter): void {
    line.waiting.delete(waiter);
    if (line.waiting.size > 0) return;
    clearTimeout(line.timer);
    line.timer = undefined;
  }

  return {
    waitOf(engine: string, pace: number): number {
      const line = lines.get(engine);
      return line ? Math.max(0, line.free - now()) + line.waiting.size * pace : 0;
    },
    /** Resolves when the engine may be asked. Rejects with OutOfTurnError if the wait exceeds `patience`. */
    async waitForTurn(engine: string, { pace, patience, stake, signal }: EngineTurnRequest): Promise<void> {
      signal.throwIfAborted();
      if (pace <= 0) return void stake.held++;
      const line = lines.get(engine) ?? { free: 0, waiting: new Set<Waiter>(), timer: undefined };
      lines.set(engine, line);
      const wait = Math.max(0, line.free - now());
      const places = Math.floor((patience - wait) / pace) + 1;
      if (line.waiting.size >= places) {
        const refused = new OutOfTurnError(pace, wait + line.waiting.size * pace);
        const last = richest(line.waiting);
        if (places < 1 || !last || compare(stake, last.stake) >= 0) throw refused;
        last.end(refused);
      }
      await new Promise<void>((resolve, reject) => {
        const onAbort = () => waiter.end(signal.reason);
        const late = setTimeout(() => waiter.end(new OutOfTurnError(pace, pace)), patience);
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

function first(waiting: ReadonlySet<Waiter>): Waiter | undefined {
  let best: Waiter | undefined;
  for (const one of waiting) if (!best || compare(one.stake, best.stake) < 0) best = one;
  return best;
}

function richest(waiting: ReadonlySet<Waiter>): Waiter | undefined {
  let most: Waiter | undefined;
  for (const one of waiting) if (!most || compare(one.stake, most.stake) >= 0) most = one;
  return most;
}

function compare(a: EngineUseCounts, b: EngineUseCounts): number {
  return a.held - b.held || a.waiting - b.waiting;
}
