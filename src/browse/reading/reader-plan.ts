import { availableParallelism, totalmem } from 'node:os';

export interface MachineResources {
  readonly processors: number;
  readonly memoryBytes: number;
}

const [MIN_READERS, MAX_READERS] = [4, 9];
/** Number of reader processes that are reserved for web pages and for pictures. */
const OTHER_READERS = 2;
const MEMORY_SHARE = 0.6;
const [MIN_MEMORY_BYTES, MAX_MEMORY_BYTES] = [220_000_000, 1_000_000_000];
/** Memory planned for each reader process. On machines with little memory, there are fewer processes. */
const AMPLE_MEMORY_BYTES = 400_000_000;

/** Share of the machine's memory for queued jobs. */
const QUEUE_SHARE = 0.1;
const [MIN_QUEUE_BYTES, MAX_QUEUE_BYTES] = [60_000_000, 500_000_000];
const PLACES_PER_READER = 4;
const OTHERS_SHARE = 0.25;

/** Plans number and memory of reader processes. `memoryBytes` is the configured memory of each process. */
export function planReaders(
  memoryBytes?: number,
  machine: MachineResources = detectMachineResources(),
): { readonly readers: number; readonly memoryBytes: number; readonly texts: number } {
  const memory = MEMORY_SHARE * machine.memoryBytes;
  const afforded = Math.floor(memory / (memoryBytes ?? AMPLE_MEMORY_BYTES));
  const readers = clampToInteger(MIN_READERS, Math.min(machine.processors + 1, afforded), MAX_READERS);
  return {
    readers,
    memoryBytes: memoryBytes ?? clampToInteger(MIN_MEMORY_BYTES, memory / readers, MAX_MEMORY_BYTES),
    texts: readers - OTHER_READERS,
  };
}

export function computeMaxQueueBytes({ memoryBytes }: MachineResources = detectMachineResources()): number {
  return clampToInteger(MIN_QUEUE_BYTES, QUEUE_SHARE * memoryBytes, MAX_QUEUE_BYTES);
}

/** Returns how many pages may be read at once, so that even the largest pages fit in memory. */
export function countConcurrentPages(
  readers: number,
  pageBytes: number,
  machine: MachineResources = detectMachineResources(),
): { readonly all: number; readonly perOwner: number } {
  const all = clampToInteger(readers, computeMaxQueueBytes(machine) / pageBytes, PLACES_PER_READER * readers);
  return { all, perOwner: all - Math.ceil(OTHERS_SHARE * all) };
}

export function detectMachineResources(): MachineResources {
  const constrained = process.constrainedMemory();
  const memoryBytes = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return { processors: availableParallelism(), memoryBytes };
}

export function clampToInteger(least: number, wanted: number, most: number): number {
  return Math.floor(Math.max(least, Math.min(wanted, most)));
}
