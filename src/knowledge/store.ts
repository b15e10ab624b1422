import type { LanguageCounts } from './embedding/languages.ts';
import type { PassageNumbers } from './ranking/passage-number-set.ts';
import type {
  Collection,
  Entry,
  EntryFilter,
  InsertResult,
  Match,
  PageRange,
  Passage,
  ReplacedTextFate,
  RestoreTarget,
  TagCount,
  TrashBatch,
} from './types.ts';

export interface NewPassage {
  readonly title: string;
  readonly text: string;
  readonly page?: number;
}

export interface PreparedEntry {
  readonly title: string;
  readonly source: string;
  readonly tags: readonly string[];
  readonly collection: string;
  readonly key: string;
  /** Digest of the text, 16 bytes. Equal texts have the same digest. */
  readonly digest: Uint8Array;
  readonly passages: readonly NewPassage[];
}

export interface EntryAddition {
  readonly owner: string;
  readonly entry: PreparedEntry;
  /** Earlier times of the entry in microseconds since 1970. Default: now. */
  readonly times?: Pick<Entry, 'createdAt' | 'updatedAt'>;
  /** What happens to the text that had the entry's key. By default it goes to the trash. */
  readonly replaced?: ReplacedTextFate;
}

export interface Counts {
  readonly records: number;
  readonly passages: number;
  readonly bytes: number;
  readonly oldest?: number;
  readonly newest?: number;
}

/** Counters of an owner, by which the index of the owner's vectors is kept up to date. */
export interface OwnerCounters {
  readonly searched: number;
  /** Number that the next passage gets. Numbers increase and are never reused. */
  readonly next: number;
  readonly removals: number;
  /** Number of restores. Restored passages have numbers that an index may already have read past. */
  readonly restores: number;
  /** Number of a passage. All earlier passages have their vector of the requested model, or will never get one. */
  readonly embedded: number;
}

export interface Scored {
  readonly place: number;
  readonly score: number;
}

export interface WordSearchResult {
  readonly scored: Scored[];
  /** BM25 score of a passage of mean length that contains every word once: the sum of the words' rarity (idf). */
  readonly allWords: number;
  readonly rare: ReadonlyMap<string, readonly number[]>;
  /** Words that were not searched because too many passages contain them. */
  readonly common: readonly string[];
}

export interface CandidateQuestion {
  readonly text: string;
  readonly most: number;
  readonly within: PassageNumbers | undefined;
  /** Vector of the query and name of its model. If undefined, only words are searched. */
  readonly near: { readonly model: string; readonly vector: Float32Array } | undefined;
}

export interface FoundCandidates {
  /** Result of the search by words. It also has the word scores of candidates that vectors found. */
  readonly lexical: WordSearchResult;
  readonly near: readonly Scored[];
  readonly found: readonly FoundPassage[];
  readonly vectors: ReadonlyMap<number, Float32Array>;
}

export interface GraphUpkeepResult {
  readonly built: number;
  readonly dropped: number;
}

export interface Change {
  readonly owner: string;
  readonly ids: readonly string[];
}

export interface PassageRange {
  readonly first: number;
  readonly passages: number;
}

export interface FoundPassage
  extends Pick<Match, 'passage' | 'source' | 'tags' | 'collection' | 'key' | 'createdAt'> {
  readonly place: number;
}

export interface PlacedVector {
  readonly place: number;
  readonly vector: Float32Array;
}

export interface UnembeddedPassage {
  readonly place: number;
  readonly title: string;
  readonly text: string;
}

/** Names of the models: `common` for all owners or, with `multilingual`, for owners whose texts and questions are in English. */
export interface ModelNames {
  readonly common: string;
  readonly multilingual?: string;
}

/** An owner whose vectors of a model were dropped because the owner no longer uses that model. */
export interface DroppedVectors {
  readonly owner: string;
  readonly model: string;
}

