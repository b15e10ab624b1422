import { badRequestError, notFoundError } from '../errors.ts';
import { DEFAULT_COLLECTION, normalizeCollection, normalizeOptionalCollection } from '../lib/collection.ts';
import { type Batcher, createBatcher } from '../lib/concurrency/batcher.ts';
import { createUpkeep } from '../lib/concurrency/upkeep.ts';
import { omitUndefined } from '../lib/omit-undefined.ts';
import type { Logger } from '../log.ts';
import type { Embedder } from './embedding/embedder.ts';
import {
  createEmbeddingQueue,
  type EmbeddingQueue,
  type EmbeddingQueueOptions,
} from './embedding/embedding-queue.ts';
import { createModelChoice, type ModelChoice } from './embedding/model-choice.ts';
import { createQueryModels } from './embedding/query-models.ts';
import { createEntryChangeFeed, type EntryChangeFeed } from './entries/change-feed.ts';
import { splitPagesIntoPassages } from './entries/document-passages.ts';
import { findDuplicates } from './entries/duplicates.ts';
import { listEntries } from './entries/list-entries.ts';
import { insertInParts } from './entries/long-text.ts';
import {
  checkSaidAt,
  checkTimes,
  chunkEntry,
  ENTRY_LIMITS,
  normalizeEntry,
  normalizeEntryKey,
} from './entries/new-entry.ts';
import { createQuestionPriority, type QuestionPriority } from './entries/question-priority.ts';
import { findRelated } from './entries/similar.ts';
import { createTrash, type TrashSize } from './entries/trash.ts';
import { createVectorIndexes, NO_INDEXES, type VectorIndexes } from './ranking/indexes.ts';
import { createKnowledgeQueries } from './ranking/query.ts';
import type { OpenVectorIndex } from './ranking/vector-index.ts';
import type { EntryAddition, EntryStore } from './store.ts';
import type {
  CheckedEntry,
  InsertResult,
  Knowledge,
  KnowledgeEntry,
  MergeResult,
  RemovalResult,
  ReplacedTextFate,
} from './types.ts';

export interface KnowledgeOptions
  extends Pick<EmbeddingQueueOptions, 'store' | 'log' | 'searchIntervalMs' | 'pauseMs' | 'awaitedMs'> {
  /** If `multilingual` is set, this embedder serves only owners whose texts and questions are in English. */
  readonly embedder: Embedder;
  readonly multilingual?: Embedder | undefined;
  /** Advice to install a multilingual model, if `embedder` reads only English and `multilingual` is missing. */
  readonly remedy?: string | undefined;
  /** Message with the install command if the chosen model is missing. Another model is used meanwhile. */
  readonly missing?: string | undefined;
  /** Opens the embedder of an earlier model. Queries use that model until all passages have new vectors. */
  readonly earlier?: (name: string) => Promise<Embedder | undefined>;
  readonly openIndex: OpenVectorIndex;
  /** Folder in which large indexes are saved between starts of the server. Default: they are not saved. */
  readonly indexFolder?: string;
  readonly indexBytes?: number;
  readonly changesIntervalMs?: number;
  /** Days that removed entries stay in the trash. Default: 7. With 0, entries are deleted at once. */
  readonly trashDays?: number;
  readonly trashBound?: TrashSize;
  readonly purgeIntervalMs?: number;
  /** Milliseconds after the start until outdated words in the search index are renewed. Default: 5,000. */
  readonly wordRenewalMs?: number;
}

const EXPORTED_AT_ONCE = 100;
const TRASH_DAYS = 7;
const MAX_BATCH_ADDITIONS = 256;
const MAX_BATCH_CHARS = 20_000;
const [WORD_RENEWAL_MS, GRAPHS_MS] = [5000, 60_000];

