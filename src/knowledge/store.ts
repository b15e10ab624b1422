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

/** A piece of text as it is kept. Joined in order, the passages of an entry are its text. */
export interface NewPassage {
  readonly title: string;
  readonly text: string;
  readonly page?: number;
}

/** An entry that is checked and cut. */
export interface PreparedEntry {
  readonly title: string;
  readonly source: string;
  readonly tags: readonly string[];
  readonly collection: string;
  /** Empty for none. */
  readonly key: string;
  /** The same for the same text; 16 bytes. */
  readonly digest: Uint8Array;
  readonly passages: readonly NewPassage[];
}

/** One of a batch of entries, which may be of several owners. */
export interface Addition {
  readonly owner: string;
  readonly entry: PreparedEntry;
  /** Microseconds that it had before; without them, it is of now. */
  readonly times?: Pick<Entry, 'createdAt' | 'updatedAt'>;
  /** What becomes of a text whose key it takes; to the trash when left out. */
  readonly replaced?: Replaced;
}

export interface Counts {
  readonly records: number;
  readonly passages: number;
  readonly bytes: number;
  readonly oldest?: number;
  readonly newest?: number;
}

/** The owner's counters, by which an index of the owner's vectors follows the store. */
export interface Standing {
  /** Passages of entries and files. */
  readonly searched: number;
  /** Number that the next passage gets. Numbers grow and are not used again. */
  readonly next: number;
  /** Grows whenever passages are removed. */
  readonly removals: number;
  /** Grows whenever entries come back from the trash: their passages have numbers that were passed before. */
  readonly restores: number;
  /** Passages below it have their vector of the model that was asked for, or never get one. */
  readonly embedded: number;
}

export interface Scored {
  readonly place: number;
  readonly score: number;
}

/** What is found by words. */
export interface Lexical {
  /** Best first; BM25, above 0. */
  readonly scored: Scored[];
  /** BM25 of a passage of mean length that has every word once: the sum of the words' rarity (idf). */
  readonly allWords: number;
  /** Words that stand in few stretches of passages, and their places, of text or title: maybe of few entries. */
  readonly rare: ReadonlyMap<string, readonly number[]>;
  /** Words that so many passages have that they were not looked up. */
  readonly common: readonly string[];
}

/** A question as the candidates for its answer are sought. */
export interface CandidateQuestion {
  readonly text: string;
  /** Candidates by words, and by vectors. */
  readonly most: number;
  /** Places that are searched; all when undefined. */
  readonly within: Places | undefined;
  /** The model's vector of the question; by words alone when undefined. */
  readonly near: { readonly model: string; readonly vector: Float32Array } | undefined;
}

/** Candidates, and what they are ranked by. */
export interface FoundCandidates {
  /** With the scores of what vectors found. */
  readonly lexical: Lexical;
  /** Nearest first. */
  readonly near: readonly Scored[];
  readonly found: readonly FoundPassage[];
  readonly vectors: ReadonlyMap<number, Float32Array>;
}

/** Indexes of vectors in the database that were made and dropped. */
export interface TendedGraphs {
  readonly built: number;
  readonly dropped: number;
}

/** What has changed of an owner: entries by their ids, files as `doc://` and their names. */
export interface Change {
  readonly owner: string;
  readonly ids: readonly string[];
}

/** A stretch of passages. */
export interface Stretch {
  /** Place of the first. */
  readonly first: number;
  readonly passages: number;
}

/** A passage with what its entry says of it. */
export interface FoundPassage {
  readonly place: number;
  readonly passage: Passage;
  readonly source: string;
  readonly tags: readonly string[];
  /** Left out for the default one. */
  readonly collection?: string;
  /** Left out for none. */
  readonly key?: string;
  readonly createdAt: number;
}

export interface PlacedVector {
  readonly place: number;
  readonly vector: Float32Array;
}

/** What the vector of a passage is made from. */
export interface Unembedded {
  readonly place: number;
  readonly title: string;
  readonly text: string;
}

/** Names of the models: of all owners, or of those whose texts and questions are in English and of the others. */
export interface ModelNames {
  readonly common: string;
  readonly multilingual?: string;
}

/** Vectors of an owner that have gone, of a model that is the owner's no longer. */
export interface DroppedVectors {
  readonly owner: string;
  readonly model: string;
}

/**
 * The record of truth. Every call takes the owner, and nothing of one owner shows in another's answers or changes
 * them. `place` is a passage's number among its owner's. Changes are durable when they resolve.
 */
