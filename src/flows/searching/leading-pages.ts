import type { ReadingStage } from '../../browse/types.ts';
import { BusyError } from '../../errors.ts';

export type PageReading<T> = { readonly page: T } | { readonly error: unknown };

export type LeadingReader<T> = (
  url: string,
  signal: AbortSignal,
  onStage: (stage: ReadingStage) => void,
) => Promise<T>;

export interface LeadingOptions {
  readonly wanted: number;
  readonly patience: number;
  readonly deadline: number;
  readonly signal: AbortSignal;
}

interface PageRead {
  readonly stop: AbortController;
  stage?: ReadingStage;
  since: number;
}

/** Error for a page that was not read, because enough other pages were read or the time was up. */
export class PageTimeoutError extends Error {
  constructor(message = 'did not answer in time') {
    super(message);
  }
}

const RETRY_SECONDS = 10;

export async function readLeadingPages<T>(
  urls: readonly string[],
  read: LeadingReader<T>,
  { wanted, patience, deadline, signal }: LeadingOptions,
): Promise<Map<string, PageReading<T>>> {
  signal.throwIfAborted();
  const readings = new Map<string, PageReading<T>>();
  const running = new Map<string, PageRead>();
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
    const one: PageRead = { stop: new AbortController(), since: 0 };
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
    const settle = (reading: PageReading<T>) => {
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
      readings.set(url, { error: came() >= wanted ? new PageTimeoutError() : whyLate(url, one?.stage) });
      one?.stop.abort();
    }
  };
  const overdue = () => {
    late = true;
    giveUp(
      [...running].flatMap(([url, { stage }]) => (stage === 'waiting' || stage === 'reading' ? [] : [url])),
    );
    if (running.size === 0) end();
  };
  /** Gives up all pages, except pages whose parsing began less than `deadline` ms ago. */
  const finish = () => {
    const left = ({ stage, since }: PageRead) =>
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

function whyLate(url: string, stage: ReadingStage | undefined): Error {
  if (stage === 'fetching') return new PageTimeoutError();
  if (stage === 'reading') return new PageTimeoutError('takes too long to read');
  const message = `Magpie is busy and could not read ${url} in time. Ask again in ${RETRY_SECONDS} seconds, with fewer calls at once`;
  return new BusyError(message, { retryAfter: RETRY_SECONDS });
}
