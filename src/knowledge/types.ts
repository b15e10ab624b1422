/** Public types of the knowledge module for tools, flows, commands and the server. */

import type { JobQueue } from '../lib/concurrency/job-queue.ts';

export interface NewEntry {
  readonly text: string;
  readonly title?: string;
  /** Origin of the text: an address, a file name, or anything else that the caller gives. */
  readonly source?: string;
  readonly tags?: readonly string[];
  /** Name of a collection, such as that of a project. Default: `default`. Case is ignored. */
  readonly collection?: string;
  /** Unique name within the collection. The entry replaces the text that had this key before. None if left out or empty. */
  readonly key?: string;
}

/** A stored entry. `key` is empty if it has none. */
export interface Entry extends Required<NewEntry> {
  /** Id of the form `<owner>-<microseconds since 1970>`: unique, and rising in the order of insertion. */
  readonly id: string;
  /** Time in microseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An entry of a backup. Old backups, from before collections and keys existed, have neither. */
export type BackedUpEntry = Omit<Entry, 'collection' | 'key'> & Pick<NewEntry, 'collection' | 'key'>;

/** A piece of the text of an entry or file that is found on its own. */
export interface Passage {
  /** Id of the entry. For an uploaded file `doc://<file name>`. */
  readonly of: string;
  /** Position among the passages of the same text, from 0. */
  readonly ordinal: number;
  /** Headings above the passage, or the first line of the text. */
  readonly title: string;
  readonly text: string;
  /** Page of an uploaded file, from 1. */
  readonly page?: number;
}

/** A passage that answers a query. */
export interface Match {
  readonly passage: Passage;
  readonly source: string;
  readonly tags: readonly string[];
  /** Collection of the entry; left out for the default one. */
  readonly collection?: string;
  readonly key?: string;
  readonly createdAt: number;
  /** Position where the passage begins in the text of its entry or page, in characters (Unicode code points) from 0. */
  readonly start?: number;
  /** Closeness to the query, 0 to 1. Matches are sorted by it. */
  readonly score: number;
  /** True if neither its words nor its meaning have much to do with the query. */
  readonly weak?: boolean;
  /** Vector of the passage and weights of its terms, if requested. */
  readonly values?: readonly number[];
  readonly sparseValues?: Readonly<Record<string, number>>;
  /** Passages before and after it, if requested. */
  readonly neighbours?: readonly Passage[];
}

export interface Filter {
  /** Tags that an entry must have, all of them. */
  readonly tags?: readonly string[];
  /** Exact source, or several of which one must match. With a `*` at the end, sources that begin so. */
  readonly source?: string | readonly string[];
  /** Creation time at or after `since` and before `until`, in microseconds since 1970. */
  readonly since?: number;
  readonly until?: number;
  /** Collection of the entries; all if left out. */
  readonly collection?: string;
}

export interface ListFilter extends Filter {
  /** Text that the entry's text or title must contain, ignoring case, accents and white space. */
  readonly text?: string;
}

export interface Collection {
  readonly name: string;
  readonly records: number;
  readonly passages: number;
  /** Size of the texts in bytes of UTF-8. */
  readonly bytes: number;
  /** Creation times of the oldest and newest entry, in microseconds since 1970. */
  readonly oldest: number;
  readonly newest: number;
}

export interface TagCount {
  readonly name: string;
  readonly records: number;
}

export interface Stats {
  readonly records: number;
  readonly passages: number;
  /** Size of the texts in bytes of UTF-8. */
  readonly bytes: number;
  /** Creation times of the oldest and newest entry, in microseconds since 1970. */
  readonly oldest?: number;
  readonly newest?: number;
  /** Name of the embedder. If there are two, the one that suits the owner's texts and questions. */
  readonly model: string;
  /** Number of entries' passages that are not in English. Left out if there are none, and for a single collection. */
  readonly nonenglish?: number;
  /** Advice what to do if the model in use does not read the owner's texts. */
  readonly advice?: string;
  /** Number of passages, in all collections and files, that have no vector yet. */
  readonly pending: number;
}

export interface Inserted {
  readonly id: string;
  /** True if the same text was stored already. It keeps its id and has gained the new tags, source and title. */
  readonly known: boolean;
  readonly passages: number;
  /** Where the text went that had the key before. */
  readonly replaced?: Replaced;
}

/** Where a replaced text goes: permanently removed, or to the trash, from which `{ entry: id }` restores it to its entry. */
export type Replaced = 'trash' | 'gone';

export interface ChangedEntry extends Entry {
  /** Where the earlier text went, if the text has changed. */
  readonly replaced?: Replaced;
}

/** Entries that were removed together and can be restored. */
export interface TrashBatch {
  /** Id, unique among its owner's batches. It consists of digits. */
  readonly id: string;
  /** Time in microseconds since 1970. */
  readonly removedAt: number;
  readonly records: number;
  /** Size of the texts in bytes of UTF-8. */
  readonly bytes: number;
  readonly entry: string;
  /** Beginning of the first entry's text, at most 100 characters. */
  readonly text: string;
  /** Id of the entry that had this text, if another text has replaced it. */
  readonly versionOf?: string;
}

export interface Removed {
  readonly records: number;
  /** Batch in the trash, kept until `until` (microseconds since 1970). Undefined for nothing or permanent removal. */
  readonly trash?: { readonly id: string; readonly until: number };
  /** Number of older entries that were permanently removed because the trash was full. */
  readonly dropped: number;
}

export interface Removal {
  /** True to remove at once from the disk, and from the trash as well. */
  readonly permanent?: boolean;
  readonly collection?: string;
}

export interface TrashList {
  /** Batches, the newest first. */
  readonly batches: readonly (TrashBatch & { readonly until: number })[];
  readonly records: number;
  readonly bytes: number;
  /** Days that entries stay in the trash; 0 if the trash is not used. */
  readonly days: number;
}

/**
 * What to restore: everything, the last removal, a batch, or an entry. A replaced text is restored by its batch, its id, or the
 * id of the entry that had it; the current text of that entry then takes its place in the trash.
 */
export type Restorable = 'all' | 'latest' | { readonly batch: string } | { readonly entry: string };

export interface QueryOptions {
  /** Number of matches, 1 to 100. Default: 10. */
  readonly topK?: number;
  readonly filter?: Filter;
  /** True to return matches with their vectors and the weights of their terms. */
  readonly includeValues?: boolean;
  /** Days after which a passage's score is halved. Without it age does not count. */
  readonly recency?: number;
  /** Limits matches to turns of conversations by this speaker. The speaker's name must contain all of these words. */
  readonly speaker?: string;
  /** Number of passages before and after each match to return with it, 0 to 10. Default: 0. */
  readonly neighbours?: number;
  /** Called with the reason if the query is answered by words alone although vectors exist. */
  readonly onWordsOnly?: (why: WordsOnly) => void;
}

/** `opening`: the vector index is being loaded. `failed`: the embedder or the vectors cannot be used now. */
export type WordsOnly = 'opening' | 'failed';

export interface DocumentFile {
  readonly name: string;
  readonly title?: string;
  /** Collection of the file. Default: the default collection. */
  readonly collection?: string;
}

/** Range of pages, counted from 1, both included. */
export interface Pages {
  readonly fromPage: number;
  readonly toPage: number;
}

export interface DuplicatesOptions {
  /** Limits the comparison to entries of this collection. */
  readonly collection?: string | undefined;
  readonly signal: AbortSignal;
  progress(message: string): void;
}

/** Nearly equal entries of one collection. */
export interface DuplicateGroup {
  /** Similarity by words, 0 to 1: the lowest that joined two of the entries. */
  readonly score: number;
  /** Entries with keys first, then the oldest. Each has the first 200 characters of its text. */
  readonly entries: readonly Omit<Entry, 'source' | 'tags' | 'updatedAt'>[];
}

export interface Duplicates {
  readonly compared: number;
  /** Groups, the most similar first. */
  readonly groups: readonly DuplicateGroup[];
}

/** An entry that is nearly equal to another one. `score` is as in DuplicateGroup. */
export interface Similar {
  readonly id: string;
  readonly score: number;
}

export interface Merged {
  readonly entry: Entry;
  readonly removed: Removed;
  /** Sources of the other entries that could not be kept as tags. */
  readonly left: readonly string[];
}

export interface EntryPage {
  readonly entries: readonly Entry[];
  /** Cursor for the next call; undefined on the last page. */
  readonly next?: string;
}

/** Languages of an owner's texts and questions, and the model that suits them. */
export interface Languages {
  /** Number of passages of entries and files. */
  readonly passages: number;
  /** Number of passages that are not in English. Code, numbers and names do not count. */
  readonly nonenglish: number;
  /** Kind of model that suits the owner's texts and questions. */
  readonly suits: 'english' | 'multilingual';
  readonly model: string;
  /** Advice if that model does not suit, with how to add one that does. */
  readonly advice?: string;
}

/** Progress of the embedding over all owners, each with their own model. */
export interface EmbeddingProgress {
  readonly model: string;
  /** Model for owners whose texts or questions are not in English, if it is another one. */
  readonly multilingual?: string;
  readonly done: number;
  readonly total: number;
}

export type ChangeListener = (owner: string, what: { readonly ids: readonly string[] }) => void;

/**
 * The knowledge bases of all users, each separate. AppError `bad_request` or `too_large` for values that cannot be stored,
 * `unavailable` if the database cannot be used. A query does not fail if the embedder fails: it is then answered by words alone.
 */
export interface Knowledge {
  /**
   * Stores an entry. When the promise resolves, it is durable and found by its words; vectors follow. If an entry of the
   * collection has the key, it gets the new text under its id, and the old text goes to the trash in the same transaction; title,
   * source and tags that are not given stay.
   */
  insertEntry(owner: string, entry: NewEntry, signal: AbortSignal): Promise<Inserted>;
  /**
   * Stores a text of up to 64 MB as insertEntry() does. A text over 1 MB becomes several entries, split at headings and
   * paragraphs, all with its title, source and tags; the keys of later parts are `<key>#part-2` and so on. Surplus parts of a
   * longer text that it replaces go to the trash.
   */
  insertText(
    owner: string,
    entry: NewEntry,
    signal: AbortSignal,
  ): Promise<Inserted & { readonly parts: number }>;
  /**
   * Restores an entry from exportEntries() with its times; the owner's name in its id becomes this owner's. If another entry has
   * its time, it gets the next free microsecond. If its key has a text that is as new or newer, it is not stored.
   */
  restoreEntry(owner: string, entry: BackedUpEntry, signal: AbortSignal): Promise<Inserted>;
  /**
   * Changes an entry, which keeps its id; the old text goes to the trash. Fields that are not given stay; an empty key removes
   * the key. AppError `not_found`, or `bad_request` if another entry has the new text or key.
   */
  updateEntry(
    owner: string,
    id: string,
    change: Partial<NewEntry>,
    signal: AbortSignal,
  ): Promise<ChangedEntry>;
  /**
   * Merges several entries into the first. It keeps its id, text, key and time, and gets the tags of all, and a title and source
   * if it has none; further sources become tags. The other entries go to the trash in one batch. AppError `not_found`, or
   * `bad_request` for fewer than two.
   */
  mergeEntries(owner: string, ids: readonly string[], signal: AbortSignal): Promise<Merged>;
  /** Finds groups of nearly equal entries, in steps until aborted. AppError `too_large` over 200,000 entries. */
  findDuplicates(owner: string, options: DuplicatesOptions): Promise<Duplicates>;
  /** Finds up to three entries of the collection that begin nearly the same. Bounded work: two or three milliseconds. */
  findSimilar(owner: string, entry: Pick<Entry, 'id' | 'text' | 'collection'>): Promise<Similar[]>;
  /** Moves an entry to the trash, or removes it permanently. */
  removeEntry(owner: string, id: string, how?: Removal): Promise<Removed>;
  /**
   * Removes several entries as one batch; `into` is the id of an existing batch in the trash to add to. Entries that are gone
   * already do not count.
   */
  removeEntries(owner: string, ids: readonly string[], into?: string): Promise<Removed>;
  findEntry(owner: string, id: string): Promise<Entry | undefined>;
  /** True if the entry exists. Does not read its text. */
  hasEntry(owner: string, id: string): Promise<boolean>;
  /** Finds an entry by its key, in the default collection if none is named. */
  findEntryByKey(owner: string, key: string, collection?: string): Promise<Entry | undefined>;
  /** Lists collections sorted by name. */
  listCollections(owner: string): Promise<Collection[]>;
  /** Lists tags sorted by name, those after `after`. Reads the tags of all entries. */
  listTags(owner: string, limit: number, after?: string): Promise<TagCount[]>;
  /**
   * Finds passages of entries and uploaded files, the best first. Any text is a query; a blank one returns the newest passages
   * with score 0. If a few new passages have no vector yet, they are embedded first; if many, `countPending` tells how many.
   */
  findPassages(owner: string, text: string, options: QueryOptions, signal: AbortSignal): Promise<Match[]>;
  /**
   * Lists entries, the newest first; `limit` is 1 to 1,000. A page may have fewer if a text is searched and many entries were
   * read; `next` continues after those.
   */
  listEntries(owner: string, limit: number, cursor?: string, filter?: ListFilter): Promise<EntryPage>;
  findNewestEntry(owner: string, collection?: string): Promise<Entry | undefined>;
  readStats(owner: string, collection?: string): Promise<Stats>;
  /** Size of all texts in bytes. It reads a single counter, since it is called before each write. */
  countBytes(owner: string): Promise<number>;
  /** Moves all entries, or those of a collection, to the trash, or removes them permanently. Uploaded files stay. */
  removeAllEntries(owner: string, how?: Removal): Promise<Removed>;
  /**
   * Restores entries with their ids, times and vectors. `known` counts entries that are not restored because another entry has
   * their text or key now; if the key is taken, they stay in the trash and can be restored one by one. Entries that are restored
   * already or permanently removed count 0.
   */
  restoreEntries(
    owner: string,
    which: Restorable,
    collection?: string,
  ): Promise<{ readonly records: number; readonly known: number }>;
  /** Lists the trash. `before` is the id of the last batch of the previous page. */
  listTrash(owner: string, limit: number, collection?: string, before?: string): Promise<TrashList>;
  /** Permanently removes the entries in the trash and returns their number. Works in steps, until the signal is aborted. */
  emptyTrash(owner: string, signal: AbortSignal, collection?: string): Promise<number>;
  /** Yields all entries, the oldest first. */
  exportEntries(owner: string, collection?: string): AsyncIterable<Entry>;
  /** Stores an uploaded file. It replaces a file of the same name when it is complete. Returns the number of passages. */
  putDocument(
    owner: string,
    file: DocumentFile,
    pages: AsyncIterable<string> | Iterable<string>,
    signal: AbortSignal,
  ): Promise<number>;
  /** Removes an uploaded file. Returns the number of removed passages, 0 if there was no such file. */
  removeDocument(owner: string, name: string): Promise<number>;
  /**
   * Finds passages as findPassages() does, but only on some pages of a file. A query without words returns the first passages of
   * these pages. AppError `not_found`.
   */
  findDocumentPassages(
    owner: string,
    name: string,
    pages: Pages,
    text: string,
    topK: number,
    signal: AbortSignal,
  ): Promise<Match[]>;
  /** Adds a listener for changes (by other processes after about a second). Returns a function that removes it. */
  onChange(listener: ChangeListener): () => void;
  readEmbeddingProgress(): Promise<EmbeddingProgress>;
  /**
   * Describes the languages of all the owner's texts and of questions in the last months. With a question, the advice is meant
   * for its answer.
   */
  readLanguages(owner: string, question?: string): Promise<Languages>;
  /** Counts the owner's passages that have no vector yet and are found only by words, except those in the trash, up to `most`. */
  countPending(owner: string, most: number): Promise<number>;
  /** Shares the embedding with all processes that use these jobs, each owner's by one process at a time. */
  shareEmbedding(jobs: JobQueue): void;
  /**
   * For a process that ends soon. Resolves when no passage waits for a vector, `most` passages have got theirs, the embedder
   * fails, or the signal is aborted. Returns the embedder's error if it failed. `report` is called after each batch with the
   * number so far.
   */
  waitForVectors(
    most: number,
    signal: AbortSignal,
    report?: (embedded: number) => void,
  ): Promise<Error | undefined>;
  close(): Promise<void>;
}

export interface FetchedModel {
  /** Id on the hub, `maker/name`. */
  readonly id: string;
  readonly folder: string;
  /** Hash of the commit on the hub. */
  readonly revision: string;
  readonly license?: string | undefined;
  readonly graph: string;
  /** Size of the downloaded files in bytes. */
  readonly bytes: number;
  readonly pooling?: string;
  /** Prefixes for questions and for passages. */
  readonly prefixes?: Readonly<Record<'query' | 'passage', string>>;
  /** Maximum number of tokens that the model reads of a text. */
  readonly maxTokens?: number;
  readonly problem?: string;
}

/** Manages sentence models that were downloaded from a hub. */
export interface FetchedModels {
  /**
   * Downloads a model, or returns the local one if the hub has no newer one. The files are compared with the hub's checksums, and
   * an interrupted download is resumed by the next call. AppError `not_found` says what the hub or the model lacks.
   */
  add(
    id: string,
    options: { readonly graph?: string; readonly revision?: string },
    watch: { readonly signal: AbortSignal; readonly progress: (message: string) => void },
  ): Promise<FetchedModel>;
  /** Lists the models, each with its problem if it has one. All files are compared with the downloaded ones. */
  list(): Promise<FetchedModel[]>;
  /** Removes a model, or the remains of an interrupted download. Returns false if there was nothing. */
  remove(id: string): Promise<boolean>;
}

export interface PageText {
  readonly title: string;
  readonly markdown: string;
}

/** Reads a file that is not plain text: HTML, PDF, Office. AppError `unsupported` says what is wrong with it. */
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
  /** Name of the import kind, if it should not be detected. */
  readonly from?: string;
  /** Collection for all entries. Default: the one in a backup's entry, else the default collection. */
  readonly collection?: string;
  readonly read: PageReader;
  /** Stops the import when aborted. Entries that are already imported stay. */
  readonly signal: AbortSignal;
  progress(message: string): void;
}

