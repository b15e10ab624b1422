import type { AnyDatabase } from '../../storage/any-database.ts';
import type { Changes } from './changes.ts';
import type { TrashPlaces } from './trash-places.ts';
import type { WordIndex } from './word-index.ts';

/** What the parts of the store share. */
export interface StoreParts {
  readonly db: AnyDatabase;
  readonly changes: Changes;
  readonly words: WordIndex;
  readonly trash: TrashPlaces;
  /** Microseconds since 1970. */
  readonly now: () => number;
}
