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
  readonly digest: Uint8Array;
  readonly passages: readonly NewPassage[];
}

export interface EntryAddition {
  readonly owner: string;
  readonly entry: PreparedEntry;
  readonly times?: Pick<Entry, 'createdAt' | 'updatedAt'>;
  /** What happens to the previous text with the entry's key. Default: it goes to the trash. */
  readonly replaced?: ReplacedTextFate;
}

export interface Counts {
  readonly records: number;
  readonly passages: number;
  readonly bytes: number;
  readonly oldest?: number;
  readonly newest?: number;
}

/** Counters of an owner, which show what has changed since the owner's vector index was updated. */
export interface OwnerCounters {
  readonly searched: number;
  /** Number that the next passage gets. Passage numbers increase and are never reused. */
  readonly next: number;
  readonly removals: number;
  readonly restores: number;
  /** Below this passage number, no passage waits for a vector of the requested model. */
  readonly embedded: number;
}

export interface Scored {
  readonly place: number;
  readonly score: number;
}

export interface WordSearchResult {
  readonly scored: Scored[];
  /** BM25 score of an average passage with every word once. It is the sum of the words' idf. */
  readonly allWords: number;
  readonly rare: ReadonlyMap<string, readonly number[]>;
  readonly common: readonly string[];
}

export interface CandidateQuestion {
  readonly text: string;
  readonly most: number;
  readonly within: PassageNumbers | undefined;
  readonly near: { readonly model: string; readonly vector: Float32Array } | undefined;
}

export interface FoundCandidates {
  /** Result of the word search. It also has the word scores of candidates that the vector search found. */
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
  readonly updatedAt: number;
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

/** `common` serves all owners or, if `multilingual` is set, the owners whose texts are in English. */
export interface ModelNames {
  readonly common: string;
  readonly multilingual?: string;
}

export interface DroppedVectors {
  readonly owner: string;
  readonly model: string;
}

/** Storage of entries, passages and vectors, separate for each owner. `place` is a passage's number, unique for its owner. */
export interface EntryStore {
  /** Inserts entries in one transaction. Each text exists once per collection and key. An existing key gets the new text. */
  insertEntries(additions: readonly EntryAddition[]): Promise<InsertResult[]>;
  /** Changes an entry. Throws AppError `not_found`, or `bad_request` if another entry has the new text or key. */
  updateEntry(owner: string, id: string, entry: PreparedEntry, replaced?: ReplacedTextFate): Promise<Entry>;
  /** Removes an entry and its earlier texts permanently, including those in the trash. */
  removeEntry(owner: string, id: string): Promise<boolean>;
  findEntry(owner: string, id: string): Promise<Entry | undefined>;
  hasEntry(owner: string, id: string): Promise<boolean>;
  findEntryByKey(owner: string, collection: string, key: string): Promise<Entry | undefined>;
  listCollections(owner: string): Promise<Collection[]>;
  listTags(owner: string, limit: number, after?: string): Promise<TagCount[]>;
  listEntries(
    owner: string,
    limit: number,
    order: 'newest' | 'oldest',
    cursor?: string,
    filter?: EntryFilter,
  ): Promise<{ readonly entries: Entry[]; readonly next?: string }>;
  readCounts(owner: string, collection?: string): Promise<Counts>;
  countBytes(owner: string): Promise<number>;
  /** Removes all entries (of a collection) permanently, in durable steps. `gone` gets each step's ids. */
  removeAllEntries(
    owner: string,
    collection?: string,
    gone?: (ids: readonly string[]) => void,
  ): Promise<number>;

  /** Moves entries to the trash in durable steps. `moved` gets each step's ids. `into` is an existing batch. */
  moveToTrash(
    owner: string,
    which?: string | readonly string[] | { readonly collection: string },
    moved?: (ids: readonly string[]) => void,
    into?: string,
  ): Promise<{ readonly records: number; readonly batch?: string }>;
  /** Restores entries in durable steps. `back` gets each step's ids. cleanUp() completes the work of `unfinished`. */
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
  /** Permanently removes entries moved to the trash at or before `until` (microseconds since 1970). Returns their number. */
  purgeTrash(until: number, signal: AbortSignal, owner?: string, collection?: string): Promise<number>;
  /** Permanently removes the oldest trash batches if newer ones exceed `most`. Returns the number of entries. */
  trimTrash(
    owner: string,
    most: { readonly records: number; readonly bytes: number },
    signal: AbortSignal,
  ): Promise<number>;

  /** Stores a file. After its last passage is stored, the file replaces the earlier file of the same name. */
  putFile(
    owner: string,
    file: { readonly name: string; readonly title: string; readonly collection?: string },
    passages: AsyncIterable<readonly NewPassage[]>,
  ): Promise<number>;
  removeFile(owner: string, name: string): Promise<number>;
  listHiddenPassages(owner: string): Promise<PassageRange[]>;

