import type { PlacePage } from '../ranking/place-set.ts';
import type { Excepted, Followed, GrowingIndexOptions, IndexKind } from '../ranking/vector-index.ts';

/** What the room's thread and the thread of the indexes say to each other. */

/** What is asked of the index named `key`; each is answered by an IndexAnswer with its number. */
export type IndexRequest =
  | { readonly do: 'open'; readonly options: GrowingIndexOptions; readonly path: string | undefined }
  /** The vectors one after the other; until the `last` of several no change of kind begins. */
  | {
      readonly do: 'add';
      readonly ids: Float64Array;
      readonly vectors: Float32Array;
      readonly last: boolean;
    }
  | { readonly do: 'remove'; readonly ids: Float64Array }
  | {
      readonly do: 'find';
      readonly vector: Float32Array;
      readonly count: number;
      readonly allowed: readonly PlacePage[] | undefined;
      readonly except: Excepted | undefined;
    }
  | { readonly do: 'settle' }
  | { readonly do: 'save'; readonly path: string; readonly followed: Followed | undefined }
  | { readonly do: 'close' };

export type IndexMessage = IndexRequest & { readonly number: number; readonly key: number };

/** How an index stands after what was asked. */
export interface IndexState {
  readonly kind: IndexKind;
  readonly bytes: number;
}

export interface IndexAnswer {
  readonly number: number;
  readonly state?: IndexState;
  /** `open`: the ids that were kept. `find`: ids, nearest first. */
  readonly ids?: Float64Array<ArrayBuffer>;
  /** `open`: what was kept with them. */
  readonly followed?: Followed | undefined;
  /** `find`: cosines of the ids. */
  readonly similarities?: Float64Array;
  /** `save`: whether there was something to keep. */
  readonly saved?: boolean;
  readonly error?: string;
}
