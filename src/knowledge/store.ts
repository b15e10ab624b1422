import type { LanguageCounts } from './embedding/languages.ts';
import type { Places } from './ranking/place-set.ts';
import type {
  Collection,
  Entry,
  Filter,
  Inserted,
  Pages,
  Passage,
  Replaced,
  Restorable,
  TagCount,
  TrashBatch,
} from './types.ts';

/** A passage to be stored. The passages of an entry, joined in order, are its text. */
export interface NewPassage {
  readonly title: string;
  readonly text: string;
  readonly page?: number;
}

/** An entry that is checked and split into passages. */
export interface PreparedEntry {
  readonly title: string;
  readonly source: string;
  readonly tags: readonly string[];
  readonly collection: string;
  /** Key, or empty for none. */
  readonly key: string;
  /** Digest of the text, 16 bytes. Equal texts have the same digest. */
  readonly digest: Uint8Array;
  readonly passages: readonly NewPassage[];
}

/** An entry to insert, in a batch that may contain entries of several owners. */
export interface Addition {
  readonly owner: string;
  readonly entry: PreparedEntry;
  /** Earlier times of the entry in microseconds since 1970. Default: now. */
  readonly times?: Pick<Entry, 'createdAt' | 'updatedAt'>;
  /** Where the text goes that had the entry's key. Default: to the trash. */
  readonly replaced?: Replaced;
}

export interface Counts {
  readonly records: number;
  readonly passages: number;
  readonly bytes: number;
  readonly oldest?: number;
  readonly newest?: number;
}

/** Counters of an owner, by which the index of the owner's vectors is kept up to date. */
export interface Standing {
  /** Number of passages of entries and files. */
  readonly searched: number;
  /** Number that the next passage gets. Numbers increase and are never reused. */
  readonly next: number;
  /** Increases whenever passages are removed. */
  readonly removals: number;
  /** Increases whenever entries are restored from the trash. Their passages have numbers that an index may have read past. */
  readonly restores: number;
  /** All passages with lower numbers have their vector of the requested model, or will never get one. */
  readonly embedded: number;
}

export interface Scored {
  readonly place: number;
  readonly score: number;
}

/** Result of a search by words. */
export interface Lexical {
  /** Passages with BM25 scores above 0, the best first. */
  readonly scored: Scored[];
  /** BM25 score of a passage of mean length that contains every word once: the sum of the words' rarity (idf). */
  readonly allWords: number;
  /** Words in few runs of adjacent passages, and so maybe in few entries, with the passages' numbers. */
  readonly rare: ReadonlyMap<string, readonly number[]>;
  /** Words that were not looked up because too many passages contain them. */
  readonly common: readonly string[];
}

/** A query for the candidates that are ranked as its answer. */
export interface CandidateQuestion {
  readonly text: string;
  /** Maximum number of candidates by words, and of those by vectors. */
  readonly most: number;
  /** Numbers of the passages to search; all if undefined. */
  readonly within: Places | undefined;
  /** Vector of the query and name of its model. If undefined, only words are searched. */
  readonly near: { readonly model: string; readonly vector: Float32Array } | undefined;
}

/** Candidates for an answer, and the data that they are ranked by. */
export interface FoundCandidates {
  /** Result by words. It also has the word scores of candidates that vectors found. */
  readonly lexical: Lexical;
  readonly near: readonly Scored[];
  readonly found: readonly FoundPassage[];
  readonly vectors: ReadonlyMap<number, Float32Array>;
}

/** Number of vector indexes in the database that were built and dropped. */
export interface TendedGraphs {
  readonly built: number;
  readonly dropped: number;
}

export interface Change {
  readonly owner: string;
  readonly ids: readonly string[];
}

/** A range of consecutive passages. */
export interface Stretch {
  /** Number of the first passage. */
  readonly first: number;
  readonly passages: number;
}

