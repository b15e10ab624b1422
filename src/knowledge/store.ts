import type { LanguageCounts } from './embedding/languages.ts';
import type { PassageNumbers } from './ranking/passage-number-set.ts';
import type {
  CollectionSummary,
  EntryFilter,
  InsertResult,
  KnowledgeEntry,
  PageRange,
  Passage,
  PassageMatch,
  ReplacedTextFate,
  RestoredEntries,
  RestoreTarget,
  TagCount,
  TrashBatch,
} from './types.ts';

export interface NewPassage {
  readonly title: string;
  readonly text: string;
  readonly page?: number;
}

export interface ChunkedEntry {
  readonly title: string;
  readonly source: string;
  readonly tags: readonly string[];
  readonly collection: string;
  readonly key: string;
  readonly validUntil?: number;
  readonly digest: Uint8Array;
  readonly passages: readonly NewPassage[];
}

export interface EntryAddition {
  readonly owner: string;
  readonly entry: ChunkedEntry;
  readonly times?: Pick<KnowledgeEntry, 'createdAt' | 'updatedAt'>;
  /** True if a person says the text now. A known text is then as new as a text that is inserted now. */
  readonly isSaidNow?: boolean;
  readonly replaced?: ReplacedTextFate;
}

export interface EntryCounts {
  readonly records: number;
  readonly passages: number;
  readonly bytes: number;
  readonly oldest?: number;
  readonly newest?: number;
}

export interface OwnerCounters {
  readonly searched: number;
  /** Number of the next passage. Numbers increase and are never reused. */
  readonly next: number;
  readonly removals: number;
  readonly restores: number;
  /** For passages with numbers below this one, embedding by the requested model is complete. */
  readonly embedded: number;
}

export interface PassageScore {
  readonly place: number;
  readonly score: number;
}

export interface WordSearchResult {
  readonly scored: PassageScore[];
  /** BM25 score of an average passage that has each word once: the sum of the words' idf. */
  readonly allWords: number;
  /** Part of `allWords` of words such as `what`, which name no subject, that no searched passage has. */
  readonly unsaid?: number;
  readonly rare: ReadonlyMap<string, readonly number[]>;
  readonly common: readonly string[];
  /** Words that no searched passage has. */
  readonly missing: readonly string[];
}

export interface CandidateRequest {
  readonly text: string;
  readonly most: number;
  readonly within: PassageNumbers | undefined;
  readonly near: { readonly model: string; readonly vector: Float32Array } | undefined;
}

export interface FoundCandidates {
  readonly lexical: WordSearchResult;
  readonly near: readonly PassageScore[];
  readonly found: readonly FoundPassage[];
  readonly vectors: ReadonlyMap<number, Float32Array>;
}

export interface GraphUpkeepResult {
  readonly built: number;
  readonly dropped: number;
}

export interface EntryChange {
  readonly owner: string;
  readonly ids: readonly string[];
}

export interface PassageRange {
  readonly first: number;
  readonly passages: number;
}

export interface FoundPassage
  extends Pick<
    PassageMatch,
    'passage' | 'source' | 'tags' | 'collection' | 'key' | 'createdAt' | 'validUntil'
  > {
  readonly place: number;
  readonly updatedAt: number;
}

export interface PassageVector {
  readonly place: number;
  readonly vector: Float32Array;
}

export interface UnembeddedPassage {
  readonly place: number;
  readonly title: string;
  readonly text: string;
}

/** Names of the embedding models. With `multilingual`, `common` serves only owners with English texts. */
export interface EmbeddingModelNames {
  readonly common: string;
  readonly multilingual?: string;
}

export interface DroppedVectors {
  readonly owner: string;
  readonly model: string;
}

/** Stores entries, passages and vectors of each owner. `place` is a passage's number, unique for its owner. */
export interface EntryStore {
  /** Adds entries in one transaction. An entry with a known key replaces the stored text of that key. */
  insertEntries(additions: readonly EntryAddition[]): Promise<InsertResult[]>;
  /** Changes an entry. Throws AppError `not_found`, or `bad_request` if another entry has the text or key. */
  updateEntry(
    owner: string,
    id: string,
    entry: ChunkedEntry,
    replaced?: ReplacedTextFate,
    updatedAt?: number,
  ): Promise<KnowledgeEntry>;
  removeEntry(owner: string, id: string): Promise<boolean>;
  findEntry(owner: string, id: string): Promise<KnowledgeEntry | undefined>;
  hasEntry(owner: string, id: string): Promise<boolean>;
  findEntryByKey(owner: string, collection: string, key: string): Promise<KnowledgeEntry | undefined>;
  listCollections(owner: string): Promise<CollectionSummary[]>;
  listTags(owner: string, limit: number, after?: string): Promise<TagCount[]>;
  listEntries(
    owner: string,
    limit: number,
    order: 'newest' | 'oldest',
    cursor?: string,
    filter?: EntryFilter,
  ): Promise<{ readonly entries: KnowledgeEntry[]; readonly next?: string }>;
  readCounts(owner: string, collection?: string): Promise<EntryCounts>;
  countBytes(owner: string): Promise<number>;
  /** Removes entries permanently, in several transactions. Calls `gone` with the ids of each transaction. */
  removeAllEntries(
    owner: string,
    collection?: string,
    gone?: (ids: readonly string[]) => void,
  ): Promise<number>;

