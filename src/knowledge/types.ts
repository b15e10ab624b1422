import type { JobQueue } from '../lib/concurrency/job-queue.ts';

export interface NewEntry {
  readonly text: string;
  readonly title?: string;
  readonly source?: string;
  readonly tags?: readonly string[];
  /** Name of a collection, such as the name of a project, ignoring case. Default: `default`. */
  readonly collection?: string;
  /** Unique name within the collection, or '' for none. If an entry already has this key, its text is replaced. */
  readonly key?: string;
}

export interface Entry extends Required<NewEntry> {
  /** Id `<owner>-<microseconds since 1970>`. Ids are unique and increase with each inserted entry. */
  readonly id: string;
  /** Time at which the entry was created, in microseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An entry of a backup. In old backups, entries have neither collection nor key. */
export type BackedUpEntry = Omit<Entry, 'collection' | 'key'> & Pick<NewEntry, 'collection' | 'key'>;

export interface Passage {
  /** Id of the passage's entry, or `doc://<file name>`. */
  readonly of: string;
  /** Position among the passages of the same text, from 0. */
  readonly ordinal: number;
  /** Headings above the passage, or the first line of the text. */
  readonly title: string;
  readonly text: string;
  /** Page of an uploaded file, from 1. */
  readonly page?: number;
}

export interface Match {
  readonly passage: Passage;
  readonly source: string;
  readonly tags: readonly string[];
  readonly collection?: string;
  readonly key?: string;
  readonly createdAt: number;
  /** Position of the passage in its entry or page, in Unicode code points from 0. */
  readonly start?: number;
  /** Similarity to the query, 0 to 1. */
  readonly score: number;
  /** True if neither the words nor the meaning of the passage have much to do with the query. */
  readonly weak?: boolean;
  /** Ids of older entries of which this one says something else: another value, place, name or the opposite. */
  readonly replaces?: readonly string[];
  /** Id of the newest entry that says something else of the same subject. It comes before this match. */
  readonly supersededBy?: string;
  /** Vector of the passage, if requested. `sparseValues` has the weights of its words. */
  readonly values?: readonly number[];
  readonly sparseValues?: Readonly<Record<string, number>>;
  readonly neighbours?: readonly Passage[];
}

export interface EntryFilter {
  /** Tags. An entry must have all of them. */
  readonly tags?: readonly string[];
  /** Source, or several sources of which one must match. `*` at the end of a source matches any further characters. */
  readonly source?: string | readonly string[];
  /** Earliest creation time in microseconds since 1970. `until` is the first time after the range. */
  readonly since?: number;
  readonly until?: number;
  readonly collection?: string;
}

export interface ListFilter extends EntryFilter {
  /** Text that the entry's text or title must contain. Case, accents and white space are ignored. */
  readonly text?: string;
}

export interface Collection {
  readonly name: string;
  readonly records: number;
  readonly passages: number;
  readonly bytes: number;
  /** Creation times of the oldest and newest entry, in microseconds since 1970. */
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
  /** Number of passages of entries that are not in English. Undefined for a single collection, or if the number is 0. */
  readonly nonenglish?: number;
  readonly advice?: string;
  /** Number of passages, in all collections and files, that have no vector yet. */
  readonly pending: number;
}

export interface InsertResult {
  readonly id: string;
  /** True if the same text was already stored. Its entry keeps the id and gets the new tags, source and title. */
  readonly known: boolean;
  readonly passages: number;
  readonly replaced?: ReplacedTextFate;
}

/** What happens to a replaced text. `gone` removes it permanently. In the trash, `{ entry: id }` restores it. */
export type ReplacedTextFate = 'trash' | 'gone';

export interface ChangedEntry extends Entry {
  readonly replaced?: ReplacedTextFate;
}

export interface TrashBatch {
  /** Id of the trash batch: digits, unique for the owner. */
  readonly id: string;
  /** Time of the removal in microseconds since 1970. */
  readonly removedAt: number;
  readonly records: number;
  readonly bytes: number;
  readonly entry: string;
  /** Beginning of the first entry's text, at most 100 characters. */
  readonly text: string;
  /** Id of the entry that had this text, if another text has replaced it. */
  readonly versionOf?: string;
}

export interface RemovalResult {
  readonly records: number;
  /** Trash batch that is kept until `until` (microseconds since 1970). Undefined if nothing was removed, or only permanently. */
  readonly trash?: { readonly id: string; readonly until: number };
  /** Number of older entries in the trash that were permanently removed, because the trash was full. */
  readonly dropped: number;
}

export interface RemovalOptions {
  /** True to remove entries permanently, including entries in the trash. */
  readonly permanent?: boolean;
  readonly collection?: string;
}

export interface TrashList {
  readonly batches: readonly (TrashBatch & { readonly until: number })[];
  readonly records: number;
  readonly bytes: number;
  readonly days: number;
}

/** What to restore. A replaced text is restored by its batch, its id or its entry's id. */
export type RestoreTarget = 'all' | 'latest' | { readonly batch: string } | { readonly entry: string };

export interface QueryOptions {
  /** Number of matches, 1 to 100. Default: 10. */
  readonly topK?: number;
  readonly filter?: EntryFilter;
  readonly includeValues?: boolean;
  /** Days after which a passage's score is halved. Default: never. */
  readonly recency?: number;
  readonly speaker?: string;
  /** Number of passages to return before and after each match, 0 to 10. Default: 0. */
  readonly neighbours?: number;
  /** Called with the reason if only words are searched although there are vectors. */
  readonly onWordsOnly?: (why: WordsOnlyReason) => void;
}

/** `opening`: the vector index is being loaded. `failed`: the embedder or the vectors cannot be used now. */
export type WordsOnlyReason = 'opening' | 'failed';

/** Range of pages. Both page numbers count from 1 and are included. */
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
  /** Lowest similarity of words, 0 to 1, between two entries that were grouped. */
  readonly score: number;
  /** Entries with keys come first, then the oldest. Each entry has the first 200 characters of its text. */
  readonly entries: readonly Omit<Entry, 'source' | 'tags' | 'updatedAt'>[];
}

