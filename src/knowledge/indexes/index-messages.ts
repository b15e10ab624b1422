import type { PassageNumberPage } from '../ranking/passage-number-set.ts';
import type {
  ExcludedRanges,
  GrowingIndexOptions,
  IndexKind,
  IndexSyncState,
} from '../ranking/vector-index.ts';

export type IndexThreadRequest =
  | { readonly do: 'open'; readonly options: GrowingIndexOptions; readonly path: string | undefined }
  /** Adds concatenated vectors. No graph is built before the request with `last`. */
  | { readonly do: 'add'; readonly ids: Float64Array; readonly vectors: Float32Array; readonly last: boolean }
  | { readonly do: 'remove'; readonly ids: Float64Array }
  | {
      readonly do: 'find';
      readonly vector: Float32Array;
      readonly count: number;
      readonly allowed: readonly PassageNumberPage[] | undefined;
      readonly except: ExcludedRanges | undefined;
    }
  | { readonly do: 'settle' }
  | { readonly do: 'save'; readonly path: string; readonly followed: IndexSyncState | undefined }
  | { readonly do: 'close' };

export type IndexThreadMessage = IndexThreadRequest & { readonly number: number; readonly key: number };

export interface VectorIndexState {
  readonly kind: IndexKind;
  readonly bytes: number;
}

export interface IndexThreadAnswer {
  readonly number: number;
  readonly state?: VectorIndexState;
  /** For `open`, ids in the saved index. For `find`, ids of the nearest vectors, the nearest first. */
  readonly ids?: Float64Array<ArrayBuffer>;
  readonly followed?: IndexSyncState | undefined;
  readonly similarities?: Float64Array;
  readonly saved?: boolean;
  readonly error?: string;
}
