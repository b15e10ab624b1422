import type { Places } from './place-set.ts';

export interface Neighbour {
  readonly id: number;
  /** Cosine similarity, -1 to 1. */
  readonly similarity: number;
}

/** Filter of the ids that a search may return. The smaller a set is, the faster. */
export type Allowed = Places | ((id: number) => boolean);

/**
 * Index of one owner's vectors of one model. It is derived data that can be rebuilt from the store at any time. RangeError for a
 * vector of another length or with numbers that are not finite.
 */
export interface VectorIndex {
  readonly dimensions: number;
  readonly model: string;
  readonly size: number;
  /** Approximate memory use in bytes. */
  readonly bytes: number;
  has(id: number): boolean;
  ids(): Iterable<number>;
  /** Returns a vector by id. Also undefined if only its bits are kept. */
  vector(id: number): Float32Array | undefined;
  /** Adds a vector of unit length. It replaces one with the same id. */
  add(id: number, vector: Float32Array): void;
  remove(id: number): boolean;
  /** Returns up to k neighbours, the nearest first, and equally near ones by id. */
  findNearest(vector: Float32Array, k: number, allowed?: Allowed): Neighbour[];
}

type Placed = readonly [id: number, vector: Float32Array];
export type PlacedVectors = Iterable<Placed> | AsyncIterable<Placed>;

/** Kind of an index. `bits` finds candidates with estimated similarities; the others are exact. */
export type IndexKind = 'exact' | 'graph' | 'bits';

/** State of the store's counters that an index reflects. */
export interface Followed {
  /** Passages with lower numbers have been read from the store. */
  readonly below: number;
  readonly removals: number;
  readonly restores: number;
}

/** Ranges of passage numbers that a search leaves out. */
export type Excepted = readonly { readonly first: number; readonly passages: number }[];

/** An index that changes its kind with its size and can be saved in files. */
export interface GrowingIndex extends VectorIndex {
  readonly kind: IndexKind;
  /** State that was passed to save(), for an index that was read from a file; undefined if unknown. */
  readonly followed: Followed | undefined;
  findNearest(vector: Float32Array, k: number, allowed?: Allowed, except?: Excepted): Neighbour[];
  /**
   * Adds many vectors in slices, between which the event loop runs. The kind does not change before the last one is added.
   * Rejects with the signal's reason.
   */
  addMany(vectors: PlacedVectors, signal: AbortSignal): Promise<void>;
  /** Resolves when the kind of the index is not being changed. */
  settled(): Promise<void>;
  /** Saves the index in files. Resolves to false for an index that is built faster than read. */
  save(path: string, followed?: Followed): Promise<boolean>;
  close(): void;
}

/** An owner's index as the search uses it, in this thread or in another. A GrowingIndex is one. */
export interface OwnerIndex
  extends Pick<
    GrowingIndex,
    'kind' | 'size' | 'bytes' | 'followed' | 'has' | 'ids' | 'remove' | 'addMany' | 'settled' | 'save'
  > {
  findNearest(
    vector: Float32Array,
    k: number,
    allowed?: Places,
    except?: Excepted,
  ): Neighbour[] | Promise<Neighbour[]>;
  /** True if the thread of the index has crashed. The index must then be opened again. */
  readonly ended?: boolean;
  /** Closes the index and ends a build in progress. */
  close(): void;
}

export interface GrowingIndexOptions {
  readonly dimensions: number;
  readonly model: string;
  /** Expected number of vectors. If it is large, the index changes to bits early, to save memory. */
  readonly expected?: number;
}

/**
 * Opens an empty index or the one saved at a path. A saved one that is damaged or of another model or version is ignored. The
 * caller must apply later additions and removals, by has() and ids().
 */
export type OpenVectorIndex = (options: GrowingIndexOptions, path?: string) => Promise<OwnerIndex>;

/** Returns the vector if an index can hold it. */
export function checkVector(vector: Float32Array, dimensions: number): Float32Array {
  if (vector.length !== dimensions) {
    throw new RangeError(`a vector of ${vector.length} numbers where the index has ${dimensions}`);
  }
  if (!vector.every(Number.isFinite)) throw new RangeError('a vector with numbers that are not finite');
  return vector;
}
