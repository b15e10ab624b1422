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
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly size: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * The one batcher of the house. Batches are handled one after the other; where one fails, each of its items is tried on its
 * own, so that a bad one fails alone. (dataloader runs batches side by side and fails them as a whole.)
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { handle, waitMs = 0, maxItems = Infinity, maxSize = Infinity, sizeOf = () => 0 } = options;
  const waiting: Waiting<Item, Result>[] = [];
  let working: Promise<void> | undefined;

  async function settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await handle(batch.map(({ item }) => item));
      for (const [at, one] of batch.entries()) one.resolve(results[at] as Result);
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
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
