import type { ReadingStage } from '../../browse/types.ts';
import { BusyError } from '../../errors.ts';

/** How one page's reading ended. */
export type Reading<T> = { readonly page: T } | { readonly error: unknown };

/** Reads one page, and calls `onStage` as it comes to each stage. */
export type ReadOne<T> = (
  url: string,
  signal: AbortSignal,
  onStage: (stage: ReadingStage) => void,
) => Promise<T>;

export interface LeadingOptions {
  /** How many pages are wanted. */
  readonly wanted: number;
  /** Milliseconds after which a page that has not come from its site gets a spare beside it. */
  readonly patience: number;
  /**
   * Milliseconds that all have together to come from their sites, from the moment in which the first of them is fetched; to be read
   * as well they have twice as many, and each that a reader has begun with so many for that.
   */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

interface Running {
  readonly stop: AbortController;
  /** Undefined until it has its place. */
  stage?: ReadingStage;
  /** When it came to that stage, by performance.now(). */
  since: number;
}

/** Why a page was given up: the others were there first, or the time was over. */
export class TooLate extends Error {
  constructor(message = 'did not answer in time') {
    super(message);
  }
}

const RETRY_SECONDS = 10;

/**
 * Reads the first `wanted` addresses at once. One that fails is replaced by the next address, and one that
 * is slow gets the next beside it, so that `wanted` pages come if there are so many. Resolves when they are
 * there, nothing is left to try, or the time is over; what still runs is then given up, as BusyError where it waited for a
 * place or a reader, and as TooLate otherwise. Rejects only when `signal` is aborted, with its reason. At most two readings run for
 * each page wanted. How long a busy machine takes to read a page that has come chooses no other page, and where Magpie itself
 * has no place for a page it has none for another.
 */
export async function readLeading<T>(
  urls: readonly string[],
  read: ReadOne<T>,
  { wanted, patience, deadline, signal }: LeadingOptions,
): Promise<Map<string, Reading<T>>> {
  signal.throwIfAborted();
  const readings = new Map<string, Reading<T>>();
  const running = new Map<string, Running>();
  const spares = urls.values();
  const { promise: over, resolve: end, reject: fail } = Promise.withResolvers<void>();
  const came = () => [...readings.values()].filter((reading) => 'page' in reading).length;
  const timers: NodeJS.Timeout[] = [];
  let begun = false;
  let late = false;

  const start = () => {
    if (late || running.size >= 2 * wanted) return;
    const { value: url } = spares.next();
    if (url === undefined) return;
    const one: Running = { stop: new AbortController(), since: 0 };
    running.set(url, one);
    let timer: NodeJS.Timeout | undefined;
    const onStage = (stage: ReadingStage) => {
      one.stage = stage;
      one.since = performance.now();
      begin();
      clearTimeout(timer);
      if (stage !== 'fetching' || !running.has(url)) return;
      timer = setTimeout(start, patience);
      timers.push(timer);
    };
    const settle = (reading: Reading<T>) => {
      clearTimeout(timer);
      if (!running.delete(url)) return;
      readings.set(url, reading);
      const replaced = 'error' in reading && !(reading.error instanceof BusyError);
      if (replaced && came() + running.size < wanted) start();
      if (came() >= wanted || running.size === 0) end();
    };
    read(url, AbortSignal.any([signal, one.stop.signal]), onStage).then(
      (page) => settle({ page }),
      (error: unknown) => settle({ error }),
    );
  };
  const giveUp = (given: Iterable<string>) => {
    for (const url of given) {
      const one = running.get(url);
      running.delete(url);
      readings.set(url, { error: came() >= wanted ? new TooLate() : whyLate(url, one?.stage) });
      one?.stop.abort();
    }
  };
  const overdue = () => {
    late = true;
    giveUp([...running].flatMap(([url, { stage }]) => (isHere(stage) ? [] : [url])));
    if (running.size === 0) end();
  };
  /** Gives up what no reader has, or one has had for too long; what one began with a moment ago it ends. */
  const finish = () => {
    const left = ({ stage, since }: Running) =>
      stage === 'reading' ? since + deadline - performance.now() : 0;
    giveUp([...running].flatMap(([url, one]) => (left(one) > 0 ? [] : [url])));
    if (running.size === 0) end();
    else timers.push(setTimeout(finish, Math.ceil(Math.min(...[...running.values()].map(left)))));
  };
  const begin = () => {
    if (begun) return;
    begun = true;
    timers.push(setTimeout(overdue, deadline), setTimeout(finish, 2 * deadline));
  };
  const abort = () => fail(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
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

function isHere(stage: ReadingStage | undefined): boolean {
  return stage === 'waiting' || stage === 'reading';
}

/** Why a page is given up when the time is over, by where its reading was. */
function whyLate(url: string, stage: ReadingStage | undefined): Error {
  if (stage === 'fetching') return new TooLate();
  if (stage === 'reading') return new TooLate('takes too long to read');
  const message = `Magpie is busy and could not read ${url} in time. Ask again in ${RETRY_SECONDS} seconds, with fewer calls at once`;
  return new BusyError(message, { retryAfter: RETRY_SECONDS });
}