export function createKnowledge(options: KnowledgeOptions): Knowledge {
  const { store, log, trashDays = TRASH_DAYS } = options;
  const embedder = withDimensionCheck(options.embedder, store, log);
  const { multilingual, remedy, missing, searchIntervalMs, pauseMs, awaitedMs } = options;
  const choice = createModelChoice({ store, common: embedder, multilingual, remedy, missing, log });
  const models = createQueryModels({
    store,
    choice,
    indexesOf: (one) => indexesFor(one, options),
    earlier: options.earlier,
  });
  const queue = createEmbeddingQueue({
    ...{ store, choice, log, searchIntervalMs, pauseMs, awaitedMs },
    onDropped: models.forgetVectors,
  });
  const queries = createKnowledgeQueries({ store, models, log, embedNewest: queue.embedNewest });
  const feed = createEntryChangeFeed({
    store,
    log,
    onOthersChange: (owner) => queue.addOwner(owner, 'process'),
    intervalMs: options.changesIntervalMs,
  });
  const questionsFirst = createQuestionPriority();
  const insertions = createInsertions(store, questionsFirst);
  const upkeeps = createUpkeeps(options);
  const {
    close: closeTrash,
    noteReplaced,
    ...trash
  } = createTrash({
    store,
    queue,
    feed,
    log,
    forgetOwner: models.forgetOwner,
    idle: insertions.idle,
    days: trashDays,
    bound: options.trashBound,
    purgeIntervalMs: options.purgeIntervalMs,
  });
  const replaced = trashDays === 0 ? 'gone' : 'trash';
  const parts: RoomParts = { store, queue, feed, insertions, choice, questionsFirst, replaced, noteReplaced };
  const writes = createEntryWrites(parts);
  const reads = createEntryReads(parts);
  const { findEntryByKey } = reads;
  const { removeEntries } = trash;

  return {
    ...writes,
    insertText: (owner, entry, signal, saidAt) =>
      insertInParts({ findEntryByKey, removeEntries }, owner, entry, (part) =>
        writes.insertEntry(owner, part, signal, saidAt),
      ),
    mergeEntries: (...args) =>
      mergeEntries({ find: store.findEntry, update: writes.updateEntry, remove: removeEntries }, ...args),
    findDuplicates: (...args) => findDuplicates({ store, models }, ...args),
    async findRelated(owner, { collection, ...entry }, signal) {
      await questionsFirst.waitForOthers([owner], signal);
      return findRelated(store, owner, { ...entry, collection: normalizeCollection(collection) });
    },
    ...reads,
    ...createDocumentMethods(parts),
    ...trash,

    async findPassages(owner, text, ...rest) {
      if (await choice.noteQuestion(owner, text)) queue.addOwner(owner);
      return questionsFirst.ask(owner, () => queries.findPassages(owner, text, ...rest));
    },
    async findDocumentPassages(owner, name, pages, text, ...rest) {
      if (await choice.noteQuestion(owner, text)) queue.addOwner(owner);
      return questionsFirst.ask(owner, () => queries.findInFile(owner, name, pages, text, ...rest));
    },
    readLanguages: choice.readLanguages,
    onChange: feed.addListener,
    waitForVectors: queue.waitForVectors,
    shareEmbedding: queue.share,

    async close() {
      await insertions.idle();
      await Promise.all(upkeeps.map((one) => one.close()));
      await closeTrash();
      await feed.close();
      await queue.close();
      await models.close();
    },
  };
}

function createUpkeeps({ store, log, wordRenewalMs = WORD_RENEWAL_MS }: KnowledgeOptions) {
  const words = createUpkeep({
    async work(signal) {
      const passages = await store.renewWords(signal);
      return passages > 0 ? { passages } : undefined;
    },
    done: 'texts that an earlier version has indexed have their new words',
    failed: 'texts that an earlier version has indexed keep the words that they have',
    log,
    firstMs: wordRenewalMs,
  });
  const { tendGraphs } = store;
  if (!tendGraphs) return [words];
  const graphs = createUpkeep({
    async work(signal) {
      const done = await tendGraphs(signal);
      return done.built + done.dropped > 0 ? done : undefined;
    },
    done: 'indexes of vectors are up to date',
    failed: 'no index of vectors can be made: all vectors of a user are compared',
    log,
    firstMs: GRAPHS_MS,
  });
  return [words, graphs];
}

interface RoomParts {
  readonly store: EntryStore;
  readonly queue: EmbeddingQueue;
  readonly feed: EntryChangeFeed;
  readonly insertions: Batcher<EntryAddition, InsertResult>;
  readonly choice: ModelChoice;
  readonly questionsFirst: QuestionPriority;
  readonly replaced: ReplacedTextFate;
  readonly noteReplaced: (owner: string) => Promise<void>;
}

function indexesFor(embedder: Embedder, options: KnowledgeOptions): VectorIndexes {
  const { store, openIndex: open, log, indexFolder: folder, indexBytes: maxBytes } = options;
  if (store.findCandidates) return NO_INDEXES;
  return createVectorIndexes({ store, open, embedder, log, folder, maxBytes });
}

