import type { Logger } from '../log.ts';
import type { MonitorStore } from './store.ts';

/** Tells of changed monitors, whichever process has changed them. */
export interface Changes {
  /** Called with owner and id of each; ends by the function. */
  listen(listener: (owner: string, id: string) => void): () => void;
  close(): void;
}

/** Milliseconds between two looks for changes. */
const EVERY = 500;

/** From now on; nothing is read before somebody listens. */
export function createChanges(store: Pick<MonitorStore, 'changedSince'>, log: Logger): Changes {
  const listeners = new Set<(owner: string, id: string) => void>();
  let { mark } = store.changedSince(0);
  let timer: NodeJS.Timeout | undefined;

  function tell(): void {
    try {
      const news = store.changedSince(mark);
      mark = news.mark;
      for (const { owner, id } of news.changes) for (const listener of listeners) listener(owner, id);
    } catch (err) {
      log.warn({ err }, 'changes of monitors cannot be read');
    }
  }

  return {
    listen(listener) {
      listeners.add(listener);
      timer ??= setInterval(tell, EVERY).unref();
      return () => void listeners.delete(listener);
    },
    close: () => clearInterval(timer),
  };
}
