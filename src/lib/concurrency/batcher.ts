import { AppError } from '../../errors.ts';
import { runWithoutCallSignal } from './call-signal.ts';

export interface Batcher<Item, Result> {
  add(item: Item): Promise<Result>;
  idle(): Promise<void>;
}

export interface BatcherOptions<Item, Result> {
  /** Handles all items of a batch, or none. Returns one result per item, in order. */
  handle(items: readonly Item[]): Promise<readonly Result[]>;
  /** Milliseconds to wait for more items. Items added in one turn of the event loop always share a batch. */
  readonly waitMs?: number;
  readonly maxItems?: number;
  /** Maximum sum of `sizeOf` in a batch. A larger item gets a batch of its own. */
  readonly maxSize?: number;
  sizeOf?(item: Item): number;
  laneOf?(item: Item): string;
}

interface WaitingItem<Item, Result> {
  readonly item: Item;
  readonly size: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Runs one batch at a time per lane. If a batch fails, runs each item alone, unless a service is down. */
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

function createLane<Item, Result>(
  options: BatcherOptions<Item, Result>,
  rested = () => {},
): Batcher<Item, Result> {
  const { handle, waitMs = 0, maxItems = Infinity, maxSize = Infinity, sizeOf = () => 0 } = options;
  const waiting: WaitingItem<Item, Result>[] = [];
  let working: Promise<void> | undefined;

  async function settle(batch: readonly WaitingItem<Item, Result>[]): Promise<void> {
    try {
      const results = await handle(batch.map(({ item }) => item));
      for (const [at, one] of batch.entries()) one.resolve(results[at] as Result);
    } catch (error) {
      if (isAway(error)) for (const one of [...batch, ...waiting.splice(0)]) one.reject(error);
      else if (batch.length === 1) batch[0]?.reject(error);
      else for (const one of batch) await settle([one]);
    }
  }

  function takeBatch(): WaitingItem<Item, Result>[] {
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
      working ??= runWithoutCallSignal(work);
      return promise;
    },
    idle: async () => working,
  };
}

function isAway(error: unknown): boolean {
  return error instanceof AppError && error.status >= 503 && error.retryAfter !== undefined;
}
