import type { Logger } from '../../log.ts';
import type { EntryStore } from '../store.ts';

export interface GraphUpkeepOptions {
  readonly store: Pick<EntryStore, 'tendGraphs'>;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Delay before the first search for missing indexes, in milliseconds. Most commands end earlier. Default: 60,000. */
  readonly firstMs?: number | undefined;
  /** Time between later searches for missing indexes, in milliseconds. Default: 5 minutes. */
  readonly intervalMs?: number | undefined;
}

const FIRST_MS = 60_000;
const INTERVAL_MS = 300_000;

export function createGraphUpkeep(options: GraphUpkeepOptions): { close(): Promise<void> } {
  const { store, log, firstMs = FIRST_MS, intervalMs = INTERVAL_MS } = options;
  const closing = new AbortController();
  const { signal: closed } = closing;
  let failing = false;

  async function tend(): Promise<void> {
    try {
      const done = await store.tendGraphs?.(closed);
      if (done && done.built + done.dropped > 0) log.info({ ...done }, 'indexes of vectors are up to date');
      failing = false;
    } catch (err) {
      if (!failing && !closed.aborted) {
        log.warn({ err }, 'no index of vectors can be made: all vectors of a user are compared');
      }
      failing = true;
    }
  }

  let tending = Promise.resolve();
  const next = (ms: number): NodeJS.Timeout =>
    setTimeout(() => {
      tending = tend().then(() => {
        if (!closed.aborted) timer = next(intervalMs);
      });
    }, ms).unref();
  let timer = store.tendGraphs ? next(firstMs) : undefined;

  return {
    async close() {
      closing.abort();
      clearTimeout(timer);
      await tending;
    },
  };
}