  /** Moves entries to the trash, as a new batch or into `into`. Calls `moved` with each transaction's ids. */
  moveToTrash(
    owner: string,
    which?: string | readonly string[] | { readonly collection: string },
    moved?: (ids: readonly string[]) => void,
    into?: string,
  ): Promise<{ readonly records: number; readonly batch?: string }>;
  /** Restores entries in several transactions, and calls `back` with the ids of each transaction. */
  restoreFromTrash(
    owner: string,
    which: RestoreTarget,
    back?: (ids: readonly string[]) => void,
    collection?: string,
  ): Promise<RestoredEntries & { readonly unfinished?: unknown }>;
  listTrash(
    owner: string,
    limit: number,
    collection?: string,
    before?: string,
  ): Promise<{ readonly batches: TrashBatch[]; readonly records: number; readonly bytes: number }>;
  /** Permanently removes entries trashed by `until` (microseconds since 1970). Returns their number. */
  purgeTrash(until: number, signal: AbortSignal, owner?: string, collection?: string): Promise<number>;
  /** Permanently removes old trash batches if the newer ones exceed `most`. Returns the number of entries. */
  trimTrash(
    owner: string,
    most: { readonly records: number; readonly bytes: number },
    signal: AbortSignal,
  ): Promise<number>;

  /** Stores a file. Once its last passage is stored, the file replaces an earlier one of the same name. */
  putFile(
    owner: string,
    file: { readonly name: string; readonly title: string; readonly collection?: string },
    passages: AsyncIterable<readonly NewPassage[]>,
  ): Promise<number>;
  removeFile(owner: string, name: string): Promise<number>;
  listHiddenPassages(owner: string): Promise<PassageRange[]>;

  readStanding(owner: string, model: string): Promise<OwnerCounters>;
  findByWords(owner: string, text: string, limit: number, within?: PassageNumbers): Promise<WordSearchResult>;
  /** Finds candidates with their data in one query. Only a database that compares vectors has this method. */
  findCandidates?(owner: string, question: CandidateRequest): Promise<FoundCandidates>;
  filterPlaces(owner: string, filter: EntryFilter): Promise<PassageNumbers | undefined>;
  listFilePlaces(owner: string, name: string, pages: PageRange): Promise<PassageNumbers | undefined>;
  listNewestPlaces(owner: string, limit: number, within?: PassageNumbers): Promise<number[]>;
  readPassages(owner: string, places: readonly number[]): Promise<FoundPassage[]>;
  /** Reads where each passage begins in its entry or page, in Unicode code points from 0. */
  readStarts(owner: string, places: readonly number[]): Promise<Map<number, number>>;
  readNeighbours(owner: string, place: number, count: number): Promise<Passage[]>;

  listFirstPlaces(owner: string, ids: readonly string[]): Promise<Map<string, number>>;
  findSharing(
    owner: string,
    words: readonly string[],
    bounds: { readonly collection: string; readonly limit: number; readonly chars: number },
  ): Promise<{ readonly id: string; readonly title: string; readonly text: string }[]>;

  /** Lists the models, the most complete first. All passages numbered below `embedded` have a vector. */
  listModels(owner: string): Promise<{ readonly name: string; readonly embedded: number }[]>;
  listVectors(owner: string, model: string, from: number, limit: number): Promise<PassageVector[]>;
  readVectors(owner: string, model: string, places: readonly number[]): Promise<Map<number, Float32Array>>;
  listPlaces(owner: string, from: number, limit: number): Promise<number[]>;
  /** With `multilingual`, lists only owners who use that model (true) or do not use it (false). */
  listWaitingOwners(model: string, multilingual?: boolean): Promise<string[]>;
  numberOf(owner: string): Promise<number | undefined>;
  ownerOf(number: number): Promise<string | undefined>;
  listUnembedded(owner: string, model: string, limit: number): Promise<UnembeddedPassage[]>;
  /** Stores vectors of passages with numbers below `below`. Passages not in `vectors` never get vectors. */
  putVectors(owner: string, model: string, below: number, vectors: readonly PassageVector[]): Promise<void>;
  /** Renames a model's stored vectors if their length is not `dimensions`, so that new vectors are made. */
  setAsideVectors(model: string, dimensions: number): Promise<boolean>;
  /** Counts passages outside the trash without a vector, up to `most`. Numbers above 10,000 are estimates. */
  countPending(owner: string, model: string, most?: number): Promise<number>;
  readProgress(
    model: string,
    multilingual?: boolean,
  ): Promise<{ readonly done: number; readonly total: number }>;
  /** Records which models are in use. If no passage waits, deletes some vectors of an unused model. */
  tendModels(models: EmbeddingModelNames): Promise<boolean>;
  dropUnused(models: Required<EmbeddingModelNames>): Promise<DroppedVectors | undefined>;

  readLanguages(owner: string): Promise<LanguageCounts>;
  countNonEnglish(owner: string): Promise<number>;
  countQuestion(owner: string, weight: number): Promise<void>;
  countLanguages(): Promise<{ readonly owners: number; readonly multilingual: number }>;
  /** Detects missing languages of texts. Then lowers the weights of old questions. Stops when aborted. */
  settleLanguages(signal: AbortSignal): Promise<void>;

  /** Returns the changes by other processes since the last call. The call is cheap if nothing has changed. */
  readChanges(): Promise<EntryChange[]>;
  /** Completes the work of ended processes. Deletes rows of the change log that all processes have read. */
  cleanUp(signal: AbortSignal): Promise<void>;
  /** Updates words that an older version indexed, in one process at a time. Returns the number of passages. */
  renewWords(signal: AbortSignal): Promise<number>;
  /** In PostgreSQL, builds missing vector indexes and drops unused ones. That takes minutes. */
  tendGraphs?(signal: AbortSignal): Promise<GraphUpkeepResult>;
}
