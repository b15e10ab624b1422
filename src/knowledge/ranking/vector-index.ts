import type { PassageNumbers } from './passage-number-set.ts';

export interface Neighbour {
  readonly id: number;
  /** Cosine, -1 to 1. */
  readonly similarity: number;
}

/** The ids that a search may return. A search with fewer allowed ids is faster. */
export type AllowedIds = PassageNumbers | ((id: number) => boolean);

/** Index of one owner's vectors of one model. Throws RangeError for a wrong length and for numbers that are not finite. */
export interface VectorIndex {
  readonly dimensions: number;
  readonly model: string;
  readonly size: number;
  readonly bytes: number;
  has(id: number): boolean;
  ids(): Iterable<number>;
  vector(id: number): Float32Array | undefined;
  add(id: number, vector: Float32Array): void;
  remove(id: number): boolean;
  findNearest(vector: Float32Array, k: number, allowed?: AllowedIds): Neighbour[];
}

type Placed = readonly [id: number, vector: Float32Array];
export type PlacedVectors = Iterable<Placed> | AsyncIterable<Placed>;
/** `bits` finds candidates with estimated similarities. `exact` and `graph` compute exact similarities. */
export type IndexKind = 'exact' | 'graph' | 'bits';

export interface IndexSyncState {
  /** Number of the first passage that has not been read from the store yet. */
  readonly below: number;
  readonly removals: number;
  readonly restores: number;
}

export type ExcludedRanges = readonly { readonly first: number; readonly passages: number }[];

export interface GrowingIndex extends VectorIndex {
  readonly kind: IndexKind;
  readonly followed: IndexSyncState | undefined;
  findNearest(vector: Float32Array, k: number, allowed?: AllowedIds, except?: ExcludedRanges): Neighbour[];
  /** Adds vectors in slices. The index's kind does not change before the last slice. Rejects with the signal's reason. */
  addMany(vectors: PlacedVectors, signal: AbortSignal): Promise<void>;
  settled(): Promise<void>;
  /** Saves the index in files. Resolves to false without saving if building the index is faster than reading it. */
  save(path: string, followed?: IndexSyncState): Promise<boolean>;
  close(): void;
}

export interface OwnerIndex
  extends Pick<
    GrowingIndex,
    'kind' | 'size' | 'bytes' | 'followed' | 'has' | 'ids' | 'remove' | 'addMany' | 'settled' | 'save'
  > {
  findNearest(
    vector: Float32Array,
    k: number,
    allowed?: PassageNumbers,
    except?: ExcludedRanges,
  ): Neighbour[] | Promise<Neighbour[]>;
  /** True if the thread of the index has crashed. The index must then be opened again. */
  readonly ended?: boolean;
  close(): void;
}

export interface GrowingIndexOptions {
  readonly dimensions: number;
  readonly model: string;
  /** Expected number of vectors. A large number makes the index a bits index early, to save memory. */
  readonly expected?: number;
}

/** Opens an empty or saved index, without later changes. Ignores an index that is damaged or of another model. */
export type OpenVectorIndex = (options: GrowingIndexOptions, path?: string) => Promise<OwnerIndex>;

export function checkVector(vector: Float32Array, dimensions: number): Float32Array {
  if (vector.length !== dimensions) {
    throw new RangeError(`a vector of ${vector.length} numbers where the index has ${dimensions}`);
  }
  if (!vector.every(Number.isFinite)) throw new RangeError('a vector with numbers that are not finite');
  return vector;
}
