import type { Logger } from '../log.ts';
import type { MonitorStore } from './store.ts';

const POLL_INTERVAL_MS = 500;

export function createMonitorChangeFeed(
  store: Pick<MonitorStore, 'changedSince' | 'newestMark'>,
  log: Logger,
  pollMs = POLL_INTERVAL_MS,
) {
  const listeners = new Set<(owner: string, id: string) => void>();
  let mark: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let reading = attempt(readMark);

  async function attempt(read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (err) {
      if (!isClosed) log.warn({ err }, 'changes of monitors cannot be read');
    }
  }

  async function readMark(): Promise<void> {
    mark = await store.newestMark();
  }

  async function readChanges(): Promise<void> {
    if (mark === undefined) return readMark();
    const news = await store.changedSince(mark);
    mark = news.mark;
    for (const { owner, id } of news.changes) for (const listener of listeners) listener(owner, id);
  }

  function poll(): void {
    timer = setTimeout(() => {
      reading = reading
        .then(() => attempt(readChanges))
        .then(() => {
          if (!isClosed) poll();
        });
    }, pollMs).unref();
  }

  return {
    listen(listener: (owner: string, id: string) => void): () => void {
      listeners.add(listener);
      if (!timer && !isClosed) poll();
      return () => void listeners.delete(listener);
    },
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await reading;
    },
  };
}