export interface Duplicates {
  readonly compared: number;
  readonly groups: readonly DuplicateGroup[];
}

export interface SimilarEntry {
  readonly id: string;
  readonly score: number;
}

/** An older entry that says something else of the same subject. */
export interface ConflictingEntry {
  readonly id: string;
  /** The older entry's sentence. */
  readonly text: string;
  /** What differs, such as `820 → 865`, or `the opposite`. */
  readonly differs: string;
}

export interface RelatedEntries {
  /** Entries whose beginnings are nearly equal, the most similar first. */
  readonly similar: SimilarEntry[];
  /** Entries of which the text says something else, the newest first. */
  readonly conflicts: ConflictingEntry[];
}

export interface MergeResult {
  readonly entry: Entry;
  readonly removed: RemovalResult;
  /** Sources of the merged entries that could not be stored as tags. */
  readonly left: readonly string[];
}

export interface EntryPage {
  readonly entries: readonly Entry[];
  readonly next?: string;
}

export interface OwnerLanguages {
  readonly passages: number;
  /** Number of passages that are not in English. Passages of code, numbers and names count as English. */
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
  /** Stores an entry durably. Searches find its words at once. A known key's entry gets the text and keeps its id. */
  insertEntry(owner: string, entry: NewEntry, signal: AbortSignal): Promise<InsertResult>;
  /** Stores a text of up to 64 MB. Over 1 MB it is split at headings into entries with keys such as `<key>#part-2`. */
  insertText(
    owner: string,
    entry: NewEntry,
    signal: AbortSignal,
  ): Promise<InsertResult & { readonly parts: number }>;
  /** Restores an exported entry as an entry of this owner. A text with its key is replaced only if the text is older. */
  restoreEntry(owner: string, entry: BackedUpEntry, signal: AbortSignal): Promise<InsertResult>;
  /** Changes the given fields. An empty key removes the key. Throws AppError `not_found` or `bad_request`. */
  updateEntry(
    owner: string,
    id: string,
    change: Partial<NewEntry>,
    signal: AbortSignal,
  ): Promise<ChangedEntry>;
  /** Merges entries into the first, which gets all tags. The others go to the trash. Throws AppError `not_found`. */
  mergeEntries(owner: string, ids: readonly string[], signal: AbortSignal): Promise<MergeResult>;
  /** Finds groups of nearly equal entries. Works in steps until aborted. Throws AppError `too_large` for over 200,000 entries. */
  findDuplicates(owner: string, options: DuplicatesOptions): Promise<Duplicates>;
  /**
   * Finds up to three entries of the collection whose beginnings are nearly equal to this entry's, and up to three that
   * it contradicts. Takes 2 to 3 ms.
   */
  findRelated(
    owner: string,
    entry: Pick<Entry, 'id' | 'text' | 'collection'> & Pick<NewEntry, 'title'>,
    signal: AbortSignal,
  ): Promise<RelatedEntries>;
  removeEntry(owner: string, id: string, how?: RemovalOptions): Promise<RemovalResult>;
  /** Removes entries as one trash batch, or adds them to the batch `into`. Entries that do not exist are not counted. */
  removeEntries(owner: string, ids: readonly string[], into?: string): Promise<RemovalResult>;
  findEntry(owner: string, id: string): Promise<Entry | undefined>;
  hasEntry(owner: string, id: string): Promise<boolean>;
  findEntryByKey(owner: string, key: string, collection?: string): Promise<Entry | undefined>;
  listCollections(owner: string): Promise<Collection[]>;
  listTags(owner: string, limit: number, after?: string): Promise<TagCount[]>;
  /** Finds passages, the best first. A blank text returns the newest, with score 0. */
  findPassages(owner: string, text: string, options: QueryOptions, signal: AbortSignal): Promise<Match[]>;
  /** Lists entries, newest first. `limit` is 1 to 1,000. With a text filter, a page may have fewer entries than `limit`. */
  listEntries(owner: string, limit: number, cursor?: string, filter?: ListFilter): Promise<EntryPage>;
  findNewestEntry(owner: string, collection?: string): Promise<Entry | undefined>;
  readStats(owner: string, collection?: string): Promise<KnowledgeStats>;
  /** Returns the size of all texts in bytes. Reads a single counter, so it is cheap. */
  countBytes(owner: string): Promise<number>;
  /** Moves all entries, or all entries of a collection, to the trash, or removes them permanently. Uploaded files stay. */
  removeAllEntries(owner: string, how?: RemovalOptions): Promise<RemovalResult>;
  /** Restores entries with ids, times and vectors. `known` counts entries whose text or key another entry has now. */
  restoreEntries(
    owner: string,
    which: RestoreTarget,
    collection?: string,
  ): Promise<{ readonly records: number; readonly known: number }>;
  listTrash(owner: string, limit: number, collection?: string, before?: string): Promise<TrashList>;
  emptyTrash(owner: string, signal: AbortSignal, collection?: string): Promise<number>;
  exportEntries(owner: string, collection?: string): AsyncIterable<Entry>;
  /** Stores an uploaded file and returns the number of its passages. The complete file replaces a file of the same name. */
  putDocument(
    owner: string,
    file: { readonly name: string; readonly title?: string; readonly collection?: string },
    pages: AsyncIterable<string> | Iterable<string>,
    signal: AbortSignal,
  ): Promise<number>;
  removeDocument(owner: string, name: string): Promise<number>;
  /** Finds passages on some pages of a file. A query without words returns the first passages. Throws AppError `not_found`. */
  findDocumentPassages(
    owner: string,
    name: string,
    pages: PageRange,
    text: string,
    topK: number,
    signal: AbortSignal,
  ): Promise<Match[]>;
  /** Returns a function that removes the listener. Changes by other processes arrive after about a second. */
  onChange(listener: ChangeListener): () => void;
  readEmbeddingProgress(): Promise<EmbeddingProgress>;
  /** Describes the languages of an owner's texts and recent questions. With `question`, advises only on this question. */
  readLanguages(owner: string, question?: string): Promise<OwnerLanguages>;
  /** Counts passages without a vector outside the trash, up to `most`. Searches find such passages only by their words. */
  countPending(owner: string, most: number): Promise<number>;
  /** Shares the embedding with all processes that use this job queue. Only one process at a time embeds an owner's passages. */
  shareEmbedding(jobs: JobQueue): void;
  /** Resolves when no passage waits, `most` have vectors, the signal aborts or the embedder fails. */
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
  /** Hash of the model's git commit on the hub. */
  readonly revision: string;
  readonly license?: string | undefined;
  readonly graph: string;
  readonly bytes: number;
  readonly pooling?: string;
  readonly prefixes?: Readonly<Record<'query' | 'passage', string>>;
  readonly maxTokens?: number;
  readonly problem?: string;
}

