import { createReaderPool, type ReaderPool } from '../../src/browse/reading/reader-pool.ts';

let desk: ReaderPool | undefined;

/**
 * The readers of all files of a worker, which end with it: a process that has just started takes a hundred times as long
 * for a page as one whose code is compiled. Not for tests of how readers start, wait or end.
 */
export function sharedReaders(): ReaderPool {
  desk ??= createReaderPool();
  return desk;
}
