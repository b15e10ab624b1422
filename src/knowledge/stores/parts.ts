import type { AnyDatabase } from '../../storage/any-database.ts';
import type { Changes } from './entries/changes.ts';
import type { WordIndex } from './passages/word-index.ts';
import type { TrashPlaces } from './trash/trash-places.ts';

export interface StoreParts {
  readonly db: AnyDatabase;
  readonly changes: Changes;
  readonly words: WordIndex;
  readonly trash: TrashPlaces;
  /** Returns the current time in microseconds since 1970. */
  readonly now: () => number;
}