export interface FetchedModels {
  /** Downloads a model, or resumes a download. Keeps an up-to-date model. Verifies checksums. Throws AppError `not_found`. */
  add(
    id: string,
    options: { readonly graph?: string; readonly revision?: string },
    watch: { readonly signal: AbortSignal; readonly progress: (message: string) => void },
  ): Promise<FetchedModel>;
  /** Lists the downloaded models, and what is wrong with each. Compares all files with the checksums of the download. */
  list(): Promise<FetchedModel[]>;
  remove(id: string): Promise<boolean>;
}

export interface PageText {
  readonly title: string;
  readonly markdown: string;
  /** What was not read as it should be, such as that the encoding was guessed. */
  readonly reduced?: string | undefined;
}

/** Reads a file that is not plain text, such as HTML, PDF or Office. Throws AppError `unsupported`, which says why. */
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
  /** Collection for all entries. Default: each backup entry's own collection, and the default collection for all others. */
  readonly collection?: string;
  /** Stops the import when aborted. Entries that are already imported stay. */
  readonly signal: AbortSignal;
  progress(message: string): void;
}

/** Problems of an import or a sync. */
export interface IntakeProblems {
  readonly failed: number;
  readonly failures: readonly { readonly at: string; readonly why: string }[];
  readonly warned: number;
  readonly warnings: readonly { readonly at: string; readonly why: string }[];
  /** What was skipped on purpose: the number of items by their description. */
  readonly skipped: Readonly<Record<string, number>>;
}

