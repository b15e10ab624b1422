/** The face of the knowledge room: what tools, flows, commands and the server know of it. Types alone. */

import type { JobQueue } from '../lib/concurrency/job-queue.ts';

/** What is to be kept. */
export interface NewEntry {
  readonly text: string;
  readonly title?: string;
  /** Where it comes from: an address, a file's name, anything that the caller gives. */
  readonly source?: string;
  readonly tags?: readonly string[];
  /** A name such as that of a project; `default` when left out. Case does not count. */
  readonly collection?: string;
  /** Its own name within the collection: it replaces the text that had it before. None when left out or empty. */
  readonly key?: string;
}

/** One entry as its owner put it in; `key` is empty where it has none. */
export interface Entry extends Required<NewEntry> {
  /** `<owner>-<microseconds since 1970>`: unique, and rising in the order of insertion. */
  readonly id: string;
  /** Microseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An entry of a backup: those from before there were collections and keys have neither. */
export type BackedUpEntry = Omit<Entry, 'collection' | 'key'> & Pick<NewEntry, 'collection' | 'key'>;

/** A piece of an entry's or a file's text that is found on its own. */
export interface Passage {
  /** The entry's id; for an uploaded file `doc://<file name>`. */
  readonly of: string;
  /** Place among the passages of the same text, from 0. */
  readonly ordinal: number;
  /** The headings above it or the text's first line: what it is about. */
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
  /** Left out for the default one. */
  readonly collection?: string;
  /** Its entry's own name. */
  readonly key?: string;
  readonly createdAt: number;
  /** Where it begins in its entry's text, or in that of its page: characters (Unicode code points) from 0. */
  readonly start?: number;
  /** Closeness, 0 to 1; matches are sorted by it. */
  readonly score: number;
  /** Neither its words nor its meaning have much to do with the question. */
  readonly weak?: boolean;
  /** The passage's vector and the weights of its terms, when they were asked for. */
  readonly values?: readonly number[];
  readonly sparseValues?: Readonly<Record<string, number>>;
  /** Passages before and after it, when they were asked for. */
  readonly neighbours?: readonly Passage[];
}

/** Which entries a query searches; all conditions hold together. */
export interface Filter {
  /** Entries that carry every one of these. */
  readonly tags?: readonly string[];
  /** Exactly this source, or one of these; with a `*` at the end, sources that begin so. */
  readonly source?: string | readonly string[];
  /** Created at or after, and before: microseconds since 1970. */
  readonly since?: number;
  readonly until?: number;
  /** Of this collection; of all where it is left out. */
  readonly collection?: string;
}

/** Which entries a list has. */
export interface ListFilter extends Filter {
  /** In the text or the title, as it is written but for case, accents and blanks. */
  readonly text?: string;
}

/** A collection that has an entry at least. */
export interface Collection {
  readonly name: string;
  readonly records: number;
  readonly passages: number;
  /** Of the texts, in UTF-8. */
  readonly bytes: number;
  /** Microseconds since 1970. */
  readonly oldest: number;
  readonly newest: number;
}

/** A tag that an entry has at least. */
export interface TagCount {
  readonly name: string;
  readonly records: number;
}

/** What there is of one owner, or in one of the owner's collections. */
export interface Stats {
  readonly records: number;
  readonly passages: number;
  /** Of the texts, in UTF-8. */
  readonly bytes: number;
  /** Microseconds since 1970. */
  readonly oldest?: number;
  readonly newest?: number;
  /** The embedder's name; of two that are in use, the one that suits the owner's texts and questions. */
  readonly model: string;
  /** Of `passages`, those that are not in English; left out where all are, and for one collection. */
  readonly nonenglish?: number;
  /** What is to be done where the model in use does not read them. */
  readonly advice?: string;
  /** Passages of all collections and files whose vector is still to come. */
  readonly pending: number;
}

export interface Inserted {
  readonly id: string;
  /** The same text was there already: it keeps its id and has gained the new tags, source and title. */
  readonly known: boolean;
  readonly passages: number;
  /** What became of the text that the key had before. */
  readonly replaced?: Replaced;
}

/** A text that another one replaces goes for good, or to the trash: restoring `{ entry: id }` brings it back in its place. */
export type Replaced = 'trash' | 'gone';

export interface ChangedEntry extends Entry {
  /** What became of the text before, where there is another one. */
  readonly replaced?: Replaced;
}

/** Entries that were removed together, and can be restored. */
export interface TrashBatch {
  /** Unique among its owner's; digits. */
  readonly id: string;
  /** Microseconds since 1970. */
  readonly removedAt: number;
  readonly records: number;
  /** Of the texts, in UTF-8. */
  readonly bytes: number;
  /** Of the first entry. */
  readonly entry: string;
  /** How the first entry begins, in 100 characters at most. */
  readonly text: string;
  /** Of a text that another one replaced: the id of the entry whose text it was. */
  readonly versionOf?: string;
}

export interface Removed {
  readonly records: number;
  /** Where they lie; undefined when there was nothing, or it has gone for good. `until` in microseconds since 1970. */
  readonly trash?: { readonly id: string; readonly until: number };
  /** Older entries of the trash that have gone for good, since its bound was reached. */
  readonly dropped: number;
}

export interface Removal {
  /** Gone from the disk at once, out of the trash as well. */
  readonly permanent?: boolean;
  /** Entries of this collection only. */
  readonly collection?: string;
}

/** What there is in an owner's trash. */
export interface TrashList {
  /** Newest first. */
  readonly batches: readonly (TrashBatch & { readonly until: number })[];
  readonly records: number;
  readonly bytes: number;
  /** Days that entries stay there; 0 when they do not go there. */
  readonly days: number;
}

/**
 * What is to be restored: all, what was removed last, a batch, or an entry. A text that another one replaced comes back by its batch
 * or its id, or by the id of the entry whose text it was; the present one then takes its place in the trash.
 */
export type Restorable = 'all' | 'latest' | { readonly batch: string } | { readonly entry: string };

export interface QueryOptions {
  /** 1 to 100; default 10. */
  readonly topK?: number;
  readonly filter?: Filter;
  /** Matches with their vectors and the weights of their terms. */
  readonly includeValues?: boolean;
  /** Days after which a passage counts half as much; without it, age does not count. */
  readonly recency?: number;
  /** Only turns of conversations that this one speaks: all words of it are in the speaker's name. */
  readonly speaker?: string;
  /** Passages before and after each match that come with it, 0 to 10; default 0. */
  readonly neighbours?: number;
  /** Called when the answer goes by words alone though there are vectors, and why. */
  readonly onWordsOnly?: (why: WordsOnly) => void;
}

/** `opening`: the index of the vectors is being loaded; `failed`: the embedder or the vectors cannot be used now. */
export type WordsOnly = 'opening' | 'failed';

/** An uploaded file, known by its name. */
export interface DocumentFile {
  readonly name: string;
  readonly title?: string;
  /** The default one where it is left out. */
  readonly collection?: string;
}

/** Pages from 1, both included. */
export interface Pages {
  readonly fromPage: number;
  readonly toPage: number;
}

export interface DuplicatesOptions {
  /** Entries of this collection only. */
  readonly collection?: string | undefined;
  readonly signal: AbortSignal;
  progress(message: string): void;
}

/** Entries of one collection that are nearly the same. */
export interface DuplicateGroup {
  /** 0 to 1: how alike the two are by their words that are least so. */
  readonly score: number;
  /** Those with keys first, then the oldest; of each text the first 200 characters. */
  readonly entries: readonly Omit<Entry, 'source' | 'tags' | 'updatedAt'>[];
}

export interface Duplicates {
  /** Entries. */
  readonly compared: number;
  /** The most alike first. */
  readonly groups: readonly DuplicateGroup[];
}

/** An entry that is nearly the same as another one; `score` as in DuplicateGroup. */
export interface Similar {
  readonly id: string;
  readonly score: number;
}

export interface Merged {
  /** The one that stays. */
  readonly entry: Entry;
  /** The others. */
  readonly removed: Removed;
  /** Sources of the others for which there was no room among the tags. */
  readonly left: readonly string[];
}

export interface EntryPage {
  readonly entries: readonly Entry[];
  /** For `cursor` of the next call; undefined on the last page. */
  readonly next?: string;
}

/** What an owner's texts and questions are written in, and what follows. */
export interface Languages {
  /** Of entries and files. */
  readonly passages: number;
  /** Those of them that are not in English; code, numbers and names do not count. */
  readonly nonenglish: number;
  /** The kind of model that suits them. */
  readonly suits: 'english' | 'multilingual';
  /** The name of the model that is in use for them. */
  readonly model: string;
  /** Where that one does not suit: sentences that say so, and what adds one that does. */
  readonly advice?: string;
}

/** How far the vectors have come, over all owners, each with the model that is the owner's. */
export interface EmbeddingProgress {
  readonly model: string;
  /** The model of owners whose texts and questions are not in English, where that is another one. */
  readonly multilingual?: string;
  readonly done: number;
  readonly total: number;
}

export type ChangeListener = (owner: string, what: { readonly ids: readonly string[] }) => void;

/**
 * The knowledge bases of all users, each owner's apart. AppError `bad_request` or `too_large` refuses values that cannot
 * be kept, `unavailable` says that the database cannot be used. A query does not fail where the embedder fails: it then
 * finds by words alone.
 */
export interface Knowledge {
  /**
   * Durable, and found by its words, when it resolves; the vectors follow. With a key that an entry of the collection has, that one
   * gets the new text under its id, and the text before goes to the trash, in one step; title, source and tags that are
   * not given stay.
   */
  insertEntry(owner: string, entry: NewEntry, signal: AbortSignal): Promise<Inserted>;
  /**
   * The same for a text of up to 64 MB: what is over 1 MB becomes several entries, cut at headings and paragraphs, all with its title,
   * source and tags; the keys of those behind the first are `<key>#part-2` and so on. Those of a longer text that it replaces go to the trash.
   */
  insertText(
    owner: string,
    entry: NewEntry,
    signal: AbortSignal,
  ): Promise<Inserted & { readonly parts: number }>;
  /**
   * An entry of `entries()` as it was, with its times; the owner's name in its id becomes this owner's. Where
   * another entry has its microsecond already, it takes the next free one. One whose key has a text that is as new stays out.
   */
  restoreEntry(owner: string, entry: BackedUpEntry, signal: AbortSignal): Promise<Inserted>;
  /**
   * The id stays; the text before goes to the trash. What is not given stays as it is; an empty key takes the key away. AppError
   * `not_found`; `bad_request` when another entry has the new text or key.
   */
  updateEntry(
    owner: string,
    id: string,
    change: Partial<NewEntry>,
    signal: AbortSignal,
  ): Promise<ChangedEntry>;
  /**
   * Makes one of several: the first stays, with its id, text, key and time, and gets the tags of all, and a title and source where
   * it has none; the sources of the others become tags. The others go to the trash, in one batch. AppError `not_found`, `bad_request` for fewer than two.
   */
  mergeEntries(owner: string, ids: readonly string[], signal: AbortSignal): Promise<Merged>;
  /** In steps; what is found when the signal comes. AppError `too_large` over 200,000 entries. */
  findDuplicates(owner: string, options: DuplicatesOptions): Promise<Duplicates>;
  /** Up to three entries of its collection that begin nearly as this one does: bounded work, two or three milliseconds. */
  findSimilar(owner: string, entry: Pick<Entry, 'id' | 'text' | 'collection'>): Promise<Similar[]>;
  /** To the trash, unless it is to be permanent. */
  removeEntry(owner: string, id: string, how?: Removal): Promise<Removed>;
  /** Several together, as one deletion; `into` is the id of one in the trash that they join. Those that are gone already do not count. */
  removeEntries(owner: string, ids: readonly string[], into?: string): Promise<Removed>;
  findEntry(owner: string, id: string): Promise<Entry | undefined>;
  /** Without reading its text. */
  hasEntry(owner: string, id: string): Promise<boolean>;
  /** By its own key; in the default collection where none is named. */
  findEntryByKey(owner: string, key: string, collection?: string): Promise<Entry | undefined>;
  /** By their names. */
  listCollections(owner: string): Promise<Collection[]>;
  /** By their names, those behind `after`; reads the tags of all entries. */
  listTags(owner: string, limit: number, after?: string): Promise<TagCount[]>;
  /**
   * Passages of entries and uploaded files, best first. Any text is a query; a blank one gives the newest, at score 0.
   * The few new passages that have no vector yet get theirs first; where many wait, `countPending` says how many.
   */
  findPassages(owner: string, text: string, options: QueryOptions, signal: AbortSignal): Promise<Match[]>;
  /**
   * Newest first; `limit` 1 to 1,000. A page has fewer where a text is sought and many entries were read for it: `next` goes on
   * behind those.
   */
  listEntries(owner: string, limit: number, cursor?: string, filter?: ListFilter): Promise<EntryPage>;
  findNewestEntry(owner: string, collection?: string): Promise<Entry | undefined>;
  readStats(owner: string, collection?: string): Promise<Stats>;
  /** Bytes of all texts, as `readStats` gives them, in one look: it is asked before each write. */
  countBytes(owner: string): Promise<number>;
  /** The same with all entries, or those of a collection; uploaded files stay. */
  removeAllEntries(owner: string, how?: Removal): Promise<Removed>;
  /**
   * All at once, with ids, times and vectors as they were. `known` counts entries whose text another one has by now: they
   * are not restored, nor are those whose key has another one: they stay in the trash, for a restore of their own. What is back
   * already, or gone for good, counts 0.
   */
  restoreEntries(
    owner: string,
    which: Restorable,
    collection?: string,
  ): Promise<{ readonly records: number; readonly known: number }>;
  /** `before` is the id of the last batch of the page before. */
  listTrash(owner: string, limit: number, collection?: string, before?: string): Promise<TrashList>;
  /** Removes for good what lies in the trash, and gives the number of entries. In steps, until the signal. */
  emptyTrash(owner: string, signal: AbortSignal, collection?: string): Promise<number>;
  /** Oldest first. */
  exportEntries(owner: string, collection?: string): AsyncIterable<Entry>;
  /** Takes the place of a file of the same name once all of it is there. Gives the number of passages. */
  putDocument(
    owner: string,
    file: DocumentFile,
    pages: AsyncIterable<string> | Iterable<string>,
    signal: AbortSignal,
  ): Promise<number>;
  /** Gives the number of passages that were removed; 0 when the file was not there. */
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
  /** The listener is called after each change, and about a second after those of other processes. Gives what ends it. */
  onChange(listener: ChangeListener): () => void;
  readEmbeddingProgress(): Promise<EmbeddingProgress>;
  /** Of all the owner's texts, and of questions in the last months; with a question the advice is for its answer. */
  readLanguages(owner: string, question?: string): Promise<Languages>;
  /** The owner's passages that have no vector yet and are found by their words only, without those in the trash, counted up to `most`. */
  countPending(owner: string, most: number): Promise<number>;
  /** From here on passages are embedded by one process of all that share these jobs, each owner's by one at a time. */
  shareEmbedding(jobs: JobQueue): void;
  /**
   * For a process that ends soon: resolves when no passage waits for its vector, when `most` have got theirs, when
   * the embedder fails, or at the signal. Gives the embedder's error, where that ended it. `report` is called after each
   * batch with the number so far.
   */
  waitForVectors(
    most: number,
    signal: AbortSignal,
    report?: (embedded: number) => void,
  ): Promise<Error | undefined>;
  close(): Promise<void>;
}

/** A sentence model that was fetched from a hub. */
export interface FetchedModel {
  /** `maker/name`, as the hub has it. */
  readonly id: string;
  readonly folder: string;
  /** The hub's commit. */
  readonly revision: string;
  readonly license?: string | undefined;
  /** Path of its graph in the folder. */
  readonly graph: string;
  /** Of the files that were fetched. */
  readonly bytes: number;
  readonly pooling?: string;
  /** What stands before questions, and before passages. */
  readonly prefixes?: Readonly<Record<'query' | 'passage', string>>;
  /** Tokens of a text that are read. */
  readonly maxTokens?: number;
  /** Why it cannot be used. */
  readonly problem?: string;
}

/** Sentence models that were fetched from a hub. */
export interface FetchedModels {
  /**
   * Fetches a model, or gives the one that is there where the hub has no newer one. What arrives is compared with the hub's checksums; a
   * call that was broken off is taken up by the next. AppError `not_found` says what the hub or the model lacks.
   */
  add(
    id: string,
    options: { readonly graph?: string; readonly revision?: string },
    watch: { readonly signal: AbortSignal; readonly progress: (message: string) => void },
  ): Promise<FetchedModel>;
  /** Each with what is wrong with it: all files are compared with what was fetched. */
  list(): Promise<FetchedModel[]>;
  /** Also what a broken call has left; false where there was nothing. */
  remove(id: string): Promise<boolean>;
}

/** A page or document as text. */
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

/** Where an import is read from: a file, archive or folder, or standard input. */
export type ImportSource = { readonly path: string } | { readonly stream: AsyncIterable<unknown> };

export interface ImportOptions {
  /** The kind's name, where it is not to be recognised. */
  readonly from?: string;
  /** Into this collection; without it into that of a backup's entry, else the default one. */
  readonly collection?: string;
  readonly read: PageReader;
  /** What is imported when it is aborted stays. */
  readonly signal: AbortSignal;
  progress(message: string): void;
}

export interface ImportSummary {
  /** The kind's name. */
  readonly kind: string;
  /** Entries: a long text is several. */
  readonly imported: number;
  /** There already. */
  readonly known: number;
  readonly failed: number;
  /** The first of those, with why. */
  readonly failures: readonly { readonly at: string; readonly why: string }[];
  /** Records with nothing to keep, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
}

export interface SyncOptions {
  /** The collection of the folder's entries: with the first run, the default one where left out. */
  readonly collection?: string;
  /** What is left out, by the rules of .gitignore. */
  readonly exclude?: readonly string[];
  /** Nothing is changed. */
  readonly dryRun?: boolean;
  /** Also where more than 20 files, and more than half of those that are known, or all of 10 and more, are gone. */
  readonly removeMany?: boolean;
  /** Only where the folder is kept in step already: AppError `not_found` where it is no longer. */
  readonly known?: boolean;
  readonly read: PageReader;
  /** The work that is under way is finished; the next run does the rest. */
  readonly signal: AbortSignal;
  progress(message: string): void;
}

/** What a run has done, or with `dryRun` would do. */
export interface SyncSummary {
  readonly folder: string;
  readonly added: number;
  readonly changed: number;
  readonly moved: number;
  /** To the trash. */
  readonly removed: number;
  /** Id of the deletion in the trash that holds all that this run has removed; parts of texts that have become shorter too. */
  readonly trash?: string;
  readonly unchanged: number;
  readonly failed: number;
  /** The first of those, with why. */
  readonly failures: readonly { readonly at: string; readonly why: string }[];
  /** Files that are not read, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
}

/** Waits for changes below a folder. */
export interface FolderWatch {
  /** Resolves when something has changed since the last call, when it is time to read the folder again, or at the signal. */
  changed(signal: AbortSignal): Promise<void>;
  close(): void;
}

/** A folder that is kept in step. */
export interface SyncedFolder {
  readonly path: string;
  readonly collection: string;
  /** Milliseconds since 1970; undefined until the first run has finished. */
  readonly syncedAt?: number;
  readonly files: number;
}

/** A file of this machine, as the text of an entry. */
export interface OwnFile {
  /** Without symbolic links. */
  readonly path: string;
  readonly text: string;
  readonly title: string;
  readonly source: string;
  readonly tags: readonly string[];
  /** The same that a sync of its folder gives it. */
  readonly key: string;
}

export interface OwnFileOptions {
  /** A folder in which it must lie, not hidden. */
  readonly within?: string | undefined;
  /** Of an encrypted PDF; the one of the settings where left out. */
  readonly password?: string | undefined;
  readonly read: PageReader;
  readonly signal: AbortSignal;
}

export interface FolderExportOptions {
  /** Entries of this collection only; of all when left out. */
  readonly collection?: string;
  /** Files that are not as an export wrote them are written over. */
  readonly overwrite?: boolean;
  /** What is written when it is aborted stays, and nothing is removed. */
  readonly signal: AbortSignal;
  progress(message: string): void;
}

/** What an export into a folder has done. */
export interface FolderExport {
  /** Without symbolic links. */
  readonly folder: string;
  /** Entries. */
  readonly exported: number;
  /** Files that are new or were changed, that were there as they are, and whose entries are gone. */
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Files that are not as an export wrote them: they stay as they are. `keptFiles` names the first. */
  readonly kept: number;
  readonly keptFiles: readonly string[];
}

/** Takes in what a person has elsewhere: exports of other programs, and folders that are kept in step. Gives it back as files. */
export interface Intake {
  /** AppError `bad_request` names what cannot be read, `forbidden` a place that is not to be, `unsupported` a kind. */
  readFile(path: string, options: OwnFileOptions): Promise<OwnFile>;
  /**
   * Makes the entries of a folder equal to its files, one each: adds, changes, moves them along with renames, and removes those
   * whose files are gone. It may be ended at any moment: the next run does the rest. AppError `bad_request` where there is no such folder,
   * or it has lost all of its files at once, as one does that is not mounted.
   */
  syncFolder(owner: string, folder: string, options: SyncOptions): Promise<SyncSummary>;
  /** Hears of changes below a folder, for a run with each. AppError `bad_request` where there is no such folder. */
  watchFolder(folder: string): Promise<FolderWatch>;
  /** By their paths. */
  listFolders(owner: string): Promise<SyncedFolder[]>;
  /** The entries stay. False where the folder was not kept in step; it need not be there any longer. */
  forgetFolder(owner: string, folder: string): Promise<boolean>;
  /**
   * AppError `bad_request` names a file that cannot be used or is not an export that is known, `too_large` what is over a bound.
   */
  importSource(owner: string, source: ImportSource, options: ImportOptions): Promise<ImportSummary>;
  /**
   * One Markdown file an entry, each whole or not there, in a folder for each collection; an import of the folder gives the same
   * entries. A later run writes what has changed and removes files of entries that are gone. AppError `bad_request` names what
   * cannot be written, or the export of another user.
   */
  exportFolder(owner: string, folder: string, options: FolderExportOptions): Promise<FolderExport>;
}