/** Storage of the data, separate by owner. `place` is the number of a passage among its owner's passages. */
export interface EntryStore {
  /** Inserts entries in order, in one transaction, each text once per collection and key. An existing key gets the new text. */
  insertEntries(additions: readonly EntryAddition[]): Promise<InsertResult[]>;
  /** Changes an entry. Throws AppError `not_found`, or `bad_request` if another entry has the new text or key. */
  updateEntry(owner: string, id: string, entry: PreparedEntry, replaced?: ReplacedTextFate): Promise<Entry>;
  /** Removes an entry and its earlier texts permanently, even if they are in the trash. */
  removeEntry(owner: string, id: string): Promise<boolean>;
  findEntry(owner: string, id: string): Promise<Entry | undefined>;
  hasEntry(owner: string, id: string): Promise<boolean>;
  findEntryByKey(owner: string, collection: string, key: string): Promise<Entry | undefined>;
  listCollections(owner: string): Promise<Collection[]>;
  /** Lists tags sorted by name (in UTF-16 units), beginning after the tag `after`. Reads the tags of all entries, in steps. */
  listTags(owner: string, limit: number, after?: string): Promise<TagCount[]>;
  listEntries(
    owner: string,
    limit: number,
    order: 'newest' | 'oldest',
    cursor?: string,
    filter?: EntryFilter,
  ): Promise<{ readonly entries: Entry[]; readonly next?: string }>;
  readCounts(owner: string, collection?: string): Promise<Counts>;
  /** Returns the size in bytes of all the owner's texts outside the trash. Unlike `readCounts`, it reads a single counter. */
  countBytes(owner: string): Promise<number>;
  /**
   * Removes all entries of the owner or a collection permanently, in steps, and returns their number. `gone` gets the ids of each
   * step, some hundred at most. Entries that are added during the removal stay. A step may fail after others succeeded.
   */
  removeAllEntries(
    owner: string,
    collection?: string,
    gone?: (ids: readonly string[]) => void,
  ): Promise<number>;

  /**
   * Moves entries to the trash, in durable steps. Entries that are added during the move stay. `moved` gets the ids of each step,
   * some thousand at most, even if a later step fails. `into` names an existing batch to add to.
   */
  moveToTrash(
    owner: string,
    which?: string | readonly string[] | { readonly collection: string },
    moved?: (ids: readonly string[]) => void,
    into?: string,
  ): Promise<{ readonly records: number; readonly batch?: string }>;
  /**
   * Restores entries with ids and times, in durable steps; `back` gets the ids of each step, some hundred at most. If another
   * entry has the same text, it gets the tags. If another has the same key, the restored entry stays in the trash as a replaced
   * text. `known` counts both cases. `unfinished` is the error of later work, which cleanUp() and purgeTrash() complete.
   */
  restoreFromTrash(
    owner: string,
    which: RestoreTarget,
    back?: (ids: readonly string[]) => void,
    collection?: string,
  ): Promise<{ readonly records: number; readonly known: number; readonly unfinished?: unknown }>;
  listTrash(
    owner: string,
    limit: number,
    collection?: string,
    before?: string,
  ): Promise<{ readonly batches: TrashBatch[]; readonly records: number; readonly bytes: number }>;
  /** Permanently removes entries that were moved to the trash by `until` (microseconds). Returns the number of entries. */
  purgeTrash(until: number, signal: AbortSignal, owner?: string, collection?: string): Promise<number>;
  /** Permanently removes the oldest trash batches if newer batches alone fill the limit. Returns the number of removed ones. */
  trimTrash(
    owner: string,
    most: { readonly records: number; readonly bytes: number },
    signal: AbortSignal,
  ): Promise<number>;

  /** Stores a file. When the last passage is stored, the file replaces an earlier file of the same name. */
  putFile(
    owner: string,
    file: { readonly name: string; readonly title: string; readonly collection?: string },
    passages: AsyncIterable<readonly NewPassage[]>,
  ): Promise<number>;
  /** Hides a file at once. Resolves to the number of its passages after they are removed. */
  removeFile(owner: string, name: string): Promise<number>;
  listHiddenPassages(owner: string): Promise<PassageRange[]>;

  readStanding(owner: string, model: string): Promise<OwnerCounters>;
  findByWords(owner: string, text: string, limit: number, within?: PassageNumbers): Promise<WordSearchResult>;
  /** Finds candidates with the data for their ranking in one query. Undefined if this process compares vectors itself. */
  findCandidates?(owner: string, question: CandidateQuestion): Promise<FoundCandidates>;
  filterPlaces(owner: string, filter: EntryFilter): Promise<PassageNumbers | undefined>;
  listFilePlaces(owner: string, name: string, pages: PageRange): Promise<PassageNumbers | undefined>;
  listNewestPlaces(owner: string, limit: number, within?: PassageNumbers): Promise<number[]>;
  readPassages(owner: string, places: readonly number[]): Promise<FoundPassage[]>;
  /** Returns where each passage begins in its entry or page, in characters (Unicode code points) from 0. */
  readStarts(owner: string, places: readonly number[]): Promise<Map<number, number>>;
  /** Reads up to `count` passages before and after the given passage in the same text, in order, without the given passage. */
  readNeighbours(owner: string, place: number, count: number): Promise<Passage[]>;