export interface ImportSummary extends IntakeProblems {
  readonly kind: string;
  readonly imported: number;
  readonly known: number;
}

export interface SyncOptions {
  /** Collection of the folder's entries. In the first run, it defaults to `default`. */
  readonly collection?: string;
  /** Patterns of files to leave out, in the syntax of .gitignore. */
  readonly exclude?: readonly string[];
  readonly dryRun?: boolean;
  /** True to let a run remove many files: over 20 and over half of all, or all of 10 or more. */
  readonly removeMany?: boolean;
  /** True to sync only a folder that was synced before. For other folders, throws AppError `not_found`. */
  readonly known?: boolean;
  readonly read: PageReader;
  /** Stops the run when aborted. Work in progress is completed, and the next run does the rest. */
  readonly signal: AbortSignal;
  progress(message: string): void;
}

export interface SyncSummary extends IntakeProblems {
  readonly folder: string;
  readonly added: number;
  readonly changed: number;
  readonly moved: number;
  readonly removed: number;
  /** Trash batch with all entries that this run removed. It includes the last parts of texts that became shorter. */
  readonly trash?: string;
  readonly unchanged: number;
}

export interface FolderWatch {
  /** Resolves when the folder should be read again because it changed after the last call. Also resolves when aborted. */
  changed(signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface SyncedFolder {
  readonly path: string;
  readonly collection: string;
  /** Milliseconds since 1970. Undefined before the first run. */
  readonly syncedAt?: number;
  readonly files: number;
}

export interface LocalFile {
  /** Path without symbolic links. */
  readonly path: string;
  readonly text: string;
  readonly title: string;
  readonly source: string;
  readonly tags: readonly string[];
  /** Key of the entry. A sync of the file's folder would give the entry the same key. */
  readonly key: string;
  /** Sentences that say what is wrong with the file, such as with its front matter. */
  readonly warning?: string;
}

export interface LocalFileOptions {
  /** Folder that must contain the file. Files in its hidden folders are rejected too. */
  readonly within?: string | undefined;
  /** Password of an encrypted PDF. Default: the password in the settings. */
  readonly password?: string | undefined;
  readonly read: PageReader;
  readonly signal: AbortSignal;
}

export interface FolderExportOptions {
  readonly collection?: string;
  readonly overwrite?: boolean;
  /** Stops the export when aborted. Written files stay. No files are removed. */
  readonly signal: AbortSignal;
  progress(message: string): void;
}

export interface FolderExport {
  /** Path without symbolic links. */
  readonly folder: string;
  readonly exported: number;
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Number of files that a user changed and that were not overwritten. `keptFiles` names the first of them. */
  readonly kept: number;
  readonly keptFiles: readonly string[];
}

export interface FileExchange {
  /** Reads a file as an entry. Throws AppError `bad_request`, `forbidden` for a folder outside `within`, or `unsupported`. */
  readFile(path: string, options: LocalFileOptions): Promise<LocalFile>;
  /** Makes a folder's entries match its files. Throws `bad_request` if the folder or all its files are gone. */
  syncFolder(owner: string, folder: string, options: SyncOptions): Promise<SyncSummary>;
  /** Watches a folder for changes, so that the caller can sync it. Throws AppError `bad_request` if the folder does not exist. */
  watchFolder(folder: string): Promise<FolderWatch>;
  listFolders(owner: string): Promise<SyncedFolder[]>;
  /** Stops syncing a folder, even if it no longer exists. Its entries stay. Returns false if the folder was not synced. */
  forgetFolder(owner: string, folder: string): Promise<boolean>;
  /** Imports a file, archive or folder. Throws AppError `bad_request` for an unknown format, and `too_large` above a limit. */
  importSource(owner: string, source: ImportSource, options: ImportOptions): Promise<ImportSummary>;
  /** Exports each entry to one Markdown file. Throws AppError `bad_request` for another user's export. */
  exportFolder(owner: string, folder: string, options: FolderExportOptions): Promise<FolderExport>;
}
