import type { Logger } from '../log.ts';

/** Takes work as it falls due, a bounded number at once. */
export interface Pump {
  wake(): void;
  /** Aborts what is under way and waits for it. */
  close(): Promise<void>;
}

export interface PumpOptions<W> {
  /** Up to so many pieces of work that are due, now this process's own. */
  take(limit: number): readonly W[];
  /** When the next falls due, in milliseconds since the epoch. */
  nextAt(): number | undefined;
  run(work: W, signal: AbortSignal): Promise<void>;
  /** Called now and then: what others left behind may be freed. */
  tidy(): void;
  readonly atOnce: number;
  /** Whether another process does all of it at present. */
  isLeft?: (() => boolean) | undefined;
  readonly log: Logger;
}

/** Milliseconds after which another process's work is looked for, and between two tidyings. */
const [LOOK, TIDY] = [1000, 5000];

export function createPump<W>(options: PumpOptions<W>): Pump {
  const { take, nextAt, run, tidy, atOnce, isLeft, log } = options;
  const stop = new AbortController();
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let tidied = 0;

  function turn(): void {
    timer = undefined;
    if (stop.signal.aborted) return;
    let wait = LOOK;
    try {
      if (Date.now() - tidied >= TIDY) {
        tidied = Date.now();
        tidy();
      }
      const room = atOnce - running.size;
      if (room > 0 && isLeft?.() !== true) {
        for (const work of take(room)) begin(work);
        wait = Math.min(LOOK, Math.max(0, (nextAt() ?? Infinity) - Date.now()));
      }
    } catch (err) {
      log.warn({ err }, 'monitoring cannot read what is due');
    }
    // With no room, the end of a piece of work is the next turn.
    if (running.size < atOnce) timer ??= setTimeout(turn, wait).unref();
  }

  function begin(work: W): void {
    const done: Promise<void> = run(work, stop.signal)
      .catch((err: unknown) => {
        if (!stop.signal.aborted) log.error({ err }, 'monitoring could not finish a piece of work');
      })
      .finally(() => {
        running.delete(done);
        wake();
      });
    running.add(done);
  }

  function wake(): void {
    clearTimeout(timer);
    timer = setTimeout(turn, 0).unref();
  }

  wake();
  return {
    wake,
    async close() {
      stop.abort();
      clearTimeout(timer);
      await Promise.allSettled(running);
    },
  };
}
