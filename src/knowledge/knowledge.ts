import { AppError } from '../errors.ts';
import { defined } from '../lib/defined.ts';
import type { Logger } from '../log.ts';
import { createCommitGroup } from './commit-group.ts';
import { documentPassages } from './document-passages.ts';
import type { Embedder } from './embedder.ts';
import { createEmbeddingQueue } from './embedding-queue.ts';
import type { Entry, Filter, Match, NewEntry, Stats } from './entry.ts';
import { createIndexes } from './indexes.ts';
import { createModels } from './models.ts';
import { checkEntry, checkTimes, prepareEntry } from './new-entry.ts';
import { createNews } from './news.ts';
import { createQueries } from './query.ts';
import type { EntryStore } from './store.ts';
import type { OpenVectorIndex } from './vector-index.ts';

export interface Inserted {
  readonly id: string;
  /** The same text was there already: it keeps its id and has gained the new tags, source and title. */
  readonly known: boolean;
  readonly passages: number;
}

export interface QueryOptions {
  /** 1 to 100; default 10. */
  readonly topK?: number;
  readonly filter?: Filter;
  /** Matches with their vectors and the weights of their terms. */
  readonly includeValues?: boolean;
  /** Days after which a passage counts half as much; without it, age does not count. */
  readonly recency?: number;
  /** Passages before and after each match that come with it, 0 to 10; default 0. */
  readonly neighbours?: number;
}

/** An uploaded file, told apart by its name. */
export interface DocumentFile {
  readonly name: string;
  readonly title?: string;
}

/** Pages from 1, both included. */
export interface Pages {
  readonly fromPage: number;
  readonly toPage: number;
}

export interface EntryPage {
  readonly entries: readonly Entry[];
  /** For `cursor` of the next call; undefined on the last page. */
  readonly next?: string;
}

/** How far the vectors of the current model have come, over all owners. */
export interface EmbeddingProgress {
  readonly model: string;
  readonly done: number;
  readonly total: number;
}

export type ChangeListener = (owner: string, what: { readonly ids: readonly string[] }) => void;

/**
 * What everyone keeps, each owner apart from all others. Values that cannot be kept are AppError `bad_request` or
 * `too_large`, a database that cannot be used is `unavailable`. Queries never fail for want of an embedder:
 * they then go by words alone.
 */
export interface Knowledge {
  /** Durable, and found by its words, when it resolves; the vectors follow. */
  insertEntry(owner: string, entry: NewEntry, signal: AbortSignal): Promise<Inserted>;
  /**
   * An entry of `entries()` as it was, with its times; the owner's name in its id becomes this owner's. Where
   * another entry has its microsecond already, it takes the next free one.
   */
  restoreEntry(owner: string, entry: Entry, signal: AbortSignal): Promise<Inserted>;
  /** The id stays. AppError `not_found`; `bad_request` when another entry has the new text. */
  updateEntry(owner: string, id: string, change: Partial<NewEntry>, signal: AbortSignal): Promise<Entry>;
  /** False when there is no such entry. */
  removeEntry(owner: string, id: string): Promise<boolean>;
  findEntry(owner: string, id: string): Promise<Entry | undefined>;
  /** Passages of entries and uploaded files, best first. Any text is a query; a blank one gives the newest, at score 0. */
  findPassages(owner: string, text: string, options: QueryOptions, signal: AbortSignal): Promise<Match[]>;
  /** Newest first; `limit` 1 to 1,000. */
  listEntries(owner: string, limit: number, cursor?: string): Promise<EntryPage>;
  findNewestEntry(owner: string): Promise<Entry | undefined>;
  readStats(owner: string): Promise<Stats>;
  /** Removes all entries for good and says how many; uploaded files stay. */
  removeAllEntries(owner: string): Promise<number>;
  /** Oldest first. */
  exportEntries(owner: string): AsyncIterable<Entry>;
  /** Takes the place of a file of the same name once all of it is there. Gives the number of passages. */
  putDocument(
    owner: string,
    file: DocumentFile,
    pages: AsyncIterable<string> | Iterable<string>,
    signal: AbortSignal,
  ): Promise<number>;
  /** Gives the number of passages that went; 0 when there is no such file. */
  removeDocument(owner: string, name: string): Promise<number>;
  /** As query(), within some pages of a file; without words, from the first of these pages on. AppError `not_found`. */
  findDocumentPassages(
    owner: string,
    name: string,
    pages: Pages,
    text: string,
    topK: number,
    signal: AbortSignal,
  ): Promise<Match[]>;
  /** Called after changes, soon after those of other processes. Gives the function that ends it. */
  onChange(listener: ChangeListener): () => void;
  readEmbeddingProgress(): Promise<EmbeddingProgress>;
  /** The owner's passages that have no vector yet and are found by their words only, counted up to `most`. */
  countPending(owner: string, most: number): Promise<number>;
  /**
   * For a process that ends soon: resolves when no passage waits for its vector, when `most` have got theirs, when
   * the embedder fails, or at the signal.
   */
  waitForVectors(most: number, signal: AbortSignal, told?: (embedded: number) => void): Promise<void>;
  close(): Promise<void>;
}

