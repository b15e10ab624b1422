import { createLimiter } from '../../lib/concurrency/limiter.ts';
import type { Logger } from '../../log.ts';

export type WorkLoop = ReturnType<typeof createWorkLoop>;

export interface WorkLoopOptions<W> {
  take(limit: number): Promise<readonly W[]>;
  nextAt(): Promise<number | undefined>;
  run(work: W, signal: AbortSignal): Promise<void>;
  /** Runs every few seconds, for example to end the leases of processes that have died. */
  tidy(): Promise<void>;
  readonly concurrency: number;
  readonly pollMs?: number | undefined;
  isLeft?: (() => boolean | Promise<boolean>) | undefined;
  readonly log: Logger;
}

const POLL_INTERVAL_MS = 1000;
const TIDY_POLLS = 5;

export function createWorkLoop<W>(options: WorkLoopOptions<W>) {
  const { take, nextAt, run, tidy, concurrency, isLeft, log, pollMs = POLL_INTERVAL_MS } = options;
  const stop = new AbortController();
  const limiter = createLimiter({ concurrency });
  let timer: NodeJS.Timeout | undefined;
  let turning: Promise<void> | undefined;
  let isWoken = false;
  let tidiedAt = -Infinity;

  async function turn(): Promise<number> {
    if (performance.now() - tidiedAt >= TIDY_POLLS * pollMs) {
      tidiedAt = performance.now();
      await tidy();
    }
    const free = concurrency - limiter.running();
    if (free <= 0 || (await isLeft?.())) return pollMs;
    const taken = await take(free);
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
    // At full `concurrency`, the end of an item schedules the next run, so none is scheduled here.
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
