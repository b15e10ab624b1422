import { setTimeout as sleep } from 'node:timers/promises';
import { isTimeout, withDeadline } from '../../lib/concurrency/deadline.ts';
import type { Logger } from '../../log.ts';
import type { EntryStore } from '../store.ts';
import type { Embedder } from './embedder.ts';
import { countPassages, createEmbeddingBatches, type Share } from './embedding-batches.ts';
import { createEmbeddingRetry } from './embedding-retry.ts';

export interface EmbeddingLaneOptions {
  readonly store: EntryStore;
  readonly embedder: Embedder;
  /** Whether the model is the owner's; of all without it. */
  readonly serves?: ((owner: string) => Promise<boolean>) | undefined;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Called when an owner who was served has nothing left that waits, or cannot be read. */
  readonly onServed?: ((owner: string) => void) | undefined;
  /** Called when the embedder takes no text at all; it is asked again until it does. */
  readonly onStuck?: ((error: unknown) => void) | undefined;
  readonly closed: AbortSignal;
  readonly warnUnreadable: (error: unknown, message: string) => void;
  /** Milliseconds of the first pause after a failure; default 1,000. */
  readonly pauseMs?: number | undefined;
  /** Milliseconds that a question waits for the owner's newest passages at most; default 5,000. */
  readonly awaitedMs?: number | undefined;
}

/** One model's part of the embedding queue: its owners in turn. */
export interface EmbeddingLane {
  /** Of an owner who may have passages without a vector. */
  addOwner(owner: string): void;
  /** The owner is another process's from here on; a batch that is under way is kept. */
  removeOwner(owner: string): void;
  /** Charges the request under way for what embedding the owner's passages takes. */
  charge(owner: string): void;
  /** Begins where owners wait. */
  start(): void;
  /** EmbeddingQueue.embedNewest(), of an owner whose model it is. */
  embedNewest(owner: string, signal: AbortSignal): Promise<void>;
  /** Resolves when no owner waits; undefined where none does. */
  running(): Promise<void> | undefined;
  /** Passages that have got their vectors from this process. */
  embedded(): number;
  /** Resolves with the next batch that is done or has failed. */
  nextStep(): Promise<void>;
  failing(): boolean;
  /** False from when the embedder took no text at all until it takes one. */
  works(): boolean;
  lastError(): Error | undefined;
  /** After `closed`: resolves when the last batch has ended. */
  end(): Promise<void>;
}

/** Owners remembered as waiting; all others are found when none of these is left. */
const MAX_OWNERS = 10_000;
/** Passages of an owner that a question waits for: about 0.5 s natively, 4 s in WebAssembly; and how long at most. */
const MAX_AWAITED = 64;
const AWAITED_TIMEOUT_MS = 5000;

export function createEmbeddingLane(options: EmbeddingLaneOptions): EmbeddingLane {
  const { store, embedder, log, closed } = options;
  const owners = new Set<string>();
  const urgent = new Set<string>();
  const batches = createEmbeddingBatches({ ...options, owners, urgent });
  const retry = createEmbeddingRetry({ batches, log, pauseMs: options.pauseMs });
  const progress = createProgress();
  let running: Promise<void> | undefined;

  /** `stored` when there were vectors: then it is the store that failed, and no text is to blame. */
  async function handleFailure(shares: readonly Share[], error: unknown, stored: boolean): Promise<void> {
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

  async function embedNext(shares: readonly Share[]): Promise<void> {
    let vectors: Float32Array[] | undefined;
    try {
      vectors = await batches.embed(shares);
      await batches.keepVectors(shares, vectors);
      retry.noteSuccess();
      progress.step(countPassages(shares));
      // Neither the store nor every embedder waits for anything.
      await new Promise(setImmediate);
    } catch (error) {
      await handleFailure(shares, error, vectors !== undefined);
    }
  }

  /** Never rejects. It ends without a wait after it has seen that no owner waits: one who comes later starts it again. */
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
    addOwner(owner) {
      if (owners.size < MAX_OWNERS) owners.add(owner);
    },
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
    async end() {
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
  /** How many were embedded when a question waited in vain: the next one waits again once there are more. */
  let vainAt: number | undefined;

  async function wait(owner: string, signal: AbortSignal): Promise<void> {
    // Each step embeds one passage at least, or fails.
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

/** Passages that have got their vectors from this process, and the next batch that is done or has failed. */
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