export interface KnowledgeOptions {
  readonly store: EntryStore;
  readonly embedder: Embedder;
  /** An embedder by the name of an earlier model, to answer by its vectors until the new ones are there. */
  readonly earlier?: (name: string) => Promise<Embedder | undefined>;
  readonly openIndex: OpenVectorIndex;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Where large indexes are kept between starts; made when needed. Without it none is kept. */
  readonly indexFolder?: string;
  /** Bytes of the indexes in memory; default 256 MB. */
  readonly indexBytes?: number;
  /** Milliseconds between looks for passages without a vector; default 30,000. */
  readonly lookMs?: number;
  /** Milliseconds between looks for changes by other processes; default 1,000. */
  readonly newsMs?: number;
  /** Milliseconds of the first pause after the embedder failed; default 1,000. */
  readonly pauseMs?: number;
}

const LISTED = 1000;
/** Entries that are read at once in an export. */
const EXPORTED = 100;

/** The room's core: the store is the record of truth, vectors and indexes follow it. */
export function createKnowledge(options: KnowledgeOptions): Knowledge {
  const { store, embedder, earlier, openIndex, log, indexFolder, indexBytes, lookMs, newsMs, pauseMs } =
    options;
  const group = createCommitGroup(store);
  const queue = createEmbeddingQueue({
    store,
    embedder,
    log,
    lookMs,
    pauseMs,
  });
  const indexesOf = ({ name, dimensions }: Embedder) =>
    createIndexes({
      store,
      open: openIndex,
      model: name,
      dimensions,
      log,
      folder: indexFolder,
      maxBytes: indexBytes,
    });
  const models = createModels({
    store,
    current: { embedder, indexes: indexesOf(embedder) },
    indexesOf,
    earlier,
  });
  const queries = createQueries({ store, models, log });
  const news = createNews({
    store,
    log,
    heard: queue.addOwner,
    everyMs: newsMs,
  });
  const { notify: tell } = news;
  const window = embedder.maxTokens;

  async function add(
    owner: string,
    entry: NewEntry,
    signal: AbortSignal,
    times?: Pick<Entry, 'createdAt' | 'updatedAt'>,
  ): Promise<Inserted> {
    signal.throwIfAborted();
    const prepared = await prepareEntry(checkEntry(entry), window);
    const inserted = await group.add({ owner, entry: prepared, times });
    if (!inserted.known) queue.addOwner(owner);
    tell(owner, [inserted.id]);
    return inserted;
  }

  return {
    insertEntry: (owner, entry, signal) => add(owner, entry, signal),
    restoreEntry: async (owner, entry, signal) => add(owner, entry, signal, checkTimes(entry)),

    async updateEntry(owner, id, change, signal) {
      signal.throwIfAborted();
      const known = await store.findEntry(owner, id);
      if (!known) throw new AppError('not_found', `there is no entry ${JSON.stringify(id.slice(0, 200))}`);
      const changed = await prepareEntry(checkEntry({ ...known, ...defined(change) }), window);
      const entry = await store.updateEntry(owner, id, changed);
      queue.addOwner(owner);
      tell(owner, [id]);
      return entry;
    },

    async removeEntry(owner, id) {
      const gone = await store.removeEntry(owner, id);
      if (gone) tell(owner, [id]);
      return gone;
    },

    findEntry: (owner, id) => store.findEntry(owner, id),
    findPassages: queries.findPassages,

    async listEntries(owner, limit, cursor) {
      if (!Number.isInteger(limit) || limit < 1 || limit > LISTED) {
        throw new AppError('bad_request', `limit is ${limit}: it takes a whole number from 1 to ${LISTED}`);
      }
      return store.listEntries(owner, limit, 'newest', cursor);
    },

    async findNewestEntry(owner) {
      return (await store.listEntries(owner, 1, 'newest')).entries[0];
    },

    async readStats(owner) {
      const [counts, pending] = await Promise.all([
        store.readCounts(owner),
        store.countPending(owner, embedder.name),
      ]);
      return { ...counts, model: embedder.name, pending };
    },

    async removeAllEntries(owner) {
      await group.idle();
      const ids = await store.removeAllEntries(owner);
      await models.forgetOwner(owner);
      if (ids.length > 0) tell(owner, ids);
      return ids.length;
    },

    async *exportEntries(owner) {
      for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
        const page = await store.listEntries(owner, EXPORTED, 'oldest', cursor);
        yield* page.entries;
        cursor = page.next;
      }
    },

    async putDocument(owner, file, pages, signal) {
      const named = { name: file.name, title: file.title ?? file.name };
      const count = await store.putFile(owner, named, documentPassages(named, pages, window, signal));
      queue.addOwner(owner);
      tell(owner, [`doc://${file.name}`]);
      return count;
    },

    async removeDocument(owner, name) {
      const gone = await store.removeFile(owner, name);
      if (gone > 0) tell(owner, [`doc://${name}`]);
      return gone;
    },

    findDocumentPassages: queries.findInFile,

    onChange: news.listen,
    countPending: (owner, most) => store.countPending(owner, embedder.name, most),
    waitForVectors: queue.waitForVectors,

    readEmbeddingProgress: async () => ({
      model: embedder.name,
      ...(await store.readProgress(embedder.name)),
    }),

    async close() {
      await group.idle();
      await news.close();
      await queue.close();
      await models.close();
    },
  };
}
