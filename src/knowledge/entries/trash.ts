import { normalizeCollection, normalizeOptionalCollection } from '../../lib/collection.ts';
import type { Logger } from '../../log.ts';
import type { EmbeddingQueue } from '../embedding/embedding-queue.ts';
import type { EntryStore } from '../store.ts';
import type { Knowledge, RemovalResult } from '../types.ts';
import type { EntryChangeFeed } from './change-feed.ts';

export interface TrashOptions {
  readonly store: EntryStore;
  readonly queue: Pick<EmbeddingQueue, 'addOwner'>;
  readonly feed: Pick<EntryChangeFeed, 'notify'>;
  readonly log: Pick<Logger, 'warn'>;
  readonly forgetOwner: (owner: string) => Promise<void>;
  readonly idle: () => Promise<void>;
  readonly days: number;
  readonly bound?: TrashSize;
  readonly purgeIntervalMs?: number;
}

export interface TrashSize {
  readonly records: number;
  readonly bytes: number;
}

/** Maximum size of the trash. The oldest batch does not count, so a single large batch is kept. */
export const MAX_TRASH_SIZE: TrashSize = { records: 50_000, bytes: 500_000_000 };
const PURGE_INTERVAL_MS = 600_000;
const TRIM_AFTER = 100;
const DAY_US = 86_400_000_000;

export function createTrash(options: TrashOptions) {
  const { store, queue, feed, log, days, bound = MAX_TRASH_SIZE } = options;
  const { purgeIntervalMs = PURGE_INTERVAL_MS } = options;
  const closing = new AbortController();
  const { signal: closed } = closing;
  let failing = false;

  function noteGone(owner: string, ids: readonly string[]): void {
    queue.addOwner(owner);
    feed.notify(owner, ids);
  }

  async function purge(): Promise<void> {
    try {
      await store.purgeTrash(Date.now() * 1000 - days * DAY_US, closed);
      failing = false;
    } catch (err) {
      if (!failing && !closed.aborted) log.warn({ err }, 'the trash of the knowledge base cannot be emptied');
      failing = true;
    }
  }

  let purging = purge();
  const timer = setInterval(() => {
    purging = purging.then(purge);
  }, purgeIntervalMs).unref();

  const trim = createTrim(options, bound, closed);

  async function moveToTrash(
    owner: string,
    which?: string | readonly string[] | { collection: string },
    into?: string,
  ): Promise<RemovalResult> {
    const { records, batch } = await store.moveToTrash(owner, which, (some) => noteGone(owner, some), into);
    if (batch === undefined) return { records: 0, dropped: 0 };
    const trash = { id: batch, until: Number(batch) + days * DAY_US };
    return { records, trash, dropped: await trim(owner) };
  }

  async function removeForGood(owner: string, collection: string | undefined): Promise<RemovalResult> {
    const records = await store.removeAllEntries(owner, collection, (some) => noteGone(owner, some));
    const dropped = await store.purgeTrash(Number.MAX_SAFE_INTEGER, closed, owner, collection);
    return { records, dropped };
  }

  const removeNamed = createNamedRemoval(store, noteGone);

  return {
    noteReplaced: createTrimmer(trim),

    async removeEntry(owner, id, { permanent = days === 0, collection } = {}) {
      if (collection !== undefined) {
        const entry = await store.findEntry(owner, id);
        if (entry?.collection !== normalizeCollection(collection)) return { records: 0, dropped: 0 };
      }
      return permanent ? removeNamed(owner, [id]) : moveToTrash(owner, id);
    },

    async removeEntries(owner, named, into?) {
      const ids = [...new Set(named)];
      return days > 0 ? moveToTrash(owner, ids, into) : removeNamed(owner, ids);
    },

    async removeAllEntries(owner, { permanent = days === 0, collection: name } = {}) {
      const collection = normalizeOptionalCollection(name);
      await options.idle();
      const removed = await (permanent
        ? removeForGood(owner, collection)
        : moveToTrash(owner, collection === undefined ? undefined : { collection }));
      if (collection === undefined) await options.forgetOwner(owner);
      return removed;
    },

    async restoreEntries(owner, which, collection) {
      const of = normalizeOptionalCollection(collection);
      const { records, known, unkeyed, unfinished } = await store
        .restoreFromTrash(owner, which, (some) => feed.notify(owner, some), of)
        .finally(() => queue.addOwner(owner));
      if (unfinished !== undefined) {
        log.warn({ err: unfinished }, 'entries are restored; what is left of that is done later');
      }
      return { records, known, unkeyed: unkeyed || undefined };
    },

    async listTrash(owner, limit, collection, before) {
      const of = normalizeOptionalCollection(collection);
      const { batches, ...counts } = await store.listTrash(owner, limit, of, before);
      const dated = batches.map((batch) => ({ ...batch, until: batch.removedAt + days * DAY_US }));
      return { ...counts, days, batches: dated };
    },

    async emptyTrash(owner, signal, collection) {
      const of = normalizeOptionalCollection(collection);
      const removed = await store.purgeTrash(Number.MAX_SAFE_INTEGER, signal, owner, of);
      if (removed > 0) feed.notify(owner, []);
      return removed;
    },

    async close() {
      closing.abort();
      clearInterval(timer);
      await purging;
    },
  } satisfies Partial<Knowledge> & { noteReplaced: unknown };
}

/** Trims the trash after a move to it. A failure is only logged, because the move has succeeded. */
function createTrim({ store, log }: TrashOptions, bound: TrashSize, closed: AbortSignal) {
  return async (owner: string): Promise<number> => {
    try {
      return await store.trimTrash(owner, bound, closed);
    } catch (err) {
      log.warn({ err }, 'the trash of the knowledge base cannot be trimmed');
      return 0;
    }
  };
}

function createNamedRemoval(
  store: Pick<EntryStore, 'removeEntry'>,
  noteGone: (owner: string, ids: readonly string[]) => void,
): Knowledge['removeEntries'] {
  return async (owner, ids) => {
    const removed: string[] = [];
    for (const id of ids) if (await store.removeEntry(owner, id)) removed.push(id);
    if (removed.length > 0) noteGone(owner, removed);
    return { records: removed.length, dropped: 0 };
  };
}

function createTrimmer(trim: (owner: string) => Promise<number>) {
  const owners = new Set<string>();
  let count = 0;
  return async (owner: string): Promise<void> => {
    owners.add(owner);
    if (++count < TRIM_AFTER) return;
    const some = [...owners];
    owners.clear();
    count = 0;
    for (const one of some) await trim(one);
  };
}
