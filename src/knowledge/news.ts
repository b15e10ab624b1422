import type { Logger } from '../log.ts';
import type { ChangeListener } from './knowledge.ts';
import type { EntryStore } from './store.ts';

export interface NewsOptions {
  readonly store: Pick<EntryStore, 'readChanges'>;
  readonly log: Pick<Logger, 'warn'>;
  /** Milliseconds between looks for what other processes have changed; default 1,000. */
  readonly everyMs?: number;
  /** Called with each owner of whom another process has changed something. */
  readonly heard: (owner: string) => void;
}

export interface News {
  notify: (owner: string, ids: readonly string[]) => void;
  listen(listener: ChangeListener): () => void;
  close(): Promise<void>;
}

const EVERY_MS = 1000;

/** Tells listeners of changes: of this process's at once, of others' within a second or so. */
export function createNews({ store, log, everyMs = EVERY_MS, heard }: NewsOptions): News {
  const listeners = new Set<ChangeListener>();
  let failing = false;
  let looking: Promise<void> | undefined;

  function tell(owner: string, ids: readonly string[]): void {
    for (const listener of listeners) {
      try {
        listener(owner, { ids });
      } catch (err) {
        log.warn({ err }, 'a listener to changes of the knowledge base failed');
      }
    }
  }

  async function look(): Promise<void> {
    try {
      for (const { owner, ids } of await store.readChanges()) {
        heard(owner);
        tell(owner, ids);
      }
      failing = false;
    } catch (err) {
      if (!failing) log.warn({ err }, 'it cannot be seen what other processes change');
      failing = true;
    }
  }

  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }, everyMs).unref();

  return {
    notify: tell,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      clearInterval(timer);
      await looking;
      listeners.clear();
    },
  };
}