export interface EntryStore {
  /**
   * All in one transaction, in order. A text is one entry in its collection, but under each key. With a key that an entry has, that
   * one gets the new text.
   */
  insertEntries(additions: readonly Addition[]): Promise<Inserted[]>;
  /** AppError `not_found`; `bad_request` when another entry has that text or key. */
  updateEntry(owner: string, id: string, entry: PreparedEntry, replaced?: Replaced): Promise<Entry>;
  /** For good, also out of the trash, with the texts that it had before. */
  removeEntry(owner: string, id: string): Promise<boolean>;
  findEntry(owner: string, id: string): Promise<Entry | undefined>;
  hasEntry(owner: string, id: string): Promise<boolean>;
  findEntryByKey(owner: string, collection: string, key: string): Promise<Entry | undefined>;
  /** By their names. */
  listCollections(owner: string): Promise<Collection[]>;
  /** By their names (UTF-16 units), those behind `after`. Reads the tags of all entries, in steps. */
  listTags(owner: string, limit: number, after?: string): Promise<TagCount[]>;
  /** Newest first, or oldest first from `cursor` on. */
  listEntries(
    owner: string,
    limit: number,
    order: 'newest' | 'oldest',
    cursor?: string,
    filter?: Filter,
  ): Promise<{ readonly entries: Entry[]; readonly next?: string }>;
  readCounts(owner: string, collection?: string): Promise<Counts>;
  /** Bytes of all texts of the owner that are not in the trash, as `readCounts` gives them, in one look. */
  countBytes(owner: string): Promise<number>;
  /**
   * Gives the number of entries that were removed: all that there were, or those of a collection. `gone` gets the ids of each
   * step, some hundred at most: what comes in between stays, and a step may fail after others.
   */
  removeAllEntries(
    owner: string,
    collection?: string,
    gone?: (ids: readonly string[]) => void,
  ): Promise<number>;

  /**
   * Takes an entry, or all that the owner or a collection has at the call, out of everything but the trash; their texts and vectors
   * stay where they are. In steps, each of which is durable: what comes in between stays, and `moved` gets the ids of each step, some thousand
   * at most, also where a later one fails. `batch` is undefined when there was nothing; `into` names one that they join.
   */
  moveToTrash(
    owner: string,
    which?: string | readonly string[] | { readonly collection: string },
    moved?: (ids: readonly string[]) => void,
    into?: string,
  ): Promise<{ readonly records: number; readonly batch?: string }>;
  /**
   * Brings entries back with their ids and times, all of them found when this resolves. In steps, each of which is durable:
   * `back` gets the ids of each, some hundred at most, also where a later one fails, and the same call brings back the rest. One whose text
   * another entry has by now gives that one its tags, and goes; one whose key another has stays, as a text that was replaced;
   * `known` counts both. Replaced texts come back one at a time (Restorable). `latest` is the newest other batch that is still there. `unfinished` is the error where entries are back but work on them failed: cleanUp() and purgeTrash() do it.
   */
  restoreFromTrash(
    owner: string,
    which: Restorable,
    back?: (ids: readonly string[]) => void,
    collection?: string,
  ): Promise<{ readonly records: number; readonly known: number; readonly unfinished?: unknown }>;
  /** Newest first, those before a batch where one is named, with how many entries there are in all. */
  listTrash(
    owner: string,
    limit: number,
    collection?: string,
    before?: string,
  ): Promise<{ readonly batches: TrashBatch[]; readonly records: number; readonly bytes: number }>;
  /** Removes for good what was moved to the trash at or before that microsecond, of one owner or of all; gives the number of entries. */
  purgeTrash(until: number, signal: AbortSignal, owner?: string, collection?: string): Promise<number>;
  /**
   * Removes the oldest batches for good where newer ones by themselves hold as much; what was moved there last stays. Gives
   * the number of entries that have gone.
   */
  trimTrash(
    owner: string,
    most: { readonly records: number; readonly bytes: number },
    signal: AbortSignal,
  ): Promise<number>;

  /** Replaces the file of that name when the last passage is there. */
  putFile(
    owner: string,
    file: { readonly name: string; readonly title: string; readonly collection?: string },
    passages: AsyncIterable<readonly NewPassage[]>,
  ): Promise<number>;
  /** Nothing of it is found once this is called. Resolves when its passages are removed, with their number. */
  removeFile(owner: string, name: string): Promise<number>;
  /** Passages of files that are being put or removed: not found, though their words and vectors are there. In order. */
  listHiddenPassages(owner: string): Promise<Stretch[]>;