  listFirstPlaces(owner: string, ids: readonly string[]): Promise<Map<string, number>>;
  /**
   * Finds entries that contain most of the index words, from up to `limit` passages. Returns each with its first `chars`
   * characters. Skips very common words. Takes one bounded step.
   */
  findSharing(
    owner: string,
    words: readonly string[],
    bounds: { readonly collection: string; readonly limit: number; readonly chars: number },
  ): Promise<{ readonly id: string; readonly text: string }[]>;

  /** Lists models with vectors of the owner, the most complete first. Vectors are complete below passage number `embedded`. */
  listModels(owner: string): Promise<{ readonly name: string; readonly embedded: number }[]>;
  listVectors(owner: string, model: string, from: number, limit: number): Promise<PlacedVector[]>;
  readVectors(owner: string, model: string, places: readonly number[]): Promise<Map<number, Float32Array>>;
  listPlaces(owner: string, from: number, limit: number): Promise<number[]>;
  /** Lists owners with waiting passages. `multilingual` selects users (true) or non-users (false) of the multilingual model. */
  listWaitingOwners(model: string, multilingual?: boolean): Promise<string[]>;
  /** Returns the number that represents an owner if a name cannot be used. Undefined if no data of the owner is stored. */
  numberOf(owner: string): Promise<number | undefined>;
  ownerOf(number: number): Promise<string | undefined>;
  listUnembedded(owner: string, model: string, limit: number): Promise<UnembeddedPassage[]>;
  /** Stores vectors of the passages without a vector, up to number `below`. Passages that are left out never get a vector. */
  putVectors(owner: string, model: string, below: number, vectors: readonly PlacedVector[]): Promise<void>;
  /**
   * Sets aside the model's vectors of another length, since the model's name stands for another model now. They are dropped later
   * and their passages embedded again. Returns false if there were no such vectors.
   */
  setAsideVectors(model: string, dimensions: number): Promise<boolean>;
  /** Counts the owner's passages without a vector outside the trash, up to `most`. The number is approximate over 10,000. */
  countPending(owner: string, model: string, most?: number): Promise<number>;
  /** Counts passages of all owners, or only of users (`multilingual` true) or non-users (false) of the multilingual model. */
  readProgress(
    model: string,
    multilingual?: boolean,
  ): Promise<{ readonly done: number; readonly total: number }>;
  /** Reports the models as used. Once no passage waits, drops some vectors of unused models. Returns false when none is left. */
  tendModels(models: ModelNames): Promise<boolean>;
  /**
   * Drops one owner's vectors of the unused model, once the vectors of the owner's model are complete and no process has used the
   * old vectors in the last minutes. Works in durable steps; returns undefined when none is left.
   */
  dropUnused(models: Required<ModelNames>): Promise<DroppedVectors | undefined>;

  readLanguages(owner: string): Promise<LanguageCounts>;
  countNonEnglish(owner: string): Promise<number>;
  countQuestion(owner: string, weight: number): Promise<void>;
  countLanguages(): Promise<{ readonly owners: number; readonly multilingual: number }>;
  /** Detects the language of texts if it is unknown, and decays the weight of questions. Works in steps, until aborted. */
  settleLanguages(signal: AbortSignal): Promise<void>;

  /** Returns the changes by other processes since the last call. Costs almost nothing if there are none. */
  readChanges(): Promise<Change[]>;
  /** Cleans up after ended processes, and deletes changes that all processes have read. Works in steps, until aborted. */
  cleanUp(signal: AbortSignal): Promise<void>;
  /**
   * Gives passages that an earlier version has indexed the words of this one, in small durable steps, in one process at a time.
   * Returns the number of passages with other words, also when aborted.
   */
  renewWords(signal: AbortSignal): Promise<number>;
  /**
   * Builds missing vector indexes for owners with very many passages and drops unused indexes, in one process at a time. Takes
   * long. The method is undefined if the database has no vector indexes.
   */
  tendGraphs?(signal: AbortSignal): Promise<GraphUpkeepResult>;
}
