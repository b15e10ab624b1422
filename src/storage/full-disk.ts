import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../errors.ts';
import type { Statements } from './database.ts';
import { type DiskReserve, RESERVE_BYTES } from './reserve.ts';

/** This module keeps disk space free for deletions, so that users can always recover from a full disk. */

export const SQLITE_FULL = 13;
const STEP_DIVISOR = 4;
/** Maximum bytes of changed pages that SQLite caches before a commit (2,048,000), with a margin. */
const CACHE_BYTES = 2_100_000;

export function sqliteResultCode(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff;
}

export function isFullDisk(error: unknown): boolean {
  return (
    sqliteResultCode(error) === SQLITE_FULL ||
    (error instanceof AppError && sqliteResultCode(error.cause) === SQLITE_FULL)
  );
}

class FullDiskError extends Error {
  readonly errcode = SQLITE_FULL;
  constructor() {
    super('what is free on the disk is kept for deletions');
  }
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

export function createDiskGuard(
  raw: DatabaseSync,
  sql: Pick<Statements, 'get'>,
  path: string,
  reserve: DiskReserve,
) {
  const folder = dirname(path);
  const read = (pragma: string) => Object.values(sql.get<Record<string, number>>(pragma) ?? {})[0] ?? 0;

  const watchGrowth = (kept: 'kept for deletions' | 'nothing kept' = 'kept for deletions') => {
    const before = read('PRAGMA page_count');
    return () => {
      const pages = read('PRAGMA page_count');
      if (pages <= before) return;
      const growth =
        pages * read('PRAGMA page_size') - (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
      const away = kept === 'nothing kept' || reserve.isReserved() ? 0 : RESERVE_BYTES;
      if (freeBytes(folder) < away + growth + CACHE_BYTES) throw new FullDiskError();
    };
  };

  return {
    watchGrowth,
    /** Runs work. Throws if the work leaves too little disk space for the log and for deletions. */
    leavingRoom<T>(work: () => T, kept: 'kept for deletions' | 'nothing kept'): T {
      const check = watchGrowth(kept);
      const result = work();
      check();
      return result;
    },
    /** Runs `step`. If the disk is full, empties the write-ahead log into the file and runs `step` again. */
    onceMore<T>(step: () => T, makeRoom: () => void = () => {}): T {
      try {
        return step();
      } catch (error) {
        if (sqliteResultCode(error) !== SQLITE_FULL) throw error;
        makeRoom();
        try {
          raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        } catch {}
        return step();
      }
    },
  };
}

/** Returns a function that calls `step` with `most`, then with less after each full-disk error. */
export function createShrinkingSteps(most: number): <T>(step: (most: number) => Promise<T>) => Promise<T> {
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