/** Combines concurrent inserts in one commit, because each commit waits for the disk. */
function createInsertions(
  store: EntryStore,
  questionsFirst: QuestionPriority,
): Batcher<EntryAddition, InsertResult> {
  return createBatcher({
    async handle(additions) {
      await questionsFirst.waitForOthers(additions.map(({ owner }) => owner));
      return store.insertEntries(additions);
    },
    maxItems: MAX_BATCH_ADDITIONS,
    maxSize: MAX_BATCH_CHARS,
    sizeOf: ({ entry }) => entry.passages.reduce((sum, { text }) => sum + text.length, 0),
    ...(store.findCandidates && { laneOf: ({ owner }) => owner }),
  });
}

function createEntryWrites(parts: RoomParts) {
  const { store, queue, feed, insertions, choice, questionsFirst, replaced, noteReplaced } = parts;
  const { window } = choice;

  async function insert(
    owner: string,
    checked: CheckedEntry,
    signal: AbortSignal,
    how: Pick<EntryAddition, 'times' | 'isSaidNow'>,
  ): Promise<InsertResult> {
    await questionsFirst.waitForOthers([owner], signal);
    const entry = await chunkEntry(checked, window);
    const inserted = await insertions.add({ owner, entry, replaced, ...how });
    if (!inserted.known || how.isSaidNow) queue.addOwner(owner);
    feed.notify(owner, [inserted.id]);
    if (inserted.replaced === 'trash') await noteReplaced(owner);
    return inserted;
  }

  return {
    async insertEntry(owner, entry, signal, saidAt = 'now') {
      const checked = normalizeEntry(entry);
      const { collection, key } = checked;
      const before = key === '' ? undefined : await store.findEntryByKey(owner, collection, key);
      // A new text of the key does not take over when the old one ends.
      const kept = before && { ...before, ...(before.text !== checked.text && { validUntil: 0 }) };
      const whole = kept ? normalizeEntry({ ...kept, ...omitUndefined(entry) }) : checked;
      if (typeof saidAt === 'string') return insert(owner, whole, signal, { isSaidNow: saidAt === 'now' });
      checkSaidAt(saidAt, before);
      return insert(owner, whole, signal, { times: { createdAt: saidAt, updatedAt: saidAt } });
    },

    restoreEntry: async (owner, entry, signal) =>
      insert(owner, normalizeEntry(entry), signal, { times: checkTimes(entry) }),

    async updateEntry(owner, id, change, signal, updatedAt) {
      await questionsFirst.waitForOthers([owner], signal);
      const known = await store.findEntry(owner, id);
      if (!known) throw notFoundError(`there is no entry ${JSON.stringify(id.slice(0, 200))}`);
      const changed = await chunkEntry(normalizeEntry({ ...known, ...omitUndefined(change) }), window);
      const entry = await store.updateEntry(owner, id, changed, replaced, updatedAt);
      queue.addOwner(owner);
      feed.notify(owner, [id]);
      if (entry.text === known.text) return entry;
      if (replaced === 'trash') await noteReplaced(owner);
      return { ...entry, replaced };
    },
  } satisfies Partial<Knowledge>;
}

function createEntryReads({ store, choice }: RoomParts) {
  const { names } = choice;
  return {
    findEntry: (owner, id) => store.findEntry(owner, id),
    findEntryByKey: async (owner, key, collection = DEFAULT_COLLECTION) =>
      store.findEntryByKey(owner, normalizeCollection(collection), normalizeEntryKey(key)),
    hasEntry: (owner, id) => store.hasEntry(owner, id),
    listCollections: (owner) => store.listCollections(owner),
    listTags: (owner, limit, after) => store.listTags(owner, limit, after),

    listEntries: (owner, limit, cursor, filter = {}) => listEntries(store, { owner, limit, cursor, filter }),

    async findNewestEntry(owner, collection) {
      const of = normalizeOptionalCollection(collection);
      return (await store.listEntries(owner, 1, 'newest', undefined, { collection: of })).entries[0];
    },

    async *exportEntries(owner, collection) {
      const of = normalizeOptionalCollection(collection);
      for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
        const page = await store.listEntries(owner, EXPORTED_AT_ONCE, 'oldest', cursor, { collection: of });
        yield* page.entries;
        cursor = page.next;
      }
    },

    async readStats(owner, collection) {
      const of = normalizeOptionalCollection(collection);
      const { model, advice } = await choice.readLanguages(owner);
      const [counts, pending, nonenglish] = await Promise.all([
        store.readCounts(owner, of),
        store.countPending(owner, model),
        of === undefined ? store.countNonEnglish(owner) : 0,
      ]);
      return {
        ...counts,
        model,
        pending,
        ...(nonenglish > 0 && { nonenglish }),
        ...(advice !== undefined && { advice }),
      };
    },

    countBytes: (owner) => store.countBytes(owner),

    async readEmbeddingProgress() {
      const { common: model, multilingual } = names;
      if (multilingual === undefined) return { model, ...(await store.readProgress(model)) };
      const [one, other] = [
        await store.readProgress(model, false),
        await store.readProgress(multilingual, true),
      ];
      return { model, multilingual, done: one.done + other.done, total: one.total + other.total };
    },
    countPending: async (owner, most) => store.countPending(owner, (await choice.modelOf(owner)).name, most),
  } satisfies Partial<Knowledge>;
}

