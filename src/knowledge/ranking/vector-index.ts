import type { PassageNumbers } from './passage-number-set.ts';

export interface Neighbour {
  readonly id: number;
  /** Cosine, -1 to 1. */
  readonly similarity: number;
}

export type AllowedIds = PassageNumbers | ((id: number) => boolean);

/** Index of one owner's vectors of one model. Throws RangeError for a wrong length or numbers that are not finite. */
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

export type VectorEntry = readonly [id: number, vector: Float32Array];
export type PlacedVectors = Iterable<VectorEntry> | AsyncIterable<VectorEntry>;
export type IndexKind = 'exact' | 'graph' | 'bits';

export interface IndexSyncState {
  /** All passages with numbers below this one have been read from the store. */
  readonly below: number;
  readonly removals: number;
  readonly restores: number;
}

export type ExcludedRanges = readonly { readonly first: number; readonly passages: number }[];

export interface GrowingIndex extends VectorIndex {
  readonly kind: IndexKind;
  readonly followed: IndexSyncState | undefined;
  findNearest(vector: Float32Array, k: number, allowed?: AllowedIds, except?: ExcludedRanges): Neighbour[];
  /** Adds vectors in steps. No graph is built before the last vector. Rejects with the signal's reason. */
  addMany(vectors: PlacedVectors, signal: AbortSignal): Promise<void>;
  settled(): Promise<void>;
  /** Saves the index, unless building it is faster than loading it. Resolves to true if it was saved. */
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
  /** True if the index's thread has crashed. The index must then be opened again. */
  readonly ended?: boolean;
  close(): void;
}

export interface GrowingIndexOptions {
  readonly dimensions: number;
  readonly model: string;
  /** Expected number of vectors. If it is large, the index begins as a bits index, which saves memory. */
  readonly expected?: number;
}

/** Opens an empty or saved index. Ignores a saved index that is damaged or of another model. */
export type OpenVectorIndex = (options: GrowingIndexOptions, path?: string) => Promise<OwnerIndex>;

export function checkVector(vector: Float32Array, dimensions: number): Float32Array {
  if (vector.length !== dimensions) {
    throw new RangeError(`a vector of ${vector.length} numbers where the index has ${dimensions}`);
  }
  if (!vector.every(Number.isFinite)) throw new RangeError('a vector with numbers that are not finite');
  return vector;
}
