import type { AnyDatabase } from '../../storage/any-database.ts';
import type { ChangeLog } from './entries/changes.ts';
import type { WordIndex } from './passages/word-index.ts';
import type { TrashedPassages } from './trash/trash-places.ts';

export interface StoreParts {
  readonly db: AnyDatabase;
  readonly changes: ChangeLog;
  readonly words: WordIndex;
  readonly trash: TrashedPassages;
  /** Returns the current time in microseconds since 1970. */
  readonly now: () => number;
}