function createDocumentMethods({ store, queue, feed, choice }: RoomParts) {
  return {
    async putDocument(owner, file, pages, signal) {
      const { name, title = name, collection } = file;
      const named = { name, title, collection: normalizeOptionalCollection(collection) };
      const passages = splitPagesIntoPassages(named, pages, choice.window, signal);
      const count = await store.putFile(owner, named, passages);
      queue.addOwner(owner);
      feed.notify(owner, [`doc://${file.name}`]);
      return count;
    },

    async removeDocument(owner, name) {
      const removed = await store.removeFile(owner, name);
      if (removed > 0) {
        queue.addOwner(owner);
        feed.notify(owner, [`doc://${name}`]);
      }
      return removed;
    },
  } satisfies Partial<Knowledge>;
}

function withDimensionCheck(
  embedder: Embedder,
  store: Pick<EntryStore, 'setAsideVectors'>,
  log: Pick<Logger, 'warn'>,
): Embedder {
  if (embedder.dimensions > 0) return embedder;
  let compared: Promise<void> | undefined;

  async function compare(dimensions: number): Promise<void> {
    if (await store.setAsideVectors(embedder.name, dimensions)) {
      const model = embedder.name;
      log.warn(
        { model, dimensions },
        'the embedding model gives vectors of another length: all passages get new ones',
      );
    }
  }

  return {
    name: embedder.name,
    maxTokens: embedder.maxTokens,
    get dimensions() {
      return embedder.dimensions;
    },
    countTokens: (text) => embedder.countTokens(text),
    async embed(texts, kind, signal) {
      const vectors = await embedder.embed(texts, kind, signal);
      const [first] = vectors;
      if (first) {
        compared ??= compare(first.length).catch((error: unknown) => {
          compared = undefined;
          throw error;
        });
        await compared;
      }
      return vectors;
    },
    close: () => embedder.close(),
  };
}

interface MergingParts {
  readonly find: (owner: string, id: string) => Promise<KnowledgeEntry | undefined>;
  readonly update: Knowledge['updateEntry'];
  readonly remove: (owner: string, ids: readonly string[]) => Promise<RemovalResult>;
}

async function mergeEntries(
  { find, update, remove }: MergingParts,
  owner: string,
  named: readonly string[],
  signal: AbortSignal,
): Promise<MergeResult> {
  const ids = [...new Set(named)];
  if (ids.length < 2) throw badRequestError('a merge takes the ids of two entries or more');
  const entries: KnowledgeEntry[] = [];
  for (const id of ids) {
    const entry = await find(owner, id);
    if (!entry) throw notFoundError(`there is no entry ${JSON.stringify(id.slice(0, 200))}`);
    entries.push(entry);
  }
  const [kept, ...others] = entries as [KnowledgeEntry, ...KnowledgeEntry[]];
  const title = entries.find((entry) => entry.title !== '')?.title ?? '';
  const [source = '', ...sources] = new Set(entries.map((entry) => entry.source).filter(Boolean));
  const fit = sources.filter((one) => one.length <= ENTRY_LIMITS.tag);
  const tags = [...new Set([...entries.flatMap((entry) => entry.tags), ...fit])].slice(0, ENTRY_LIMITS.tags);
  const entry = await update(owner, kept.id, { tags, title, source }, signal);
  const removed = await remove(
    owner,
    others.map(({ id }) => id),
  );
  return { entry, removed, left: sources.filter((one) => !tags.includes(one)) };
}
