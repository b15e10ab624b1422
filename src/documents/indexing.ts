import { setImmediate } from 'node:timers/promises';
import { createKeyedLock } from '../lib/concurrency/keyed-lock.ts';
import type { DocumentStore } from './document-store.ts';
import { describeFile } from './file-names.ts';
import type { PassageIndex } from './passage-index.ts';

const STEP_PAGES = 50;
/** All users share one lock, because indexing with the same model is not faster in parallel. */
const ALL = '';

export function createIndexing(store: DocumentStore, index: PassageIndex) {
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
    async ensureIndexed(owner: string, name: string): Promise<void> {
      if (!(await store.findUnindexed(owner, name))) return;
      await inTurn(async () => {
        const file = await store.findUnindexed(owner, name);
        if (!file) return;
        const { title, collection } = file;
        const named = { name, title: describeFile(name, title), collection };
        await index.putFile(owner, named, pagesOf(owner, name), stop.signal);
        await store.markIndexed(file.row);
      });
    },
    hideFile: (owner: string, name: string) => inTurn(() => store.hideDocument(owner, name)),
    removeLeftover: (owner: string, name: string) =>
      inTurn(async () => {
        if (!(await store.findDocument(owner, name))) await index.removeFile(owner, name);
      }),
    async close(): Promise<void> {
      stop.abort();
      await inTurn(async () => {});
    },
  };
}