/** A passage with the properties of its entry. */
export interface FoundPassage {
  readonly place: number;
  readonly passage: Passage;
  readonly source: string;
  readonly tags: readonly string[];
  /** Collection of the entry; left out for the default one. */
  readonly collection?: string;
  readonly key?: string;
  readonly createdAt: number;
}

export interface PlacedVector {
  readonly place: number;
  readonly vector: Float32Array;
}

/** Texts of a passage that its vector is computed from. */
export interface Unembedded {
  readonly place: number;
  readonly title: string;
  readonly text: string;
}

/**
 * Name of the model for all owners; with `multilingual`, `common` is for owners whose texts and questions are in English, and
 * `multilingual` for the others.
 */
export interface ModelNames {
  readonly common: string;
  readonly multilingual?: string;
}

/** An owner whose vectors of a model were dropped because the owner no longer uses that model. */
export interface DroppedVectors {
  readonly owner: string;
  readonly model: string;
}

/**
 * Storage of the authoritative data. Every call takes the owner, and no owner's data affects another's results. `place` is the
 * number of a passage among its owner's passages. Changes are durable when their promise resolves.
 */
export interface EntryStore {
  /**
   * Inserts all entries in order, in one transaction. Within a collection, a text is stored once per key. If an entry has the
   * given key already, its text is replaced.
   */
  insertEntries(additions: readonly Addition[]): Promise<Inserted[]>;
  /** Changes an entry. AppError `not_found`, or `bad_request` if another entry has that text or key. */
  updateEntry(owner: string, id: string, entry: PreparedEntry, replaced?: Replaced): Promise<Entry>;
  /** Removes an entry permanently, even from the trash, together with its earlier texts. */
  removeEntry(owner: string, id: string): Promise<boolean>;
  findEntry(owner: string, id: string): Promise<Entry | undefined>;
  hasEntry(owner: string, id: string): Promise<boolean>;
  findEntryByKey(owner: string, collection: string, key: string): Promise<Entry | undefined>;
  /** Lists collections sorted by name. */
  listCollections(owner: string): Promise<Collection[]>;
  /** Lists tags sorted by name (in UTF-16 units), those after `after`. Reads the tags of all entries, in steps. */
  listTags(owner: string, limit: number, after?: string): Promise<TagCount[]>;
  /** Lists entries after `cursor`, the newest or the oldest first. */
  listEntries(
    owner: string,
    limit: number,
    order: 'newest' | 'oldest',
    cursor?: string,
    filter?: Filter,
  ): Promise<{ readonly entries: Entry[]; readonly next?: string }>;
  readCounts(owner: string, collection?: string): Promise<Counts>;
  /** Returns the size of all the owner's texts outside the trash in bytes, as in `readCounts`. It reads a single counter. */
  countBytes(owner: string): Promise<number>;
  /**
   * Removes all entries of the owner or of a collection permanently, and returns their number. `gone` gets the ids removed in
   * each step, some hundred at most. Entries that are added meanwhile stay. A step may fail after others succeeded.
   */
  removeAllEntries(
    owner: string,
    collection?: string,
    gone?: (ids: readonly string[]) => void,
  ): Promise<number>;

