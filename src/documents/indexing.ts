import { setImmediate } from 'node:timers/promises';
import type { DocumentStore } from './document-store.ts';
import type { PassageIndex } from './passage-index.ts';

/** Pages that are read from the store together. */
const STEP = 50;

/** Keeps the passages of files in step with the files, one change at a time. */
export interface Indexing {
  /** Resolves when the passages of a file, if it is still there, are in the index. */
  ensure(owner: string, name: string): Promise<void>;
  /** Runs `hide`, which takes a file out of sight, and takes its passages out of the index. */
  remove<T>(owner: string, name: string, hide: () => T): Promise<T>;
  /** Ends what is under way; it is taken up again at the next start. */
  close(): Promise<void>;
}

export function createIndexing(store: DocumentStore, index: PassageIndex): Indexing {
  const stop = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };

  async function* pagesOf(owner: string, name: string) {
    for (let from = 1; ; from += STEP) {
      const pages = store.pagesFrom(owner, name, from, STEP);
      if (pages.length === 0) return;
      for (const { text } of pages) yield text;
      await setImmediate();
    }
  }

  return {
    async ensure(owner, name) {
      if (store.rowToIndex(owner, name) === undefined) return;
      await inTurn(async () => {
        const row = store.rowToIndex(owner, name);
        const file = store.get(owner, name);
        if (row === undefined || !file) return;
        await index.put(owner, { name, title: file.title || name }, pagesOf(owner, name), stop.signal);
        store.setIndexed(row);
      });
    },
    remove: (owner, name, hide) =>
      inTurn(async () => {
        const hidden = hide();
        await index.remove(owner, name);
        return hidden;
      }),
    async close() {
      stop.abort();
      await last;
    },
  };
}
