import { setImmediate } from 'node:timers/promises';
import { createKeyedLock } from '../lib/concurrency/keyed-lock.ts';
import type { DocumentDraft, DocumentStore } from './document-store.ts';
import type { PassageIndex } from './passage-index.ts';

const STEP_PAGES = 50;
/** Key of the one lock for all changes: two files at a time would be no faster, since they share the embedder. */
const ALL = '';

/** Keeps the index of passages consistent with the files, one change at a time. */
export interface Indexing {
  ensureIndexed(owner: string, name: string): Promise<void>;
  hideFile(owner: string, name: string): Promise<DocumentDraft | undefined>;
  /** Removes the passages of a hidden file if no other file has its name now. */
  removeLeftover(owner: string, name: string): Promise<void>;
  readonly closing: AbortSignal;
  /** Stops the current change; the next start continues it. */
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
