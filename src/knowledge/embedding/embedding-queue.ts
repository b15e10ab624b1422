import { setTimeout as sleep } from 'node:timers/promises';
import { isTimeout, withDeadline } from '../../lib/concurrency/deadline.ts';
import { JobNotPossibleHere, type JobQueue } from '../../lib/concurrency/job-queue.ts';
import type { Logger } from '../../log.ts';
import type { DroppedVectors, EntryStore } from '../store.ts';
import type { Knowledge } from '../types.ts';
import type { Embedder } from './embedder.ts';
import {
  countPassages,
  createEmbeddingBatches,
  type EmbeddingBatchesOptions,
  type OwnerPassages,
} from './embedding-batches.ts';
import { createEmbeddingRetry } from './embedding-retry.ts';
import type { ModelChoice } from './model-choice.ts';
import { type SharedEmbedding, type SharedModelEmbedder, shareEmbedding } from './shared-embedding.ts';

export interface EmbeddingQueueOptions extends Pick<ModelEmbeddingQueueOptions, 'pauseMs' | 'awaitedMs'> {
  readonly store: EntryStore;
  readonly choice: ModelChoice;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  readonly onDropped?: (dropped: DroppedVectors) => Promise<void>;
  readonly searchIntervalMs?: number | undefined;
}

export type EmbeddingQueue = ReturnType<typeof createEmbeddingQueue>;
const SEARCH_INTERVAL_MS = 30_000;
const MAX_HANDED = 500;

/** Creates the background queue for embedding. Waiting passages are stored, so a crash loses nothing. */
export function createEmbeddingQueue(options: EmbeddingQueueOptions) {
  const { store, choice, log, searchIntervalMs = SEARCH_INTERVAL_MS } = options;
  const { common, multilingual, names } = choice;
  const closing = new AbortController();
  const { signal: closed } = closing;
  const warnUnreadable = createFirstWarning(log, closed);
  const models: { embedder: Embedder; of?: boolean }[] = [{ embedder: common }];
  if (multilingual)
    models.splice(0, 1, { embedder: common, of: false }, { embedder: multilingual, of: true });
  let shared: SharedEmbedding | undefined;
  const lanes = models.map(({ embedder, of }) => {
    const serves =
      of === undefined ? undefined : async (owner: string) => (await choice.modelOf(owner)) === embedder;
    const held = new Map<string, HeldTurn>();
    const lane = createModelEmbeddingQueue({
      ...{ store, embedder, serves, log, closed, warnUnreadable },
      onServed: (owner) => held.get(owner)?.end(),
      onStuck(error) {
        for (const { fail } of held.values()) fail(new JobNotPossibleHere(error));
      },
      pauseMs: options.pauseMs,
      awaitedMs: options.awaitedMs,
    });
    return { ...lane, embedder, of, held, work: createModelWork(lane, held, of ? '-multilingual' : '') };
  });

  async function addWaiting(): Promise<void> {
    for (const { embedder, of, addOwner } of lanes) {
      const waiting = await store.listWaitingOwners(embedder.name, of);
      if (shared) for (const owner of waiting.slice(0, MAX_HANDED)) shared.request(owner);
      else for (const owner of waiting) addOwner(owner);
    }
  }

  async function tendModels(): Promise<void> {
    while (!closed.aborted && (await store.tendModels(names))) await new Promise(setImmediate);
    if (multilingual === undefined) return;
    const pair = { common: common.name, multilingual: multilingual.name };
    for (let done = ''; !closed.aborted; await new Promise(setImmediate)) {
      const dropped = await store.dropUnused(pair);
      if (!dropped) return;
      const which = JSON.stringify(dropped);
      if (which !== done) await options.onDropped?.(dropped);
      done = which;
    }
  }

  async function findWaiting(): Promise<void> {
    try {
      await store.settleLanguages(closed).catch((error: unknown) => {
        warnUnreadable(error, 'it is unknown which languages texts are in: they cannot be read');
      });
      await addWaiting();
      await tendModels();
      await store.cleanUp(closed);
      await addWaiting();
      await choice.warnUnread();
    } catch (error) {
      warnUnreadable(error, 'it is unknown which passages wait for their vectors: they cannot be read');
    }
    for (const { start } of lanes) start();
  }

  let finding: Promise<void> = findWaiting();
  const timer = setInterval(() => {
    finding = finding.then(findWaiting);
  }, searchIntervalMs);
  timer.unref();

  async function laneOf(owner: string): Promise<QueueLane> {
    const model = await choice.modelOf(owner);
    return lanes.find(({ embedder }) => embedder === model) as QueueLane;
  }

  return {
    /** Embeds an owner's waiting passages first. Resolves early if too many wait or the embedder fails. */
    async embedNewest(owner: string, signal: AbortSignal): Promise<void> {
      await (await laneOf(owner)).embedNewest(owner, signal);
    },
    /** Queues an owner with new passages. Charges CPU time to the current request, except with `byOther`. */
    addOwner(owner: string, byOther?: 'process'): void {
      if (!byOther) for (const lane of lanes) lane.charge(owner);
      if (shared && !lanes.some(({ held }) => held.has(owner))) {
        if (!byOther) shared.request(owner);
        return;
      }
      for (const lane of lanes) {
        lane.addOwner(owner);
        lane.start();
      }
    },
    share(jobs: JobQueue): void {
      const models = lanes.map(({ work }) => work);
      shared ??= shareEmbedding({
        store,
        jobs,
        log,
        models,
        modelOf: async (owner) => (await laneOf(owner)).work,
      });
    },
    waitForVectors: createWaiting(lanes, () => finding),
    async close(): Promise<void> {
      closing.abort();
      clearInterval(timer);
      const ends = lanes.map((lane) => lane.end());
      await finding;
      await Promise.all(ends);
    },
  };
}

