import { setTimeout as sleep } from 'node:timers/promises';
import { isTimeout, withDeadline } from '../lib/deadline.ts';
import type { Logger } from '../log.ts';
import type { Embedder } from './embedder.ts';
import { countPassages, createEmbeddingBatches, type Share } from './embedding-batches.ts';
import { createEmbeddingRetry } from './embedding-retry.ts';
import type { EntryStore } from './store.ts';
import type { Knowledge } from './types.ts';

export interface EmbeddingQueueOptions {
  readonly store: EntryStore;
  readonly embedder: Embedder;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Milliseconds between searches for what other processes, or a killed one, left; default 30,000. */
  readonly searchIntervalMs?: number;
  /** Milliseconds of the first pause after a failure; default 1,000. */
  readonly pauseMs?: number;
}

export interface EmbeddingQueue {
  /** Of an owner who has passages without a vector. */
  addOwner(owner: string): void;
  /**
   * Embeds the few passages of an owner that wait, before those of all others. Resolves when they have their vectors; at
   * once where more than a few wait or the embedder fails, and after some seconds in any case.
   */
  embedNewest(owner: string, signal: AbortSignal): Promise<void>;
  /** Knowledge.waitForVectors(). */
  waitForVectors: Knowledge['waitForVectors'];
  close(): Promise<void>;
}

const SEARCH_INTERVAL_MS = 30_000;
/** Owners remembered as waiting; all others are found when none of these is left. */
const MAX_OWNERS = 10_000;
/** Passages of an owner that a question waits for: about 0.5 s natively, 4 s in WebAssembly; and how long at most. */
const MAX_AWAITED = 64;
const AWAITED_TIMEOUT_MS = 5000;

/**
 * Gives passages their vectors in the background, owners in turn. What waits is recorded in the store, not here: a
 * killed process loses nothing, and a new model finds everything waiting.
 */
export function createEmbeddingQueue(options: EmbeddingQueueOptions): EmbeddingQueue {
  const { store, embedder, log, searchIntervalMs = SEARCH_INTERVAL_MS } = options;
  const owners = new Set<string>();
  const urgent = new Set<string>();
  const closing = new AbortController();
  const { signal: closed } = closing;
  const warnUnreadable = createFirstWarning(log, closed);
  const batches = createEmbeddingBatches({ store, embedder, owners, urgent, closed, warnUnreadable });
  const retry = createEmbeddingRetry({ batches, log, pauseMs: options.pauseMs });
  const progress = createProgress();
  let running: Promise<void> | undefined;

  /** `stored` when there were vectors: then it is the store that failed, and no text is to blame. */
  async function handleFailure(shares: readonly Share[], error: unknown, stored: boolean): Promise<void> {
    for (const { owner } of shares) owners.add(owner);
    if (closed.aborted) return;
    const pauseMs = await retry.noteFailure(shares, error, stored);
    progress.step(0);
    if (pauseMs === undefined) return;
    await sleep(pauseMs, undefined, { signal: closed, ref: false }).catch(() => {});
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
    if (!closed.aborted) running ??= run();
  }

  async function addWaiting(): Promise<void> {
    for (const owner of await store.listWaitingOwners(embedder.name)) owners.add(owner);
  }

  async function findWaiting(): Promise<void> {
    try {
      await addWaiting();
      while (!closed.aborted && (await store.tendModels({ common: embedder.name }))) {
        await new Promise(setImmediate);
      }
      await store.cleanUp(closed);
      // A restore that a process left half done waits from here on.
      await addWaiting();
    } catch (error) {
      warnUnreadable(error, 'it is unknown which passages wait for their vectors: they cannot be read');
    }
    if (owners.size > 0) start();
  }

  let finding: Promise<void> = findWaiting();
  const timer = setInterval(() => {
    finding = finding.then(findWaiting);
  }, searchIntervalMs);
  timer.unref();

  const awaited = createAwaited({
    store,
    model: embedder.name,
    urgent,
    start,
    progress,
    failing: () => retry.failing() || closed.aborted,
  });

  return {
    embedNewest: awaited,
    addOwner(owner) {
      if (owners.size < MAX_OWNERS) owners.add(owner);
      start();
    },
    async waitForVectors(most, signal, report) {
      const before = progress.embedded();
      const { promise: aborted, resolve: abort } = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => abort(), { once: true });
      await Promise.race([finding, aborted]);
      while (running && progress.embedded() - before < most && !retry.failing() && !signal.aborted) {
        await Promise.race([running, progress.nextStep(), aborted]);
        report?.(progress.embedded() - before);
      }
      return signal.aborted ? undefined : retry.lastError();
    },
    async close() {
      closing.abort();
      progress.step(0);
      clearInterval(timer);
      await finding;
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
}

/** EmbeddingQueue.embedNewest(). */
function createAwaited({ store, model, urgent, start, progress, failing }: AwaitedParts) {
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
      await withDeadline(signal, AWAITED_TIMEOUT_MS, (until) => wait(owner, until));
    } catch (error) {
      if (!isTimeout(error)) throw error;
      vainAt = progress.embedded();
    } finally {
      urgent.delete(owner);
    }
  };
}

/** Warns once; not of what fails because the room is closing. */
function createFirstWarning(log: Pick<Logger, 'warn'>, closed: AbortSignal) {
  let warned = false;
  return (error: unknown, message: string): void => {
    if (!warned && !closed.aborted) log.warn({ err: error }, message);
    warned = true;
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
