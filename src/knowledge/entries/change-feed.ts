import type { Logger } from '../../log.ts';
import type { EntryStore } from '../store.ts';
import type { ChangeListener } from '../types.ts';

export interface ChangeFeedOptions {
  readonly store: Pick<EntryStore, 'readChanges'>;
  readonly log: Pick<Logger, 'warn'>;
  readonly intervalMs?: number;
  readonly onOthersChange: (owner: string) => void;
}

export type EntryChangeFeed = ReturnType<typeof createEntryChangeFeed>;
const INTERVAL_MS = 1000;

export function createEntryChangeFeed(options: ChangeFeedOptions) {
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
    addListener(listener: ChangeListener): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close(): Promise<void> {
      clearInterval(timer);
      await checking;
      listeners.clear();
    },
  };
}
