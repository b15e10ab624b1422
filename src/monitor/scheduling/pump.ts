import { createLimiter } from '../../lib/concurrency/limiter.ts';
import type { Logger } from '../../log.ts';

/** Takes work as it falls due, a bounded number at once. */
export interface Pump {
  wake(): void;
  /** Aborts what is under way and waits for it; takes nothing more. */
  close(): Promise<void>;
}

export interface PumpOptions<W> {
  /** Leases up to so many pieces of work that are due to this process. */
  take(limit: number): Promise<readonly W[]>;
  /** When the next falls due, in milliseconds since the epoch. */
  nextAt(): Promise<number | undefined>;
  run(work: W, signal: AbortSignal): Promise<void>;
  /** Called now and then: frees what other processes left behind. */
  tidy(): Promise<void>;
  readonly concurrency: number;
  /** Milliseconds after which another process's work is looked up; default a second. */
  readonly pollMs?: number | undefined;
  /** Whether another process does all of it at present. */
  isLeft?: (() => boolean | Promise<boolean>) | undefined;
  readonly log: Logger;
}

const POLL_INTERVAL_MS = 1000;
/** Looks of which one tidies as well. */
const TIDY_POLLS = 5;

/** One turn at a time: each takes what is due, as far as there are places, and sets the time of the next. */
export function createPump<W>(options: PumpOptions<W>): Pump {
  const { take, nextAt, run, tidy, concurrency, isLeft, log, pollMs = POLL_INTERVAL_MS } = options;
  const stop = new AbortController();
  const limiter = createLimiter({ concurrency });
  let timer: NodeJS.Timeout | undefined;
  let turning: Promise<void> | undefined;
  /** Something came while a turn was under way: the next comes at once. */
  let isWoken = false;
  let tidiedAt = -Infinity;

  /** Milliseconds until the next turn. */
  async function turn(): Promise<number> {
    // By a clock that no one sets.
    if (performance.now() - tidiedAt >= TIDY_POLLS * pollMs) {
      tidiedAt = performance.now();
      await tidy();
    }
    const free = concurrency - limiter.running();
    if (free <= 0 || (await isLeft?.())) return pollMs;
    const taken = await take(free);
    // What was taken while it was closed stays leased: the caller of `close` frees it.
    if (stop.signal.aborted) return pollMs;
    for (const work of taken) begin(work);
    const wait = ((await nextAt()) ?? Infinity) - Date.now();
    return Math.min(pollMs, Math.max(0, wait));
  }

  async function turnOnce(): Promise<void> {
    isWoken = false;
    let wait = pollMs;
    try {
      wait = await turn();
    } catch (err) {
      if (!stop.signal.aborted) log.warn({ err }, 'monitoring cannot read what is due');
    }
    turning = undefined;
    // With all places taken, the end of a piece of work is the next turn.
    if (isWoken || limiter.running() < concurrency) schedule(isWoken ? 0 : wait);
  }

  function schedule(wait: number): void {
    clearTimeout(timer);
    if (stop.signal.aborted) return;
    timer = setTimeout(() => {
      turning = turnOnce();
    }, wait).unref();
  }

  function begin(work: W): void {
    limiter
      .run(() => run(work, stop.signal))
      .catch((err: unknown) => {
        if (!stop.signal.aborted) log.error({ err }, 'monitoring could not finish a piece of work');
      })
      .finally(wake);
  }

  function wake(): void {
    isWoken = true;
    if (!turning) schedule(0);
  }

  wake();
  return {
    wake,
    async close() {
      stop.abort();
      clearTimeout(timer);
      await turning;
      await limiter.idle();
    },
  };
}
