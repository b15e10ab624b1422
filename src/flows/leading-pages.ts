/** How one page's reading ended. */
export type Reading<T> = { readonly page: T } | { readonly error: unknown };

export interface LeadingOptions {
  /** How many pages are wanted. */
  readonly wanted: number;
  /** Milliseconds after which a page that has not come gets a spare beside it. */
  readonly patience: number;
  /** Milliseconds that all have together. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** Why a page was given up: the others were there first, or the time was over. */
export class TooLate extends Error {}

/**
 * Reads the first `wanted` addresses at once. One that fails is replaced by the next address, and one that
 * is slow gets the next beside it, so that `wanted` pages come if there are so many. Resolves when they are
 * there, nothing is left to try, or the time is over; what still runs is then given up as TooLate. Rejects
 * only when `signal` is aborted, with its reason. At most two readings run for each page wanted.
 */
export async function readLeading<T>(
  urls: readonly string[],
  read: (url: string, signal: AbortSignal) => Promise<T>,
  { wanted, patience, deadline, signal }: LeadingOptions,
): Promise<Map<string, Reading<T>>> {
  signal.throwIfAborted();
  const readings = new Map<string, Reading<T>>();
  const running = new Map<string, AbortController>();
  const spares = urls.values();
  const { promise: over, resolve: end, reject: fail } = Promise.withResolvers<void>();
  const came = () => [...readings.values()].filter((reading) => 'page' in reading).length;
  const timers: NodeJS.Timeout[] = [];

  const start = () => {
    if (running.size >= 2 * wanted) return;
    const { value: url } = spares.next();
    if (url === undefined) return;
    const stop = new AbortController();
    running.set(url, stop);
    const timer = setTimeout(start, patience);
    timers.push(timer);
    const settle = (reading: Reading<T>) => {
      clearTimeout(timer);
      if (!running.delete(url)) return;
      readings.set(url, reading);
      if ('error' in reading && came() + running.size < wanted) start();
      if (came() >= wanted || running.size === 0) end();
    };
    read(url, AbortSignal.any([signal, stop.signal])).then(
      (page) => settle({ page }),
      (error: unknown) => settle({ error }),
    );
  };
  const abort = () => fail(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  timers.push(setTimeout(end, deadline));
  try {
    for (let i = 0; i < wanted; i++) start();
    if (running.size > 0) await over;
  } finally {
    signal.removeEventListener('abort', abort);
    for (const timer of timers) clearTimeout(timer);
    for (const [url, stop] of running) {
      readings.set(url, { error: new TooLate() });
      stop.abort();
    }
    running.clear();
  }
  return readings;
}
