import type { JobQueue } from '../lib/concurrency/job-queue.ts';

export interface NewEntry {
  readonly text: string;
  readonly title?: string;
  readonly source?: string;
  readonly tags?: readonly string[];
  readonly collection?: string;
  /** Unique in the collection, or '' for none. A new text with a known key replaces that entry's text. */
  readonly key?: string;
  /** When the text ceases to hold, in microseconds since 1970. 0 removes an end. */
  readonly validUntil?: number;
}

/** A checked entry, with all values but the end of its validity, which most texts do not have. */
export type CheckedEntry = Required<Omit<NewEntry, 'validUntil'>> & Pick<NewEntry, 'validUntil'>;

/** When a text was said: a time in microseconds since 1970, or `unknown` for texts of other programs. */
export type SaidAt = number | 'now' | 'unknown';

export interface KnowledgeEntry extends CheckedEntry {
  /** `<owner>-<microseconds since 1970>`. Newer entries of an owner have higher ids. */
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type BackedUpEntry = Omit<KnowledgeEntry, 'collection' | 'key'> & Pick<NewEntry, 'collection' | 'key'>;

export interface Passage {
  /** Id of the entry, or `doc://<file name>` for a passage of a file. */
  readonly of: string;
  readonly ordinal: number;
  readonly title: string;
  readonly text: string;
  readonly page?: number;
}

export interface PassageMatch {
  readonly passage: Passage;
  readonly source: string;
  readonly tags: readonly string[];
  readonly collection?: string;
  readonly key?: string;
  readonly createdAt: number;
  /** When the text ceases to hold, in microseconds since 1970. `ended` if that was before the asked time. */
  readonly validUntil?: number;
  readonly ended?: boolean;
  /** Where the passage begins in its entry or page, in Unicode code points from 0. */
  readonly start?: number;
  /** Similarity to the query, 0 to 1. */
  readonly score: number;
  readonly weak?: boolean;
  /** Words of the query that no searched text has, as the query writes them. Set if all matches are weak. */
  readonly missing?: readonly string[];
  /** Subject of which no text says them, although texts about others may. */
  readonly missingOf?: string;
  /** Ids of older entries that this entry contradicts, for example by another value, place or name. */
  readonly replaces?: readonly string[];
  /** Id of the newest entry that contradicts this entry. In the results, the newest entry comes first. */
  readonly supersededBy?: string;
  /** Vector of the passage, if requested. `sparseValues` has the weights of its words. */
  readonly values?: readonly number[];
  readonly sparseValues?: Readonly<Record<string, number>>;
  readonly neighbours?: readonly Passage[];
}

export interface EntryFilter {
  readonly tags?: readonly string[];
  /** An entry matches if it has one of the sources. `*` at the end of a source matches any characters. */
  readonly source?: string | readonly string[];
  /** Creation times in microseconds since 1970, from `since` (included) to `until` (excluded). */
  readonly since?: number;
  readonly until?: number;
  readonly collection?: string;
}

export interface ListFilter extends EntryFilter {
  readonly text?: string;
}

export interface CollectionSummary {
  readonly name: string;
  readonly records: number;
  readonly passages: number;
  readonly bytes: number;
  readonly oldest: number;
  readonly newest: number;
}

export interface TagCount {
  readonly name: string;
  readonly records: number;
}

export interface KnowledgeStats {
  readonly records: number;
  readonly passages: number;
  readonly bytes: number;
  /** Creation times of the oldest and newest entry, in microseconds since 1970. */
  readonly oldest?: number;
  readonly newest?: number;
  readonly model: string;
  /** Number of passages of non-English entries. It is missing if it is 0, or for a single collection. */
  readonly nonenglish?: number;
  readonly advice?: string;
  readonly pending: number;
}

export interface InsertResult {
  readonly id: string;
  /** True if an entry already had the text. It keeps its id and gets the new tags, source and title. */
  readonly known: boolean;
  readonly passages: number;
  readonly replaced?: ReplacedTextFate;
}

/** What happened to a replaced text: it is in the trash, or `gone` because it was removed permanently. */
export type ReplacedTextFate = 'trash' | 'gone';

export interface TrashBatch {
  /** Digits, unique for the owner. */
  readonly id: string;
  /** Microseconds since 1970. */
  readonly removedAt: number;
  readonly records: number;
  readonly bytes: number;
  readonly entry: string;
  readonly text: string;
  readonly versionOf?: string;
}

export interface RemovalResult {
  readonly records: number;
  /** Trash batch of the removed entries and its expiry. `trash` is undefined if none went to the trash. */
  readonly trash?: { readonly id: string; readonly until: number };
  readonly dropped: number;
}

export interface RemovalOptions {
  /** Also removes entries in the trash. */
  readonly permanent?: boolean;
  readonly collection?: string;
}

export interface TrashList {
  readonly batches: readonly (TrashBatch & { readonly until: number })[];
  readonly records: number;
  readonly bytes: number;
  readonly days: number;
}

/** `{ entry }` restores a removed entry by its id, or the replaced text of the entry that has the id. */
/** `unkeyed` of the `records` are back without their key, which another entry has. The text of `known` is kept already. */
export type RestoredEntries = Readonly<
  Record<'records' | 'known', number> & { unkeyed?: number | undefined }
>;

export type RestoreTarget = 'all' | 'latest' | { readonly batch: string } | { readonly entry: string };

export interface QueryOptions {
  readonly topK?: number;
  readonly filter?: EntryFilter;
  readonly includeValues?: boolean;
  /** Days after which a passage's score is halved. Default: never. */
  readonly recency?: number;
  readonly speaker?: string;
  /** Searches what was known at this time, in microseconds since 1970. Default: now. */
  readonly asOf?: number;
  /** Passages to return before and after each match, 0 to 10. Default: 0. */
  readonly neighbours?: number;
  /** Receives the reason if the search uses only words although vectors are stored. */
  readonly onWordsOnly?: (why: WordsOnlyReason) => void;
}

/** `opening`: the vector index is being loaded. `failed`: the embedder or the vectors cannot be used. */
export type WordsOnlyReason = 'opening' | 'failed';

/** A range of pages. Pages are counted from 1, and both ends belong to the range. */
export interface PageRange {
  readonly fromPage: number;
  readonly toPage: number;
}

export interface DuplicatesOptions {
  readonly collection?: string | undefined;
  readonly signal: AbortSignal;
  progress(message: string): void;
}

export interface DuplicateGroup {
  readonly score: number;
  /** Entries with keys come first, then the oldest. Each has the first 200 characters of its text. */
  readonly entries: readonly Omit<KnowledgeEntry, 'source' | 'tags' | 'updatedAt'>[];
}

export interface DuplicateEntries {
  readonly compared: number;
  readonly groups: readonly DuplicateGroup[];
}

export interface RelatedEntries {
  readonly similar: { readonly id: string; readonly score: number }[];
  readonly conflicts: { readonly id: string; readonly text: string; readonly differs: string }[];
}

export interface MergeResult {
  readonly entry: KnowledgeEntry;
  readonly removed: RemovalResult;
  readonly left: readonly string[];
}

export interface EntryPage {
  readonly entries: readonly KnowledgeEntry[];
  readonly next?: string;
}

export interface OwnerLanguages {
  readonly passages: number;
  readonly nonenglish: number;
  readonly suits: 'english' | 'multilingual';
  readonly model: string;
  readonly advice?: string;
}

export interface EmbeddingProgress {
  readonly model: string;
  readonly multilingual?: string;
  readonly done: number;
  readonly total: number;
}

export type ChangeListener = (owner: string, what: { readonly ids: readonly string[] }) => void;

/** The knowledge bases of all users. Throws AppError `bad_request`, `too_large` or `unavailable`. */
export interface Knowledge {
  /**
   * Stores an entry durably. With a known key, the entry's text is replaced. A known text is renewed if it is
   * said now (default). Throws AppError `bad_request` if the key's text is newer than `saidAt`.
   */
  insertEntry(owner: string, entry: NewEntry, signal: AbortSignal, saidAt?: SaidAt): Promise<InsertResult>;
  /** Stores a text of up to 64 MB. Over 1 MB, it becomes several entries with keys such as `<key>#part-2`. */
  insertText(
    owner: string,
    entry: NewEntry,
    signal: AbortSignal,
    saidAt?: SaidAt,
  ): Promise<InsertResult & { readonly parts: number }>;
  /** Restores an exported entry for this owner. A stored entry with the same key is kept if it is newer. */
  restoreEntry(owner: string, entry: BackedUpEntry, signal: AbortSignal): Promise<InsertResult>;
  /** Changes the given fields. An empty key removes the key. Throws AppError `not_found` or `bad_request`. */
  updateEntry(
    owner: string,
    id: string,
    change: Partial<NewEntry>,
    signal: AbortSignal,
    updatedAt?: number,
  ): Promise<KnowledgeEntry & { readonly replaced?: ReplacedTextFate }>;
  /** Merges entries into the first, which gets all tags. The others go to the trash. Throws AppError `not_found`. */
  mergeEntries(owner: string, ids: readonly string[], signal: AbortSignal): Promise<MergeResult>;
  /** Finds groups of nearly equal entries, until aborted. Throws AppError `too_large` for over 200,000 entries. */
  findDuplicates(owner: string, options: DuplicatesOptions): Promise<DuplicateEntries>;
  /** Finds up to three entries with nearly the same beginning, and up to three that the entry contradicts. */
  findRelated(
    owner: string,
    entry: Pick<KnowledgeEntry, 'id' | 'text' | 'collection'> & Pick<NewEntry, 'title'>,
    signal: AbortSignal,
  ): Promise<RelatedEntries>;
  removeEntry(owner: string, id: string, how?: RemovalOptions): Promise<RemovalResult>;
  /** Removes entries as one trash batch, or adds them to the batch `into`. Ignores ids that do not exist. */
  removeEntries(owner: string, ids: readonly string[], into?: string): Promise<RemovalResult>;
  findEntry(owner: string, id: string): Promise<KnowledgeEntry | undefined>;
  hasEntry(owner: string, id: string): Promise<boolean>;
  findEntryByKey(owner: string, key: string, collection?: string): Promise<KnowledgeEntry | undefined>;
  listCollections(owner: string): Promise<CollectionSummary[]>;
  listTags(owner: string, limit: number, after?: string): Promise<TagCount[]>;
  /** Finds passages, best first. A blank text returns the newest passages, with score 0. */
  findPassages(
    owner: string,
    text: string,
    options: QueryOptions,
    signal: AbortSignal,
  ): Promise<PassageMatch[]>;
  /** Lists entries, newest first. `limit` is 1 to 1,000. A page filtered by text may have fewer entries. */
  listEntries(owner: string, limit: number, cursor?: string, filter?: ListFilter): Promise<EntryPage>;
  findNewestEntry(owner: string, collection?: string): Promise<KnowledgeEntry | undefined>;
  readStats(owner: string, collection?: string): Promise<KnowledgeStats>;
  countBytes(owner: string): Promise<number>;
  /** Moves all entries (of a collection) to the trash, or removes them permanently. Uploaded files stay. */
  removeAllEntries(owner: string, how?: RemovalOptions): Promise<RemovalResult>;
  /** Restores entries with ids, times and vectors. */
  restoreEntries(owner: string, which: RestoreTarget, collection?: string): Promise<RestoredEntries>;
  listTrash(owner: string, limit: number, collection?: string, before?: string): Promise<TrashList>;
  emptyTrash(owner: string, signal: AbortSignal, collection?: string): Promise<number>;
  exportEntries(owner: string, collection?: string): AsyncIterable<KnowledgeEntry>;
  /** Stores a file and returns its number of passages. The complete file replaces one of the same name. */
  putDocument(
    owner: string,
    file: { readonly name: string; readonly title?: string; readonly collection?: string },
    pages: AsyncIterable<string> | Iterable<string>,
    signal: AbortSignal,
  ): Promise<number>;
  removeDocument(owner: string, name: string): Promise<number>;
  /** Finds passages on some pages of a file. A query without words finds the first passages there. */
  findDocumentPassages(
    owner: string,
    name: string,
    pages: PageRange,
    text: string,
    topK: number,
    signal: AbortSignal,
  ): Promise<PassageMatch[]>;
  /** Adds a listener and returns its removal function. Changes by other processes take about a second. */
  onChange(listener: ChangeListener): () => void;
  readEmbeddingProgress(): Promise<EmbeddingProgress>;
  /** Returns languages of an owner's texts, and `advice` if the model does not suit them or the question. */
  readLanguages(owner: string, question?: string): Promise<OwnerLanguages>;
  /** Counts passages outside the trash without a vector, up to `most`. Only a word search finds them. */
  countPending(owner: string, most: number): Promise<number>;
  /** Shares the embedding among all processes with this job queue. One process at a time embeds an owner's passages. */
  shareEmbedding(jobs: JobQueue): void;
  /** Resolves when `most` or all waiting passages have vectors, the signal aborts or the embedder fails. */
  waitForVectors(
    most: number,
    signal: AbortSignal,
    report?: (embedded: number) => void,
  ): Promise<Error | undefined>;
  close(): Promise<void>;
}

export interface FetchedModel {
  readonly id: string;
  readonly folder: string;
  readonly revision: string;
  readonly license?: string | undefined;
  readonly graph: string;
  readonly bytes: number;
  readonly pooling?: string;
  readonly prefixes?: Readonly<Record<'query' | 'passage', string>>;
  readonly maxTokens?: number;
  readonly problem?: string;
}

export interface ModelFetcher {
  /** Downloads a model or resumes a download. Skips an up-to-date model. Throws AppError `not_found`. */
  add(
    id: string,
    options: { readonly graph?: string; readonly revision?: string },
    watch: { readonly signal: AbortSignal; readonly progress: (message: string) => void },
  ): Promise<FetchedModel>;
  /** Lists the models and what is wrong with each: compares all files with the download's checksums. */
  list(): Promise<FetchedModel[]>;
  remove(id: string): Promise<boolean>;
}

export interface PageText {
  readonly title: string;
  readonly markdown: string;
  readonly reduced?: string | undefined;
  /** Date in ISO 8601. */
  readonly published?: string | undefined;
  readonly updated?: string | undefined;
  readonly leftOut?: Readonly<Record<string, number>> | undefined;
}

/** Reads a file other than plain text, such as HTML or PDF. Throws AppError `unsupported` with the reason. */
export type PageReader = (
  raw: {
    readonly url: string;
    readonly contentType: string;
    readonly body: Uint8Array;
    readonly password?: string | undefined;
  },
  signal: AbortSignal,
) => Promise<PageText>;

export type ImportSource = { readonly path: string } | { readonly stream: AsyncIterable<unknown> };

export interface ImportOptions {
  readonly from?: string;
  /** Collection for all entries. Default: the collection that a backup names, else the default collection. */
  readonly collection?: string;
  readonly read: PageReader;
  readonly signal: AbortSignal;
  progress(message: string): void;
}

export interface IntakeProblems {
  readonly failed: number;
  readonly failures: readonly { readonly at: string; readonly why: string }[];
  readonly warned: number;
  readonly warnings: readonly { readonly at: string; readonly why: string }[];
  readonly skipped: Readonly<Record<string, number>>;
  /** Names of the first files or records left out, by reason. Parts of records are counted but not named. */
  readonly skippedAt: Readonly<Record<string, readonly string[]>>;
}

export interface ImportSummary extends IntakeProblems {
  readonly kind: string;
  readonly imported: number;
  readonly known: number;
}

export interface SyncOptions {
  readonly collection?: string;
  readonly exclude?: readonly string[];
  readonly dryRun?: boolean;
  /** True to remove entries even if so many files are gone that the sync would otherwise fail. */
  readonly removeMany?: boolean;
  /** Syncs only a folder that was synced before. For another folder, throws AppError `not_found`. */
  readonly known?: boolean;
  readonly read: PageReader;
  /** After an abort, work in progress is completed. The next run does the rest. */
  readonly signal: AbortSignal;
  progress(message: string): void;
}

export interface SyncSummary extends IntakeProblems {
  readonly folder: string;
  readonly added: number;
  readonly changed: number;
  readonly moved: number;
  readonly removed: number;
  /** Trash batch with the entries that this run removed, including surplus entries of shortened files. */
  readonly trash?: string;
  readonly unchanged: number;
}

export interface FolderWatch {
  /** Resolves when the folder has changed since the last call, or when aborted. */
  changed(signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface SyncedFolder {
  readonly path: string;
  readonly collection: string;
  readonly syncedAt?: number;
  readonly files: number;
}

export interface LocalFile {
  readonly path: string;
  readonly text: string;
  readonly title: string;
  readonly source: string;
  readonly tags: readonly string[];
  readonly key: string;
  readonly warning?: string;
}

export interface LocalFileOptions {
  /** Folder that must contain the file. Files in its hidden folders are rejected. */
  readonly within?: string | undefined;
  readonly password?: string | undefined;
  readonly read: PageReader;
  readonly signal: AbortSignal;
}

export interface FolderExportOptions {
  readonly collection?: string;
  readonly overwrite?: boolean;
  readonly signal: AbortSignal;
  progress(message: string): void;
}

export interface FolderExport {
  readonly folder: string;
  readonly exported: number;
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Number of files that were not overwritten, because a user changed them. `keptFiles` names the first. */
  readonly kept: number;
  readonly keptFiles: readonly string[];
}

export interface FileExchange {
  /** Throws AppError `bad_request`, `unsupported`, or `forbidden` for a file outside `within`. */
  readFile(path: string, options: LocalFileOptions): Promise<LocalFile>;
  /** Makes a folder's entries match its files. Throws `bad_request` if the folder or all its files are gone. */
  syncFolder(owner: string, folder: string, options: SyncOptions): Promise<SyncSummary>;
  /** Watches a folder. Throws AppError `bad_request` if the folder does not exist. */
  watchFolder(folder: string): Promise<FolderWatch>;
  listFolders(owner: string): Promise<SyncedFolder[]>;
  /** Stops syncing a folder, even a deleted one. Its entries stay. Returns false if it was not synced. */
  forgetFolder(owner: string, folder: string): Promise<boolean>;
  /** Throws AppError `bad_request` for an unknown format, and `too_large` above a limit. */
  importSource(owner: string, source: ImportSource, options: ImportOptions): Promise<ImportSummary>;
  /** Exports each entry to one Markdown file. Throws AppError `bad_request` for another user's export. */
  exportFolder(owner: string, folder: string, options: FolderExportOptions): Promise<FolderExport>;
}