interface HeldTurn {
  end(): void;
  fail(reason: unknown): void;
}

type QueueLane = ModelEmbeddingQueue & {
  readonly embedder: Embedder;
  readonly held: Map<string, HeldTurn>;
  readonly work: SharedModelEmbedder;
};

function createModelWork(
  lane: ModelEmbeddingQueue,
  held: Map<string, HeldTurn>,
  suffix: string,
): SharedModelEmbedder {
  return {
    suffix,
    isReady: lane.works,
    async embedOwner(owner, signal) {
      signal.throwIfAborted();
      if (!lane.works()) throw new JobNotPossibleHere(lane.lastError());
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      held.set(owner, { end: resolve, fail: reject });
      try {
        lane.addOwner(owner);
        lane.start();
        await promise;
      } finally {
        held.delete(owner);
        lane.removeOwner(owner);
        signal.removeEventListener('abort', stop);
      }
    },
  };
}

function createWaiting(
  lanes: readonly QueueLane[],
  finding: () => Promise<void>,
): Knowledge['waitForVectors'] {
  const embedded = () => lanes.reduce((sum, lane) => sum + lane.embedded(), 0);
  const running = () => lanes.flatMap((lane) => lane.running() ?? []);
  const failing = () => lanes.some((lane) => lane.failing());
  return async (most, signal, report) => {
    const before = embedded();
    const { promise: aborted, resolve: abort } = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => abort(), { once: true });
    await Promise.race([finding(), aborted]);
    while (running().length > 0 && embedded() - before < most && !failing() && !signal.aborted) {
      const steps = lanes.map((lane) => lane.nextStep());
      await Promise.race([Promise.all(running()), ...steps, aborted]);
      report?.(embedded() - before);
    }
    return signal.aborted ? undefined : lanes.map((lane) => lane.lastError()).find(Boolean);
  };
}

function createFirstWarning(log: Pick<Logger, 'warn'>, closed: AbortSignal) {
  let warned = false;
  return (error: unknown, message: string): void => {
    if (!warned && !closed.aborted) log.warn({ err: error }, message);
    warned = true;
  };
}

interface ModelEmbeddingQueueOptions extends Omit<EmbeddingBatchesOptions, 'owners' | 'urgent'> {
  readonly log: Pick<Logger, 'warn' | 'info'>;
  readonly onStuck?: ((error: unknown) => void) | undefined;
  readonly pauseMs?: number | undefined;
  readonly awaitedMs?: number | undefined;
}

type ModelEmbeddingQueue = ReturnType<typeof createModelEmbeddingQueue>;
const MAX_OWNERS = 10_000;
/** A question waits for at most this many passages. Embedding them takes 0.5 s, or 4 s in WebAssembly. */
const MAX_AWAITED = 64;
const AWAITED_TIMEOUT_MS = 5000;

function createModelEmbeddingQueue(options: ModelEmbeddingQueueOptions) {
  const { store, embedder, log, closed } = options;
  const owners = new Set<string>();
  const urgent = new Set<string>();
  const batches = createEmbeddingBatches({ ...options, owners, urgent });
  const retry = createEmbeddingRetry({ batches, log, pauseMs: options.pauseMs });
  const progress = createProgress();
  let running: Promise<void> | undefined;

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
  /** Value of `progress.embedded()` at a question's last timeout. Until it changes, questions do not wait. */
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
