import type { JobQueue } from '../lib/concurrency/job-queue.ts';

export interface NewEntry {
  readonly text: string;
  readonly title?: string;
  readonly source?: string;
  readonly tags?: readonly string[];
  /** Name of a collection, such as the name of a project. Default: `default`. Case is ignored. */
  readonly collection?: string;
  /** Unique name within the collection. An empty key means none. The entry replaces the text that had this key. */
  readonly key?: string;
}

export interface Entry extends Required<NewEntry> {
  /** Id of the form `<owner>-<microseconds since 1970>`: unique, and rising in the order of insertion. */
  readonly id: string;
  /** Time at which the entry was created, in microseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An entry of a backup. Entries of old backups have neither collection nor key. */
export type BackedUpEntry = Omit<Entry, 'collection' | 'key'> & Pick<NewEntry, 'collection' | 'key'>;

export interface Passage {
  /** Id of the entry that the passage belongs to. For an uploaded file it is `doc://<file name>`. */
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
  /** Collection of the entry. Left out for the default collection. */
  readonly collection?: string;
  readonly key?: string;
  readonly createdAt: number;
  /** Position where the passage begins in the text of its entry or page, in characters (Unicode code points) from 0. */
  readonly start?: number;
  /** Closeness to the query, 0 to 1. Matches are sorted by closeness. */
  readonly score: number;
  /** True if neither the words nor the meaning of the passage have much to do with the query. */
  readonly weak?: boolean;
  /** Vector of the passage and weights of its terms, if requested. */
  readonly values?: readonly number[];
  readonly sparseValues?: Readonly<Record<string, number>>;
  readonly neighbours?: readonly Passage[];
}

export interface EntryFilter {
  /** Tags of which an entry must have every one. */
  readonly tags?: readonly string[];
  /** Exact source, or several of which one must match. A source that ends with `*` matches all that begin like it. */
  readonly source?: string | readonly string[];
  /** Start of the range of creation times in microseconds since 1970, included. `until` is its end, excluded. */
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
  /** Number of entries' passages that are not in English. Left out if the number is 0, and for a single collection. */
  readonly nonenglish?: number;
  readonly advice?: string;
  /** Number of passages, in all collections and files, that have no vector yet. */
  readonly pending: number;
}

export interface InsertResult {
  readonly id: string;
  /** True if the same text was already stored. The stored entry keeps its id and gets the new tags, source and title. */
  readonly known: boolean;
  readonly passages: number;
  readonly replaced?: ReplacedTextFate;
}

/** What happens to a replaced text. It is permanently removed, or goes to the trash, from which `{ entry: id }` restores it. */
export type ReplacedTextFate = 'trash' | 'gone';

export interface ChangedEntry extends Entry {
  readonly replaced?: ReplacedTextFate;
}

export interface TrashBatch {
  /** Id of the batch of removed entries, unique among its owner's batches. It consists of digits. */
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
  /** Trash batch, kept until `until` (microseconds since 1970). Undefined if nothing was removed or the removal was permanent. */
  readonly trash?: { readonly id: string; readonly until: number };
  /** Number of older entries that were permanently removed because the trash was full. */
  readonly dropped: number;
}

export interface RemovalOptions {
  /** True to remove entries at once from the disk, and from the trash as well. */
  readonly permanent?: boolean;
  readonly collection?: string;
}

export interface TrashList {
  readonly batches: readonly (TrashBatch & { readonly until: number })[];
  readonly records: number;
  readonly bytes: number;
  /** Days that entries stay in the trash; 0 if the trash is not used. */
  readonly days: number;
}

/**
 * What to restore: everything, the last removal, a batch, or an entry. A replaced text is restored by its batch, its id, or its
 * entry's id. The entry's current text then takes the place of the replaced text in the trash.
 */
export type RestoreTarget = 'all' | 'latest' | { readonly batch: string } | { readonly entry: string };

export interface QueryOptions {
  /** Number of matches, 1 to 100. Default: 10. */
  readonly topK?: number;
  readonly filter?: EntryFilter;
  readonly includeValues?: boolean;
  /** Days after which a passage's score is halved. If left out, age does not count. */
  readonly recency?: number;
  /** Limits matches to turns of conversations by this speaker. The speaker's name must contain all of these words. */
  readonly speaker?: string;
  /** Number of passages to return before and after each match, 0 to 10. Default: 0. */
  readonly neighbours?: number;
  /** Called with the reason if the query is answered by words alone although there are vectors. */
  readonly onWordsOnly?: (why: WordsOnlyReason) => void;
}

/** `opening`: the vector index is being loaded. `failed`: the embedder or the vectors cannot be used now. */
export type WordsOnlyReason = 'opening' | 'failed';

export interface DocumentFile {
  readonly name: string;
  readonly title?: string;
  readonly collection?: string;
}

/** Range of pages, counted from 1, both included. */
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
  /** Lowest similarity of words, 0 to 1, that joined two entries of the group. */
  readonly score: number;
  /** Entries of the group. Entries with keys come first, then the oldest. Each has the first 200 characters of its text. */
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

export interface MergeResult {
  readonly entry: Entry;
  readonly removed: RemovalResult;
  /** Sources of merged entries that could not be kept as tags. */
  readonly left: readonly string[];
}

export interface EntryPage {
  readonly entries: readonly Entry[];
  readonly next?: string;
}

export interface OwnerLanguages {
  readonly passages: number;
  /** Number of passages that are not in English. Code, numbers and names do not count. */
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

/**
 * The knowledge bases of all users. Throws AppError `bad_request` or `too_large` for values that cannot be stored, and
 * `unavailable` if the database fails. If the embedder fails, a query is answered by words alone.
 */
export interface Knowledge {
  /**
   * Stores an entry durably. Searches find its words at once, and its vectors later. If an entry has the key, it gets the new
   * text under its id, and the old text goes to the trash; title, source and tags that are not given stay.
   */
  insertEntry(owner: string, entry: NewEntry, signal: AbortSignal): Promise<InsertResult>;
  /**
   * Stores a text of up to 64 MB. A text over 1 MB becomes several entries, split at headings and paragraphs. The keys of later
   * parts are `<key>#part-2` and so on. Surplus parts of a longer earlier text go to the trash.
   */
  insertText(
    owner: string,
    entry: NewEntry,
    signal: AbortSignal,
  ): Promise<InsertResult & { readonly parts: number }>;
  /** Restores an exported entry under this owner's name, unless the text with its key is as new or newer. */
  restoreEntry(owner: string, entry: BackedUpEntry, signal: AbortSignal): Promise<InsertResult>;
  /**
   * Changes an entry; the old text goes to the trash. Fields that are not given stay; an empty key removes the key. Throws
   * AppError `not_found`, or `bad_request` if another entry has the text or key.
   */
  updateEntry(
    owner: string,
    id: string,
    change: Partial<NewEntry>,
    signal: AbortSignal,
  ): Promise<ChangedEntry>;
  /**
   * Merges entries into the first, which keeps its id, text, key and time and gets all tags; further sources become tags. The
   * other entries go to the trash in one batch. Throws AppError `not_found`, or `bad_request` for fewer than two.
   */
  mergeEntries(owner: string, ids: readonly string[], signal: AbortSignal): Promise<MergeResult>;
  /** Finds groups of nearly equal entries, in steps until aborted. Throws AppError `too_large` for over 200,000 entries. */
  findDuplicates(owner: string, options: DuplicatesOptions): Promise<Duplicates>;
  /** Finds up to three entries of the collection whose beginnings are nearly the same, in two or three milliseconds. */
  findSimilar(owner: string, entry: Pick<Entry, 'id' | 'text' | 'collection'>): Promise<SimilarEntry[]>;
  removeEntry(owner: string, id: string, how?: RemovalOptions): Promise<RemovalResult>;
  /** Removes entries as one trash batch, or adds them to the existing batch `into`. Entries already removed do not count. */
  removeEntries(owner: string, ids: readonly string[], into?: string): Promise<RemovalResult>;
  findEntry(owner: string, id: string): Promise<Entry | undefined>;
  hasEntry(owner: string, id: string): Promise<boolean>;
  /** Finds an entry by its key. Searches the default collection if no collection is named. */
  findEntryByKey(owner: string, key: string, collection?: string): Promise<Entry | undefined>;
  listCollections(owner: string): Promise<Collection[]>;
  listTags(owner: string, limit: number, after?: string): Promise<TagCount[]>;
  /** Finds passages, the best first. A blank text returns the newest passages with score 0. Embeds a few new passages first. */
  findPassages(owner: string, text: string, options: QueryOptions, signal: AbortSignal): Promise<Match[]>;
  /** Lists entries, newest first. `limit` is 1 to 1,000. With a text filter, a page may have fewer entries than `limit`. */
  listEntries(owner: string, limit: number, cursor?: string, filter?: ListFilter): Promise<EntryPage>;
  findNewestEntry(owner: string, collection?: string): Promise<Entry | undefined>;
  readStats(owner: string, collection?: string): Promise<KnowledgeStats>;
  /** Returns the size of all texts in bytes. It reads a single counter, because it is called before each write. */
  countBytes(owner: string): Promise<number>;
  /** Moves all entries, or all entries of a collection, to the trash, or removes them permanently. Uploaded files stay. */
  removeAllEntries(owner: string, how?: RemovalOptions): Promise<RemovalResult>;
  /**
   * Restores entries with ids, times and vectors. `known` counts the entries whose text or key another entry has now. If the key
   * is taken, they stay in the trash and can be restored one by one.
   */
  restoreEntries(
    owner: string,
    which: RestoreTarget,
    collection?: string,
  ): Promise<{ readonly records: number; readonly known: number }>;
  listTrash(owner: string, limit: number, collection?: string, before?: string): Promise<TrashList>;
  emptyTrash(owner: string, signal: AbortSignal, collection?: string): Promise<number>;
  exportEntries(owner: string, collection?: string): AsyncIterable<Entry>;
  /** Stores an uploaded file. It replaces a file of the same name when it is complete. Returns the number of passages. */
  putDocument(
    owner: string,
    file: DocumentFile,
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
  /** Adds a listener and returns a function that removes it. Changes by other processes arrive after about a second. */
  onChange(listener: ChangeListener): () => void;
  readEmbeddingProgress(): Promise<EmbeddingProgress>;
  /** Describes the languages of an owner's texts and recent questions. If a question is given, the advice concerns its answer. */
  readLanguages(owner: string, question?: string): Promise<OwnerLanguages>;
  /** Counts passages without a vector outside the trash, up to `most`. Searches find these passages only by their words. */
  countPending(owner: string, most: number): Promise<number>;
  /** Shares the embedding with all processes that use this job queue. One process at a time embeds an owner's passages. */
  shareEmbedding(jobs: JobQueue): void;
  /**
   * Resolves when no passage waits, `most` have vectors, the embedder fails (returns its error), or the signal aborts. Used by a
   * process that ends soon. `report` gets the number after each batch.
   */
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
  /** Hash of the model's commit on the hub. */
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
  /** Downloads a model unless its newest version is present, or resumes. Verifies checksums. Throws AppError `not_found`. */
  add(
    id: string,
    options: { readonly graph?: string; readonly revision?: string },
    watch: { readonly signal: AbortSignal; readonly progress: (message: string) => void },
  ): Promise<FetchedModel>;
  /** Lists the downloaded models, each with its problem if it has one. Compares all files with the checksums of the download. */
  list(): Promise<FetchedModel[]>;
  remove(id: string): Promise<boolean>;
}

export interface PageText {
  readonly title: string;
  readonly markdown: string;
  /** What was not read as it should be, such as that the encoding was guessed. */
  readonly reduced?: string | undefined;
}

/** Reads a file that is not plain text: HTML, PDF, Office. Throws AppError `unsupported`, which says what is wrong with it. */
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
  /** Collection for all entries. Default: the collection named in a backup's entry, else the default collection. */
  readonly collection?: string;
  /** Stops the import when aborted. Entries that are already imported stay. */
  readonly signal: AbortSignal;
  progress(message: string): void;
}

export interface ImportSummary {
  readonly kind: string;
  readonly imported: number;
  readonly known: number;
  readonly failed: number;
  readonly failures: readonly { readonly at: string; readonly why: string }[];
  /** Number of records that are kept although something is wrong with them. `warnings` names the first of them. */
  readonly warned: number;
  readonly warnings: readonly { readonly at: string; readonly why: string }[];
  /** What was left out on purpose: how many, by what it is. */
  readonly skipped: Readonly<Record<string, number>>;
}

export interface SyncOptions {
  /** Collection of the folder's entries. In the first run it defaults to the default collection. */
  readonly collection?: string;
  /** Patterns of files to leave out, in the syntax of .gitignore. */
  readonly exclude?: readonly string[];
  readonly dryRun?: boolean;
  /** True to remove entries even of more than 20 files that are over half of the recorded ones, or of all of 10 or more. */
  readonly removeMany?: boolean;
  /** True to sync only a folder that is already synced. Throws AppError `not_found` if the folder is not synced any longer. */
  readonly known?: boolean;
  readonly read: PageReader;
  /** Stops the run when aborted. Work in progress is completed, and the next run does the rest. */
  readonly signal: AbortSignal;
  progress(message: string): void;
}

export interface SyncSummary {
  readonly folder: string;
  readonly added: number;
  readonly changed: number;
  readonly moved: number;
  readonly removed: number;
  /** Trash batch with all entries that this run removed, including surplus parts of shortened texts. */
  readonly trash?: string;
  readonly unchanged: number;
  readonly failed: number;
  readonly failures: readonly { readonly at: string; readonly why: string }[];
  /** Number of records that are kept although something is wrong with them. `warnings` names the first of them. */
  readonly warned: number;
  readonly warnings: readonly { readonly at: string; readonly why: string }[];
  /** What was left out on purpose: how many, by what it is. */
  readonly skipped: Readonly<Record<string, number>>;
}

export interface FolderWatch {
  /** Resolves after a change since the last call, so that the caller reads the folder again, or when aborted. */
  changed(signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface SyncedFolder {
  readonly path: string;
  readonly collection: string;
  /** Time of the last finished run in milliseconds since 1970; undefined before the first. */
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
  /** Key of the entry, which a sync of the file's folder would also give it. */
  readonly key: string;
  /** Sentences that say what is wrong with the file, such as with its front matter. */
  readonly warning?: string;
}

export interface LocalFileOptions {
  /** Folder that must contain the file. The file must not be in a hidden folder. */
  readonly within?: string | undefined;
  /** Password of an encrypted PDF. Default: the password in the settings. */
  readonly password?: string | undefined;
  readonly read: PageReader;
  readonly signal: AbortSignal;
}

export interface FolderExportOptions {
  readonly collection?: string;
  readonly overwrite?: boolean;
  /** Stops the export when aborted. Written files stay, and nothing is removed. */
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
  /** Number of files that were kept because they differ from what an export wrote. `keptFiles` names the first of them. */
  readonly kept: number;
  readonly keptFiles: readonly string[];
}

export interface FileExchange {
  /** Reads a file as an entry. Throws AppError `bad_request`, `forbidden` if it may not be read, `unsupported` for its kind. */
  readFile(path: string, options: LocalFileOptions): Promise<LocalFile>;
  /**
   * Makes the entries of a folder match its files, one per file. After an interruption, the next run continues. Throws AppError
   * `bad_request` if the folder does not exist, or has lost all files at once, as an unmounted folder does.
   */
  syncFolder(owner: string, folder: string, options: SyncOptions): Promise<SyncSummary>;
  /** Watches a folder for changes, each of which can start a sync. Throws AppError `bad_request` if the folder does not exist. */
  watchFolder(folder: string): Promise<FolderWatch>;
  listFolders(owner: string): Promise<SyncedFolder[]>;
  /** Stops syncing a folder, which may no longer exist. Its entries stay. Returns false if the folder was not synced. */
  forgetFolder(owner: string, folder: string): Promise<boolean>;
  /** Imports a file, archive or folder. Throws AppError `bad_request` if it is not a known export, `too_large` over a limit. */
  importSource(owner: string, source: ImportSource, options: ImportOptions): Promise<ImportSummary>;
  /**
   * Exports each entry to one Markdown file, in a subfolder per collection. An import of the files gives the same entries. A
   * later run updates the folder. Throws AppError `bad_request` for an unwritable path or another user's export.
   */
  exportFolder(owner: string, folder: string, options: FolderExportOptions): Promise<FolderExport>;
}
