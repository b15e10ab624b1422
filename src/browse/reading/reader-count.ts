import { availableParallelism, totalmem } from 'node:os';

/** What a machine has, or the container that this process runs in. */
export interface Machine {
  /** Processor cores that this process may use. */
  readonly processors: number;
  readonly memoryBytes: number;
}

/** Readers of pages and files, what each may have of memory, and how many of them uploaded files with text may take. */
export interface ReaderShare {
  readonly readers: number;
  readonly memoryBytes: number;
  readonly texts: number;
}

/** Readers at least and at most; between them one more than there are cores, where the memory is there. */
const [MIN_READERS, MAX_READERS] = [4, 9];
/** Readers that are left to pages, and to files that are pictures. */
const OTHER_READERS = 2;
/** Share of the memory that all readers together may take. */
const MEMORY_SHARE = 0.6;
/** Bytes of memory of one reader: below that it reads little, above that no file is meant for reading. */
const [MIN_MEMORY_BYTES, MAX_MEMORY_BYTES] = [220_000_000, 1_000_000_000];
/** Bytes that each of more than MIN_READERS has at least: fewer readers with more memory read more files. */
const AMPLE_MEMORY_BYTES = 400_000_000;

/** Share of the memory that jobs in line may hold, and bounds of that in bytes. */
const QUEUE_SHARE = 0.1;
const [MIN_QUEUE_BYTES, MAX_QUEUE_BYTES] = [60_000_000, 500_000_000];
/** Pages at most that are fetched and read at once for each reader: most of them are still on their way. */
const PLACES_PER_READER = 4;
/** Share of the places that one user cannot take. */
const OTHERS_SHARE = 0.25;

/** `memoryBytes` are those of one reader where the operator has set them. */
export function shareReaders(memoryBytes?: number, machine: Machine = thisMachine()): ReaderShare {
  const memory = MEMORY_SHARE * machine.memoryBytes;
  const afforded = Math.floor(memory / (memoryBytes ?? AMPLE_MEMORY_BYTES));
  const readers = between(MIN_READERS, Math.min(machine.processors + 1, afforded), MAX_READERS);
  return {
    readers,
    memoryBytes: memoryBytes ?? between(MIN_MEMORY_BYTES, memory / readers, MAX_MEMORY_BYTES),
    texts: readers - OTHER_READERS,
  };
}

/** Bytes that what waits for readers may hold together. */
export function countQueueBytes({ memoryBytes }: Machine = thisMachine()): number {
  return between(MIN_QUEUE_BYTES, QUEUE_SHARE * memoryBytes, MAX_QUEUE_BYTES);
}

/**
 * Pages that are fetched and read at once, of all users and of one. Pages of the largest size fill the memory that is meant for
 * them, where that is enough for one at each reader.
 */
export function sharePlaces(
  readers: number,
  pageBytes: number,
  machine: Machine = thisMachine(),
): { readonly all: number; readonly perOwner: number } {
  const all = between(readers, countQueueBytes(machine) / pageBytes, PLACES_PER_READER * readers);
  return { all, perOwner: all - Math.ceil(OTHERS_SHARE * all) };
}

export function thisMachine(): Machine {
  const constrained = process.constrainedMemory();
  const memoryBytes = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return { processors: availableParallelism(), memoryBytes };
}

/** A whole number. */
export function between(least: number, wanted: number, most: number): number {
  return Math.floor(Math.max(least, Math.min(wanted, most)));
}
