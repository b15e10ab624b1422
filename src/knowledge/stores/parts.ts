import type { AnyDatabase } from '../../storage/any-database.ts';
import type { EntryChangeLog } from './entries/change-log.ts';
import type { WordIndex } from './passages/word-index.ts';
import type { TrashedPassages } from './trash/trashed-passages.ts';

export interface StoreParts {
  readonly db: AnyDatabase;
  readonly changes: EntryChangeLog;
  readonly words: WordIndex;
  readonly trash: TrashedPassages;
  /** Microseconds since 1970. */
  readonly now: () => number;
}

export type VectorStoreParts = Pick<StoreParts, 'db' | 'trash'>;
