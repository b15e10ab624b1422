/** How one page's reading ended. */
export type Reading<T> = { readonly page: T } | { readonly error: unknown };

export interface LeadingOptions {
  /** How many pages are wanted. */
  readonly wanted: number;
  /** Milliseconds after which a page that has not come from its site gets a spare beside it. */
  readonly patience: number;
  /** Milliseconds that all have together to come from their sites; to be read as well they have twice as many. */
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
 * `read` calls `arrived` when the page has come: how long a busy machine takes to read it then chooses no other page.
 */
export async function readLeading<T>(
  urls: readonly string[],
  read: (url: string, signal: AbortSignal, arrived: () => void) => Promise<T>,
  { wanted, patience, deadline, signal }: LeadingOptions,
): Promise<Map<string, Reading<T>>> {
  signal.throwIfAborted();
  const readings = new Map<string, Reading<T>>();
  const running = new Map<string, AbortController>();
  const here = new Set<string>();
  const spares = urls.values();
  const { promise: over, resolve: end, reject: fail } = Promise.withResolvers<void>();
  const came = () => [...readings.values()].filter((reading) => 'page' in reading).length;
  const timers: NodeJS.Timeout[] = [];

  let late = false;

  const start = () => {
    if (late || running.size >= 2 * wanted) return;
    const { value: url } = spares.next();
    if (url === undefined) return;
    const stop = new AbortController();
    running.set(url, stop);
    const timer = setTimeout(start, patience);
    timers.push(timer);
    const arrived = () => {
      clearTimeout(timer);
      here.add(url);
    };
    const settle = (reading: Reading<T>) => {
      clearTimeout(timer);
      if (!running.delete(url)) return;
      readings.set(url, reading);
      if ('error' in reading && came() + running.size < wanted) start();
      if (came() >= wanted || running.size === 0) end();
    };
    read(url, AbortSignal.any([signal, stop.signal]), arrived).then(
      (page) => settle({ page }),
      (error: unknown) => settle({ error }),
    );
  };
  const giveUp = (urls: Iterable<string>) => {
    for (const url of urls) {
      const stop = running.get(url);
      running.delete(url);
      readings.set(url, { error: new TooLate() });
      stop?.abort();
    }
  };
  const overdue = () => {
    late = true;
    giveUp([...running.keys()].filter((url) => !here.has(url)));
    if (running.size === 0) end();
  };
  const abort = () => fail(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  timers.push(setTimeout(overdue, deadline), setTimeout(end, 2 * deadline));
  try {
    for (let i = 0; i < wanted; i++) start();
    if (running.size > 0) await over;
  } finally {
    signal.removeEventListener('abort', abort);
    for (const timer of timers) clearTimeout(timer);
    giveUp([...running.keys()]);
  }
  return readings;
}
