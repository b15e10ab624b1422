import type { Logger } from '../../log.ts';
import type { EntryStore } from '../store.ts';
import type { ChangeListener } from '../types.ts';

export interface ChangeFeedOptions {
  readonly store: Pick<EntryStore, 'readChanges'>;
  readonly log: Pick<Logger, 'warn'>;
  /** Milliseconds between checks for what other processes have changed; default 1,000. */
  readonly intervalMs?: number;
  /** Called with each owner of whom another process has changed something. */
  readonly onOthersChange: (owner: string) => void;
}

export interface ChangeFeed {
  notify: (owner: string, ids: readonly string[]) => void;
  /** Gives what ends it. */
  addListener(listener: ChangeListener): () => void;
  close(): Promise<void>;
}

const INTERVAL_MS = 1000;

/** Notifies listeners of changes: of this process's at once, of other processes' within about a second. */
export function createChangeFeed(options: ChangeFeedOptions): ChangeFeed {
  const { store, log, intervalMs = INTERVAL_MS, onOthersChange } = options;
  const listeners = new Set<ChangeListener>();
  let failing = false;
  let checking: Promise<void> | undefined;

  function notify(owner: string, ids: readonly string[]): void {
    for (const listener of listeners) {
      try {
        listener(owner, { ids });
      } catch (err) {
        log.warn({ err }, 'a listener to changes of the knowledge base failed');
      }
    }
  }

  async function check(): Promise<void> {
    try {
      for (const { owner, ids } of await store.readChanges()) {
        onOthersChange(owner);
        notify(owner, ids);
      }
      failing = false;
    } catch (err) {
      if (!failing) log.warn({ err }, 'changes by other processes cannot be read');
      failing = true;
    }
  }

  const timer = setInterval(() => {
    checking ??= check().finally(() => {
      checking = undefined;
    });
  }, intervalMs).unref();

  return {
    notify,
    addListener(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      clearInterval(timer);
      await checking;
      listeners.clear();
    },
  };
}