export interface ImportSummary {
  readonly kind: string;
  /** Number of new entries. A long text counts as several. */
  readonly imported: number;
  /** Number of entries that existed already. */
  readonly known: number;
  readonly failed: number;
  /** The first failed records, each with the reason. */
  readonly failures: readonly { readonly at: string; readonly why: string }[];
  /** Number of records without anything to import, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
}

export interface SyncOptions {
  /** Collection of the folder's entries. In the first run it defaults to the default collection. */
  readonly collection?: string;
  /** Patterns of files to leave out, in the syntax of .gitignore. */
  readonly exclude?: readonly string[];
  /** True to change nothing and only report. */
  readonly dryRun?: boolean;
  /**
   * True to remove entries even if suspiciously many files are gone: more than 20 that are more than half of the recorded ones,
   * or all of 10 or more.
   */
  readonly removeMany?: boolean;
  /** True to sync only if the folder is already synced. AppError `not_found` if it no longer is. */
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
  /** Number of files whose entries were moved to the trash. */
  readonly removed: number;
  /** Batch in the trash with all entries that this run removed, also surplus parts of shortened texts. */
  readonly trash?: string;
  readonly unchanged: number;
  readonly failed: number;
  /** The first failed files, each with the reason. */
  readonly failures: readonly { readonly at: string; readonly why: string }[];
  /** Number of files that were not read, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
}

/** Waits for changes in a folder. */
export interface FolderWatch {
  /** Resolves after a change since the last call, when the folder should be read again, or when aborted. */
  changed(signal: AbortSignal): Promise<void>;
  close(): void;
}

/** A folder that is synced with the knowledge base. */
export interface SyncedFolder {
  readonly path: string;
  readonly collection: string;
  /** Time of the last finished run in milliseconds since 1970; undefined before the first. */
  readonly syncedAt?: number;
  readonly files: number;
}

/** A file of this machine as the text of an entry. */
export interface OwnFile {
  /** Path without symbolic links. */
  readonly path: string;
  readonly text: string;
  readonly title: string;
  readonly source: string;
  readonly tags: readonly string[];
  /** Key that a sync of its folder would also give it. */
  readonly key: string;
}

export interface OwnFileOptions {
  /** Folder that must contain the file, outside of hidden folders. */
  readonly within?: string | undefined;
  /** Password of an encrypted PDF. Default: the one in the settings. */
  readonly password?: string | undefined;
  readonly read: PageReader;
  readonly signal: AbortSignal;
}

export interface FolderExportOptions {
  readonly collection?: string;
  /** True to overwrite files that differ from what an export wrote. */
  readonly overwrite?: boolean;
  /** Stops the export when aborted. Written files stay, and nothing is removed. */
  readonly signal: AbortSignal;
  progress(message: string): void;
}

export interface FolderExport {
  /** Path without symbolic links. */
  readonly folder: string;
  readonly exported: number;
  /** Numbers of files that were new or changed, that were up to date, and whose entries are gone. */
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Number of files that were kept because they differ from what an export wrote. `keptFiles` names the first of them. */
  readonly kept: number;
  readonly keptFiles: readonly string[];
}

/** Imports exports of other programs, syncs folders, and exports entries as files. */
export interface Intake {
  /**
   * Reads a file as an entry. AppError `bad_request` for a file that cannot be read, `forbidden` for one that may not be read,
   * `unsupported` for one of an unknown kind.
   */
  readFile(path: string, options: OwnFileOptions): Promise<OwnFile>;
  /**
   * Makes the entries of a folder match its files, one entry per file: adds, changes and renames entries, and removes those whose
   * files are gone. It may be interrupted at any time; the next run does the rest. AppError `bad_request` if there is no such
   * folder, or if it has lost all files at once, as an unmounted one does.
   */
  syncFolder(owner: string, folder: string, options: SyncOptions): Promise<SyncSummary>;
  /** Watches a folder for changes, so that each can start a run. AppError `bad_request` if there is no such folder. */
  watchFolder(folder: string): Promise<FolderWatch>;
  /** Lists the synced folders sorted by path. */
  listFolders(owner: string): Promise<SyncedFolder[]>;
  /** Stops syncing a folder, which need not exist any more. Its entries stay. Returns false if the folder was not synced. */
  forgetFolder(owner: string, folder: string): Promise<boolean>;
  /**
   * Imports a file, archive or folder. AppError `bad_request` for a file that cannot be used or is no known export, `too_large`
   * if it exceeds a limit.
   */
  importSource(owner: string, source: ImportSource, options: ImportOptions): Promise<ImportSummary>;
  /**
   * Exports entries to a folder: one Markdown file per entry, written completely or not at all, in a subfolder per collection. An
   * import of the folder gives the same entries. A later run writes what has changed and removes the files of removed entries.
   * AppError `bad_request` for a path that cannot be written, or if the folder holds the export of another user.
   */
  exportFolder(owner: string, folder: string, options: FolderExportOptions): Promise<FolderExport>;
}