  /**
   * Moves entries to the trash: those named, or all that the owner or a collection has at the time of the call. They are excluded
   * from everything else, but their texts and vectors stay in place. Works in steps, each durable; entries added meanwhile stay.
   * `moved` gets the ids of each step, some thousand at most, even if a later step fails. `batch` is undefined if nothing was
   * moved; `into` names an existing batch to add to.
   */
  moveToTrash(
    owner: string,
    which?: string | readonly string[] | { readonly collection: string },
    moved?: (ids: readonly string[]) => void,
    into?: string,
  ): Promise<{ readonly records: number; readonly batch?: string }>;
  /**
   * Restores entries with their ids and times. All of them are found again when the promise resolves. Works in steps, each
   * durable: `back` gets the ids of each step, some hundred at most, even if a later one fails, and the same call restores the
   * rest. If another entry has the same text now, that one gets the tags and the restored one is removed; if another entry has
   * the same key, the restored one stays in the trash as a replaced text. `known` counts both. Replaced texts are restored one at
   * a time. `unfinished` is the error if entries are restored but later work failed, which cleanUp() and purgeTrash() complete.
   */
  restoreFromTrash(
    owner: string,
    which: Restorable,
    back?: (ids: readonly string[]) => void,
    collection?: string,
  ): Promise<{ readonly records: number; readonly known: number; readonly unfinished?: unknown }>;
  /** Lists batches, the newest first, those before the batch `before`, with the totals of the whole trash. */
  listTrash(
    owner: string,
    limit: number,
    collection?: string,
    before?: string,
  ): Promise<{ readonly batches: TrashBatch[]; readonly records: number; readonly bytes: number }>;
  /** Permanently removes what was moved to the trash by `until` (microseconds). Returns the number of entries. */
  purgeTrash(until: number, signal: AbortSignal, owner?: string, collection?: string): Promise<number>;
  /**
   * Permanently removes the oldest batches if newer ones alone fill the limit; the newest batch stays. Returns the number of
   * removed entries.
   */
  trimTrash(
    owner: string,
    most: { readonly records: number; readonly bytes: number },
    signal: AbortSignal,
  ): Promise<number>;

  /** Stores a file. It replaces the file of the same name when the last passage is stored. */
  putFile(
    owner: string,
    file: { readonly name: string; readonly title: string; readonly collection?: string },
    passages: AsyncIterable<readonly NewPassage[]>,
  ): Promise<number>;
  /** Hides a file at once, so that it is not found any more. Resolves to the number of its passages when they are removed. */
  removeFile(owner: string, name: string): Promise<number>;
  /** Lists in order the passages of files being uploaded or removed. They must not be found, although they are stored. */
  listHiddenPassages(owner: string): Promise<Stretch[]>;

  readStanding(owner: string, model: string): Promise<Standing>;
  findByWords(owner: string, text: string, limit: number, within?: Places): Promise<Lexical>;
  /**
   * Finds candidates by words and vectors, with all data for their ranking, in one query. Undefined if this process compares
   * vectors itself.
   */
  findCandidates?(owner: string, question: CandidateQuestion): Promise<FoundCandidates>;
  /** Returns the numbers of the passages that meet the filter; undefined if the filter has no condition. */
  filterPlaces(owner: string, filter: Filter): Promise<Places | undefined>;
  /** Returns the numbers of the passages on some pages of a file; undefined if the file does not exist. */
  listFilePlaces(owner: string, name: string, pages: Pages): Promise<Places | undefined>;
  /** Returns the number of the first passage of each of the newest entries. */
  listNewestPlaces(owner: string, limit: number, within?: Places): Promise<number[]>;
  /** Reads passages in the given order. Removed ones are left out. */
  readPassages(owner: string, places: readonly number[]): Promise<FoundPassage[]>;
  /**
   * Returns for each passage number where the passage begins in the text of its entry or page, in characters (Unicode code
   * points) from 0. Removed passages are left out.
   */
  readStarts(owner: string, places: readonly number[]): Promise<Map<number, number>>;
  /** Reads up to `count` passages before and after the given one in the same text, in order, without the given one. */
  readNeighbours(owner: string, place: number, count: number): Promise<Passage[]>;

  /** Returns the number of the first passage of each entry by the entry's id. Missing entries are left out. */
  listFirstPlaces(owner: string, ids: readonly string[]): Promise<Map<string, number>>;
  /**
   * Finds the entries of a collection that contain most of the given index words, from up to `limit` passages, each with its
   * first `chars` characters. Very common words are skipped. Takes one step of bounded work.
   */
  findSharing(
    owner: string,
    words: readonly string[],
    bounds: { readonly collection: string; readonly limit: number; readonly chars: number },
  ): Promise<{ readonly id: string; readonly text: string }[]>;

