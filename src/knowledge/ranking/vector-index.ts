import type { Places } from './place-set.ts';

/** A vector that is near another. */
export interface Neighbour {
  readonly id: number;
  /** Cosine, -1 to 1. */
  readonly similarity: number;
}

/** Which vectors a search reads; a set is the faster, the smaller it is. */
export type Allowed = Places | ((id: number) => boolean);

/**
 * Vectors of one owner and one model, found by nearness. Derived state: the store has the vectors too, and
 * an index can be built from them at any time. RangeError for a vector of another length, or one that is not
 * finite.
 */
export interface VectorIndex {
  readonly dimensions: number;
  /** The embedder's name. */
  readonly model: string;
  readonly size: number;
  /** Memory that it holds, about. */
  readonly bytes: number;
  has(id: number): boolean;
  ids(): Iterable<number>;
  /** Undefined also where only bits of it are kept. */
  vector(id: number): Float32Array | undefined;
  /** Adds a vector of unit length, replacing one with the same id. */
  add(id: number, vector: Float32Array): void;
  remove(id: number): boolean;
  /** At most k, nearest first; equally near ones by id. */
  findNearest(vector: Float32Array, k: number, allowed?: Allowed): Neighbour[];
}

type Placed = readonly [id: number, vector: Float32Array];
export type PlacedVectors = Iterable<Placed> | AsyncIterable<Placed>;

/** How vectors are kept: `bits` finds candidates, whose similarities are estimates; the others are exact. */
export type IndexKind = 'exact' | 'graph' | 'bits';

/** How far an index has followed the store's counters. */
export interface Followed {
  /** Places below it have been read from the store. */
  readonly below: number;
  readonly removals: number;
  readonly restores: number;
}

/** Places that a search leaves out, in stretches. */
export type Excepted = readonly { readonly first: number; readonly passages: number }[];

/** An index that changes its kind with its size, and can be kept in files. */
export interface GrowingIndex extends VectorIndex {
  readonly kind: IndexKind;
  /** What save() got, of an index that was kept; undefined where that is not known. */
  readonly followed: Followed | undefined;
  findNearest(vector: Float32Array, k: number, allowed?: Allowed, except?: Excepted): Neighbour[];
  /**
   * As add() for many, in slices between which the event loop runs; no change of kind begins before the last is
   * in. Rejects with the signal's reason.
   */
  addMany(vectors: PlacedVectors, signal: AbortSignal): Promise<void>;
  /** Resolves when no change of kind is under way. */
  settled(): Promise<void>;
  /** Writes it beside the store; false for an index that is built faster than read. */
  save(path: string, followed?: Followed): Promise<boolean>;
  close(): void;
}

/** An owner's index as the room uses it, in this thread or in another; a GrowingIndex is one. */
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
  /** Whether its thread has broken: it is opened again. */
  readonly ended?: boolean;
  /** Ends what it builds. */
  close(): void;
}

export interface GrowingIndexOptions {
  readonly dimensions: number;
  readonly model: string;
  /** Vectors that it will have, about: of many, those that come first are not kept whole in the meantime. */
  readonly expected?: number;
}

/**
 * An empty index, or the one kept at a path. What is torn, of another model or of another version counts as
 * not kept; what was added or removed since is the caller's to make up for, by has() and ids().
 */
export type OpenVectorIndex = (options: GrowingIndexOptions, path?: string) => Promise<OwnerIndex>;

/** The vector, if an index can take it. */
export function checkVector(vector: Float32Array, dimensions: number): Float32Array {
  if (vector.length !== dimensions) {
    throw new RangeError(`a vector of ${vector.length} numbers where the index has ${dimensions}`);
  }
  if (!vector.every(Number.isFinite)) throw new RangeError('a vector with numbers that are not finite');
  return vector;
}
