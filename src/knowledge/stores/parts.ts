import type { AnyDatabase } from '../../storage/any-database.ts';
import type { Changes } from './entries/changes.ts';
import type { WordIndex } from './passages/word-index.ts';
import type { TrashPlaces } from './trash/trash-places.ts';

/** What the parts of the store share. */
export interface StoreParts {
  readonly db: AnyDatabase;
  readonly changes: Changes;
  readonly words: WordIndex;
  readonly trash: TrashPlaces;
  /** Microseconds since 1970. */
  readonly now: () => number;
}
