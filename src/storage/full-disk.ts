import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../errors.ts';
import type { Statements } from './database.ts';
import { RESERVE_BYTES, type Reserve } from './reserve.ts';

/** What keeps a full disk from being one for good: nothing grows into the room that deletions need. */

export const SQLITE_FULL = 13;
const STEP_DIVISOR = 4;
/** Changed pages that SQLite holds until the commit, and a little more: its cache has 2,048,000. */
const CACHE_BYTES = 2_100_000;

/** SQLite's result code, without what extends it; 0 for other errors. */
export function codeOf(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff;
}

/** Whether it is the error of a step that did not fit on the disk. */
export function isFullDisk(error: unknown): boolean {
  return codeOf(error) === SQLITE_FULL || (error instanceof AppError && codeOf(error.cause) === SQLITE_FULL);
}

/** In place of SQLite's own, before the disk is full to the last byte. */
class FullDiskError extends Error {
  readonly errcode = SQLITE_FULL;
  constructor() {
    super('what is free on the disk is kept for deletions');
  }
}

/** Where that is not known, SQLite says when the disk is full. */
function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

export interface FullDisk {
  /**
   * Work within a transaction. Where it makes the file grow, there must be room for that beside the log, and room that
   * is kept for deletions; or its error is that of a full disk.
   */
  leavingRoom<T>(work: () => T, kept: 'kept for deletions' | 'nothing kept'): T;
  /** The same in two halves: the function that is called before the commit. */
  watchGrowth(): () => void;
  /** A step that finds the disk full is done once more, when what the log holds is in the file and the log's own room is free. */
  onceMore<T>(step: () => T, makeRoom?: () => void): T;
}

/**
 * What is written stands in SQLite's log first, and then in the file as well. A log that cannot be written back, since it
 * took the room by which the file grows, keeps its room for good, and a deletion needs some of its own. So where the file grows,
 * there must be room for that beside the log, and for a reserve that is used up; what fits in free pages of the file may always be
 * written.
 */
export function watchDisk(
  raw: DatabaseSync,
  sql: Pick<Statements, 'get'>,
  path: string,
  reserve: Reserve,
): FullDisk {
  const folder = dirname(path);
  const read = (pragma: string) => Object.values(sql.get<Record<string, number>>(pragma) ?? {})[0] ?? 0;

  const watchGrowth = (kept: 'kept for deletions' | 'nothing kept' = 'kept for deletions') => {
    const before = read('PRAGMA page_count');
    return () => {
      const pages = read('PRAGMA page_count');
      if (pages <= before) return;
      const growth =
        pages * read('PRAGMA page_size') - (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
      const away = kept === 'nothing kept' || reserve.isThere() ? 0 : RESERVE_BYTES;
      if (freeBytes(folder) < away + growth + CACHE_BYTES) throw new FullDiskError();
    };
  };

  return {
    watchGrowth,
    leavingRoom(work, kept) {
      const check = watchGrowth(kept);
      const result = work();
      check();
      return result;
    },
    onceMore(step, makeRoom = () => {}) {
      try {
        return step();
      } catch (error) {
        if (codeOf(error) !== SQLITE_FULL) throw error;
        makeRoom();
        try {
          raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        } catch {
          // The file cannot grow either: the step says what is wrong.
        }
        return step();
      }
    },
  };
}

/** Runs steps that delete up to so many at once; where the log of one does not fit on the disk, it and those after it are smaller. */
export function createFittingSteps(most: number): <T>(step: (most: number) => Promise<T>) => Promise<T> {
  let now = most;
  return async (step) => {
    for (;;) {
      try {
        return await step(now);
      } catch (error) {
        if (now === 1 || !isFullDisk(error)) throw error;
        now = Math.ceil(now / STEP_DIVISOR);
      }
    }
  };
}
