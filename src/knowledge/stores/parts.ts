import type { AnyDatabase } from '../../storage/any-database.ts';
import type { ChangeLog } from './entries/change-log.ts';
import type { WordIndex } from './passages/word-index.ts';
import type { TrashedPassages } from './trash/trashed-passages.ts';

export interface StoreParts {
  readonly db: AnyDatabase;
  readonly changes: ChangeLog;
  readonly words: WordIndex;
  readonly trash: TrashedPassages;
  /** Microseconds since 1970. */
  readonly now: () => number;
}

export type VectorStoreParts = Pick<StoreParts, 'db' | 'trash'>;
