import { setImmediate } from 'node:timers/promises';
import { createKeyedLock } from '../lib/concurrency/keyed-lock.ts';
import type { DocumentStore, Draft } from './document-store.ts';
import type { PassageIndex } from './passage-index.ts';

/** Pages that are read from the store together. */
const STEP_PAGES = 50;
/** All changes go by one lock: passages of two files at once would only share the embedder. */
const ALL = '';

/** Keeps the passages of files in step with the files, one change at a time. */
export interface Indexing {
  /** Resolves when the passages of a file, if it is still there, are in the index. */
  ensureIndexed(owner: string, name: string): Promise<void>;
  /** Hides a file; undefined when it is not there. */
  hideFile(owner: string, name: string): Promise<Draft | undefined>;
  /** Removes the passages of a file that is hidden, unless another one has its name by now. */
  removeLeftover(owner: string, name: string): Promise<void>;
  /** Aborted by close(). */
  readonly closing: AbortSignal;
  /** Stops the current change; the next start resumes it. */
  close(): Promise<void>;
}

export function createIndexing(store: DocumentStore, index: PassageIndex): Indexing {
  const stop = new AbortController();
  const lock = createKeyedLock();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => lock.run(ALL, work);

  async function* pagesOf(owner: string, name: string) {
    for (let from = 1; ; from += STEP_PAGES) {
      const pages = await store.listPages(owner, name, from, STEP_PAGES);
      if (pages.length === 0) return;
      for (const { text } of pages) yield text;
      await setImmediate();
    }
  }

  return {
    closing: stop.signal,
    async ensureIndexed(owner, name) {
      if (!(await store.findUnindexed(owner, name))) return;
      await inTurn(async () => {
        const file = await store.findUnindexed(owner, name);
        if (!file) return;
        const { title, collection } = file;
        const named = { name, title: title || name, collection };
        await index.putFile(owner, named, pagesOf(owner, name), stop.signal);
        await store.markIndexed(file.row);
      });
    },
    hideFile: (owner, name) => inTurn(() => store.hideDocument(owner, name)),
    removeLeftover: (owner, name) =>
      inTurn(async () => {
        if (!(await store.findDocument(owner, name))) await index.removeFile(owner, name);
      }),
    async close() {
      stop.abort();
      await inTurn(async () => {});
    },
  };
}