  readStanding(owner: string, model: string): Promise<OwnerCounters>;
  findByWords(owner: string, text: string, limit: number, within?: PassageNumbers): Promise<WordSearchResult>;
  /** Finds candidates, with the data for their ranking, in one query. Undefined if the database does not compare vectors. */
  findCandidates?(owner: string, question: CandidateQuestion): Promise<FoundCandidates>;
  filterPlaces(owner: string, filter: EntryFilter): Promise<PassageNumbers | undefined>;
  listFilePlaces(owner: string, name: string, pages: PageRange): Promise<PassageNumbers | undefined>;
  listNewestPlaces(owner: string, limit: number, within?: PassageNumbers): Promise<number[]>;
  readPassages(owner: string, places: readonly number[]): Promise<FoundPassage[]>;
  /** Returns where each passage begins in its entry or page, in characters (Unicode code points) from 0. */
  readStarts(owner: string, places: readonly number[]): Promise<Map<number, number>>;
  /** Reads up to `count` passages before and after a passage of the same text, in order. The passage itself is left out. */
  readNeighbours(owner: string, place: number, count: number): Promise<Passage[]>;

  listFirstPlaces(owner: string, ids: readonly string[]): Promise<Map<string, number>>;
  findSharing(
    owner: string,
    words: readonly string[],
    bounds: { readonly collection: string; readonly limit: number; readonly chars: number },
  ): Promise<{ readonly id: string; readonly title: string; readonly text: string }[]>;

  /** Lists models with vectors of the owner, the most complete first. All passages below number `embedded` have their vector. */
  listModels(owner: string): Promise<{ readonly name: string; readonly embedded: number }[]>;
  listVectors(owner: string, model: string, from: number, limit: number): Promise<PlacedVector[]>;
  readVectors(owner: string, model: string, places: readonly number[]): Promise<Map<number, Float32Array>>;
  listPlaces(owner: string, from: number, limit: number): Promise<number[]>;
  /** Lists owners with waiting passages. `multilingual` selects owners who use (true) or do not use (false) that model. */
  listWaitingOwners(model: string, multilingual?: boolean): Promise<string[]>;
  /** Returns a number that identifies the owner where a name cannot be used. Undefined if the owner has no data. */
  numberOf(owner: string): Promise<number | undefined>;
  ownerOf(number: number): Promise<string | undefined>;
  listUnembedded(owner: string, model: string, limit: number): Promise<UnembeddedPassage[]>;
  /** Stores vectors of the passages up to number `below`. A passage that is missing in `vectors` never gets a vector. */
  putVectors(owner: string, model: string, below: number, vectors: readonly PlacedVector[]): Promise<void>;
  /** Sets aside the model's vectors of another length, to embed again. Returns false if there are none. */
  setAsideVectors(model: string, dimensions: number): Promise<boolean>;
  /** Counts the owner's passages without a vector outside the trash, up to `most`. A number above 10,000 is approximate. */
  countPending(owner: string, model: string, most?: number): Promise<number>;
  readProgress(
    model: string,
    multilingual?: boolean,
  ): Promise<{ readonly done: number; readonly total: number }>;
  /**
   * Records that the models are in use. If no passage waits, drops vectors of unused models. Returns false if none is
   * left.
   */
  tendModels(models: ModelNames): Promise<boolean>;
  /** Drops an owner's vectors of a model no longer used. Returns undefined if there are none. */
  dropUnused(models: Required<ModelNames>): Promise<DroppedVectors | undefined>;

  readLanguages(owner: string): Promise<LanguageCounts>;
  countNonEnglish(owner: string): Promise<number>;
  countQuestion(owner: string, weight: number): Promise<void>;
  countLanguages(): Promise<{ readonly owners: number; readonly multilingual: number }>;
  /** Detects the unknown languages of texts, and reduces the weights of old questions. Works in steps, until aborted. */
  settleLanguages(signal: AbortSignal): Promise<void>;

  /** Returns the changes by other processes since the last call. This is cheap if nothing has changed. */
  readChanges(): Promise<Change[]>;
  /** Cleans up after ended processes. Deletes changes that all processes have read. Works in steps, until aborted. */
  cleanUp(signal: AbortSignal): Promise<void>;
  /** Renews index words of an earlier version, in one process at a time. Returns the number of changed passages. */
  renewWords(signal: AbortSignal): Promise<number>;
  /** Builds missing vector indexes and drops unused ones, for minutes. Undefined without vector indexes. */
  tendGraphs?(signal: AbortSignal): Promise<GraphUpkeepResult>;
}
