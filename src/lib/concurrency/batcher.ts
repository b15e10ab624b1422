import { AppError } from '../../errors.ts';
import { apartFromCalls } from './call-signal.ts';

/** Pieces that several callers bring at about the same time, handled together: a commit waits for the disk, a row does not. */
export interface Batcher<Item, Result> {
  /** Resolves with the item's own result once its batch is done; rejects with its own error. */
  add(item: Item): Promise<Result>;
  /** Resolves when nothing waits or is being handled. */
  idle(): Promise<void>;
}

export interface BatcherOptions<Item, Result> {
  /** Handles a batch as a whole, or not at all; gives one result for each item, in order. */
  handle(items: readonly Item[]): Promise<readonly Result[]>;
  /** Milliseconds for which others are waited for; what comes in the same turn of the event loop always goes along. */
  readonly waitMs?: number;
  /** Most items of a batch. */
  readonly maxItems?: number;
  /** Most of a batch by `sizeOf`, but for a single item. */
  readonly maxSize?: number;
  sizeOf?(item: Item): number;
  /** Batches of one lane are handled one after the other, those of several beside each other. One lane when left out. */
  laneOf?(item: Item): string;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly size: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * The one batcher of the house. Batches are handled one after the other; where one fails, each of its items is tried on its
 * own, so that a bad one fails alone. What is away for all (an AppError of 503 or 504 that says when to try again) fails the batch
 * and what waits behind it at once: tried one after the other, the last would wait for as long as all of them take. (dataloader
 * runs batches side by side and fails them as a whole.)
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { laneOf } = options;
  if (!laneOf) return createLane(options);
  const lanes = new Map<string, Batcher<Item, Result>>();
  return {
    add(item) {
      const name = laneOf(item);
      const lane = lanes.get(name) ?? createLane(options, () => lanes.delete(name));
      lanes.set(name, lane);
      return lane.add(item);
    },
    async idle() {
      while (lanes.size > 0) await Promise.all([...lanes.values()].map((lane) => lane.idle()));
    },
  };
}

/** `rested` is called whenever nothing waits or is being handled. */
function createLane<Item, Result>(
  options: BatcherOptions<Item, Result>,
  rested = () => {},
): Batcher<Item, Result> {
  const { handle, waitMs = 0, maxItems = Infinity, maxSize = Infinity, sizeOf = () => 0 } = options;
  const waiting: Waiting<Item, Result>[] = [];
  let working: Promise<void> | undefined;

  async function settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await handle(batch.map(({ item }) => item));
      for (const [at, one] of batch.entries()) one.resolve(results[at] as Result);
    } catch (error) {
      if (isAway(error)) for (const one of [...batch, ...waiting.splice(0)]) one.reject(error);
      else if (batch.length === 1) batch[0]?.reject(error);
      else for (const one of batch) await settle([one]);
    }
  }

  function takeBatch(): Waiting<Item, Result>[] {
    let total = 0;
    const end = waiting.findIndex(({ size }, at) => {
      total += size;
      return at >= maxItems || (at > 0 && total > maxSize);
    });
    return waiting.splice(0, end < 0 ? waiting.length : end);
  }

  async function work(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (waitMs > 0) setTimeout(resolve, waitMs);
      else setImmediate(resolve);
    });
    while (waiting.length > 0) await settle(takeBatch());
    working = undefined;
    rested();
  }

  return {
    add(item) {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      waiting.push({ item, size: sizeOf(item), resolve, reject });
      working ??= apartFromCalls(work);
      return promise;
    },
    idle: async () => working,
  };
}

function isAway(error: unknown): boolean {
  return error instanceof AppError && error.status >= 503 && error.retryAfter !== undefined;
}