  readStanding(owner: string, model: string): Promise<Standing>;
  findByWords(owner: string, text: string, limit: number, within?: Places): Promise<Lexical>;
  /**
   * Candidates by words and by vectors with all that they are ranked by, asked for once. Where it is left out, this process compares
   * vectors.
   */
  findCandidates?(owner: string, question: CandidateQuestion): Promise<FoundCandidates>;
  /** Places that meet the filter; undefined when it has no condition. */
  filterPlaces(owner: string, filter: Filter): Promise<Places | undefined>;
  /** Undefined when the file is not there. */
  listFilePlaces(owner: string, name: string, pages: Pages): Promise<Places | undefined>;
  /** First passages of the newest entries. */
  listNewestPlaces(owner: string, limit: number, within?: Places): Promise<number[]>;
  /** In the given order; those that were removed are left out. */
  readPassages(owner: string, places: readonly number[]): Promise<FoundPassage[]>;
  /**
   * By place, where each passage begins in its entry's text, or in the text of its page: characters (Unicode code points) from 0.
   * Without those that were removed.
   */
  readStarts(owner: string, places: readonly number[]): Promise<Map<number, number>>;
  /** Up to `count` passages before and after, of the same text, in order and without itself. */
  readNeighbours(owner: string, place: number, count: number): Promise<Passage[]>;

  /** Places of the first passages of entries, by their ids; those that are not there are left out. */
  listFirstPlaces(owner: string, ids: readonly string[]): Promise<Map<string, number>>;
  /**
   * Entries of a collection that have most of these words of the index, those of `limit` passages, each with its first `chars` characters.
   * Words that very many passages have are passed over: bounded work in one step.
   */
  findSharing(
    owner: string,
    words: readonly string[],
    bounds: { readonly collection: string; readonly limit: number; readonly chars: number },
  ): Promise<{ readonly id: string; readonly text: string }[]>;

  /** Models that have vectors of the owner, and below which place; the furthest first. */
  listModels(owner: string): Promise<{ readonly name: string; readonly embedded: number }[]>;
  /** By place, from `from` on. */
  listVectors(owner: string, model: string, from: number, limit: number): Promise<PlacedVector[]>;
  readVectors(owner: string, model: string, places: readonly number[]): Promise<Map<number, Float32Array>>;
  /** Places that are taken, from `from` on. */
  listPlaces(owner: string, from: number, limit: number): Promise<number[]>;
  /** Owners with passages that wait for their vector; with `multilingual`, of those whose model is that one or is not. */
  listWaitingOwners(model: string, multilingual?: boolean): Promise<string[]>;
  /** The number that stands for an owner where no name may; undefined where nothing was kept of the owner. */
  numberOf(owner: string): Promise<number | undefined>;
  ownerOf(number: number): Promise<string | undefined>;
  listUnembedded(owner: string, model: string, limit: number): Promise<Unembedded[]>;
  /** The vectors of the first unembedded passages below `below`; those without one never get it. */
  putVectors(owner: string, model: string, below: number, vectors: readonly PlacedVector[]): Promise<void>;
  /**
   * Sets vectors of the model with another length aside, to be dropped as those of a model out of use: behind its name stands another
   * model now. Its passages wait again. False where there were none.
   */
  setAsideVectors(model: string, dimensions: number): Promise<boolean>;
  /** The owner's passages that wait for their vector, without those in the trash, counted up to `most`; of over 10,000 about. */
  countPending(owner: string, model: string, most?: number): Promise<number>;
  /** Over all owners; with `multilingual`, over those whose model is that one or is not. */
  readProgress(
    model: string,
    multilingual?: boolean,
  ): Promise<{ readonly done: number; readonly total: number }>;
  /**
   * Says that the models are in use, and drops some vectors of models that no one uses, once nothing waits for these.
   * False when none is left.
   */
  tendModels(models: ModelNames): Promise<boolean>;
  /**
   * Drops vectors of one owner that are of the other model than the owner's, once those of the owner's are all there and no
   * process has used the other one for all owners in the last minutes. In steps, each durable. Undefined when none is left.
   */
  dropUnused(models: Required<ModelNames>): Promise<DroppedVectors | undefined>;

  /** The counters that decide which model is the owner's, and which it is. */
  readLanguages(owner: string): Promise<LanguageCounts>;
  /** Passages of entries, without those of files, that are known not to be in English. */
  countNonEnglish(owner: string): Promise<number>;
  /** Counts a question that was not in English, by its weight. */
  countQuestion(owner: string, weight: number): Promise<void>;
  /** Owners that have passages, and those of them whose model is the multilingual one. */
  countLanguages(): Promise<{ readonly owners: number; readonly multilingual: number }>;
  /** Judges texts of which it is not known what they are written in, and lets questions fade. In steps, until `signal`. */
  settleLanguages(signal: AbortSignal): Promise<void>;

  /** What other processes have changed since the last call. At almost no cost when there is nothing. */
  readChanges(): Promise<Change[]>;
  /** Removes what processes that ended left half done, and changes that all have read. In steps, until `signal`. */
  cleanUp(signal: AbortSignal): Promise<void>;
  /**
   * Makes the indexes of vectors that are missing for owners of very many, and drops those out of use, while everything else goes on; takes
   * long, one process at a time. Left out where the database has none.
   */
  tendGraphs?(signal: AbortSignal): Promise<TendedGraphs>;
}
