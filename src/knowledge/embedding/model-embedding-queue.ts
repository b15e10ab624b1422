import { setTimeout as sleep } from 'node:timers/promises';
import { isTimeout, withDeadline } from '../../lib/concurrency/deadline.ts';
import type { Logger } from '../../log.ts';
import type { EntryStore } from '../store.ts';
import {
  countPassages,
  createEmbeddingBatches,
  type EmbeddingBatchesOptions,
  type OwnerPassages,
} from './embedding-batches.ts';
import { createEmbeddingRetry } from './embedding-retry.ts';

export interface ModelEmbeddingQueueOptions extends Omit<EmbeddingBatchesOptions, 'owners' | 'urgent'> {
  readonly log: Pick<Logger, 'warn' | 'info'>;
  readonly onStuck?: ((error: unknown) => void) | undefined;
  readonly pauseMs?: number | undefined;
  readonly awaitedMs?: number | undefined;
}

export type ModelEmbeddingQueue = ReturnType<typeof createModelEmbeddingQueue>;
const MAX_OWNERS = 10_000;
/** Maximum number of passages that a question waits for. They take 0.5 s, in WebAssembly 4 s. */
const MAX_AWAITED = 64;
const AWAITED_TIMEOUT_MS = 5000;

export function createModelEmbeddingQueue(options: ModelEmbeddingQueueOptions) {
  const { store, embedder, log, closed } = options;
  const owners = new Set<string>();
  const urgent = new Set<string>();
  const batches = createEmbeddingBatches({ ...options, owners, urgent });
  const retry = createEmbeddingRetry({ batches, log, pauseMs: options.pauseMs });
  const progress = createProgress();
  let running: Promise<void> | undefined;

  /** Handles a failed batch. With `stored`, only storing the vectors failed, so no text is the cause. */
  async function handleFailure(shares: readonly OwnerPassages[], error: unknown, stored: boolean) {
    batches.putBack(shares);
    if (closed.aborted) return;
    let pauseMs = await retry.noteFailure(shares, error, stored);
    progress.step(0);
    if (!retry.works()) options.onStuck?.(error);
    while (pauseMs !== undefined && !closed.aborted) {
      await sleep(pauseMs, undefined, { signal: closed, ref: false }).catch(() => {});
      pauseMs = await retry.askAgain();
    }
  }

  async function embedNext(shares: readonly OwnerPassages[]): Promise<void> {
    let vectors: Float32Array[] | undefined;
    try {
      vectors = await batches.embed(shares);
      await batches.keepVectors(shares, vectors);
      retry.noteSuccess();
      progress.step(countPassages(shares));
      // Lets other work run, because the store and some embedders do not yield to the event loop.
      await new Promise(setImmediate);
    } catch (error) {
      await handleFailure(shares, error, vectors !== undefined);
    }
  }

  async function run(): Promise<void> {
    try {
      while (!closed.aborted) {
        const shares = await batches.takeBatch(retry.batchSize());
        if (shares.length > 0) await embedNext(shares);
        else if (owners.size + urgent.size === 0) return;
      }
    } catch (error) {
      if (!closed.aborted) log.warn({ err: error }, 'passages wait for their vectors');
    } finally {
      running = undefined;
      progress.step(0);
    }
  }

  function start(): void {
    if (!closed.aborted && owners.size + urgent.size > 0) running ??= run();
  }

  return {
    addOwner(owner: string): void {
      if (owners.size < MAX_OWNERS) owners.add(owner);
    },
    /** Removes an owner whom another process serves from now on. The vectors of a running batch are still stored. */
    removeOwner: batches.removeOwner,
    charge: batches.charge,
    start,
    embedNewest: createAwaited({
      store,
      model: embedder.name,
      urgent,
      start,
      progress,
      failing: () => retry.failing() || closed.aborted,
      timeoutMs: options.awaitedMs ?? AWAITED_TIMEOUT_MS,
    }),
    running: () => running,
    embedded: progress.embedded,
    nextStep: progress.nextStep,
    failing: retry.failing,
    works: retry.works,
    lastError: retry.lastError,
    async end(): Promise<void> {
      progress.step(0);
      await running;
    },
  };
}

interface AwaitedParts {
  readonly store: Pick<EntryStore, 'countPending'>;
  readonly model: string;
  readonly urgent: Set<string>;
  readonly start: () => void;
  readonly progress: Pick<ReturnType<typeof createProgress>, 'embedded' | 'nextStep'>;
  readonly failing: () => boolean;
  readonly timeoutMs: number;
}

function createAwaited({ store, model, urgent, start, progress, failing, timeoutMs }: AwaitedParts) {
  /** Number of embedded passages when a question last waited in vain. Questions wait again after this number grows. */
  let vainAt: number | undefined;

  async function wait(owner: string, signal: AbortSignal): Promise<void> {
    for (let steps = 0; steps < MAX_AWAITED && !signal.aborted && !failing(); steps++) {
      const step = progress.nextStep();
      if ((await store.countPending(owner, model, 1)) === 0) return;
      urgent.add(owner);
      start();
      await step;
    }
  }

  return async (owner: string, signal: AbortSignal): Promise<void> => {
    if (failing() || vainAt === progress.embedded()) return;
    const pending = await store.countPending(owner, model, MAX_AWAITED + 1);
    if (pending === 0 || pending > MAX_AWAITED) return;
    try {
      await withDeadline(signal, timeoutMs, (until) => wait(owner, until));
    } catch (error) {
      if (!isTimeout(error)) throw error;
      vainAt = progress.embedded();
    } finally {
      urgent.delete(owner);
    }
  };
}

function createProgress() {
  let embedded = 0;
  let next = Promise.withResolvers<void>();
  return {
    embedded: () => embedded,
    nextStep: () => next.promise,
    step(count: number): void {
      embedded += count;
      next.resolve();
      next = Promise.withResolvers();
    },
  };
}
