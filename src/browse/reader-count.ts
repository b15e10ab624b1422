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

export function thisMachine(): Machine {
  const constrained = process.constrainedMemory();
  const memoryBytes = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return { processors: availableParallelism(), memoryBytes };
}

/** A whole number. */
export function between(least: number, wanted: number, most: number): number {
  return Math.floor(Math.max(least, Math.min(wanted, most)));
}