  /** Lists models with vectors of the owner, complete below passage number `embedded`, the most complete first. */
  listModels(owner: string): Promise<{ readonly name: string; readonly embedded: number }[]>;
  /** Lists vectors in the order of passage numbers, from `from` on. */
  listVectors(owner: string, model: string, from: number, limit: number): Promise<PlacedVector[]>;
  readVectors(owner: string, model: string, places: readonly number[]): Promise<Map<number, Float32Array>>;
  /** Lists passage numbers in use, from `from` on. */
  listPlaces(owner: string, from: number, limit: number): Promise<number[]>;
  /** Lists owners with waiting passages; `multilingual`: only users (true) or non-users of the multilingual model. */
  listWaitingOwners(model: string, multilingual?: boolean): Promise<string[]>;
  /** Returns the number that represents an owner where a name cannot. Undefined if nothing of the owner is stored. */
  numberOf(owner: string): Promise<number | undefined>;
  ownerOf(number: number): Promise<string | undefined>;
  listUnembedded(owner: string, model: string, limit: number): Promise<Unembedded[]>;
  /** Stores vectors of the first passages without one, below `below`. Passages left out never get a vector. */
  putVectors(owner: string, model: string, below: number, vectors: readonly PlacedVector[]): Promise<void>;
  /**
   * Sets aside vectors of the model if they have another length, since its name stands for another model now. They are dropped
   * later as if the model were unused, and their passages are embedded again. False if there were none.
   */
  setAsideVectors(model: string, dimensions: number): Promise<boolean>;
  /** Counts the owner's passages without a vector outside the trash, up to `most`; approximate over 10,000. */
  countPending(owner: string, model: string, most?: number): Promise<number>;
  /** Counts passages of all owners; `multilingual`: only of users (true) or non-users of the multilingual model. */
  readProgress(
    model: string,
    multilingual?: boolean,
  ): Promise<{ readonly done: number; readonly total: number }>;
  /**
   * Reports the models as used. Drops some vectors of unused models, once no passage waits for a vector of a used one. Returns
   * false when none is left.
   */
  tendModels(models: ModelNames): Promise<boolean>;
  /**
   * Drops one owner's vectors of the model that the owner no longer uses, once all vectors of the owner's model exist and no
   * process has used the old one for all owners in the last minutes. Works in steps, each durable. Undefined when none is left.
   */
  dropUnused(models: Required<ModelNames>): Promise<DroppedVectors | undefined>;

  /** Returns the counters that decide which model the owner uses, and which one it is. */
  readLanguages(owner: string): Promise<LanguageCounts>;
  /** Counts the passages of entries, without files, that are known not to be in English. */
  countNonEnglish(owner: string): Promise<number>;
  /** Adds the weight of a question that was not in English. */
  countQuestion(owner: string, weight: number): Promise<void>;
  /** Counts the owners who have passages, and those of them who use the multilingual model. */
  countLanguages(): Promise<{ readonly owners: number; readonly multilingual: number }>;
  /** Detects the language of texts where it is unknown, and decays the weight of questions. In steps, until aborted. */
  settleLanguages(signal: AbortSignal): Promise<void>;

  /** Returns the changes by other processes since the last call. Costs almost nothing if there are none. */
  readChanges(): Promise<Change[]>;
  /** Cleans up after ended processes, and deletes changes that all have read. In steps, until aborted. */
  cleanUp(signal: AbortSignal): Promise<void>;
  /**
   * Builds missing vector indexes for owners with very many passages and drops unused ones, while all other work continues. Takes
   * long, and one process does it at a time. Undefined if the database has no such indexes.
   */
  tendGraphs?(signal: AbortSignal): Promise<TendedGraphs>;
}
