import { Worker } from 'node:worker_threads';
import { refuseTelemetry } from '../../config/telemetry.ts';
import { AppError } from '../../errors.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { createGate, type Gate, shut } from './native-gate.ts';
import type { Runtime } from './onnx-model.ts';
import type { WorkerAnswer, WorkerBatch, WorkerStart } from './onnx-worker.ts';
import type { QueuedText, TextQueue } from './text-queue.ts';

/** How workers take texts from a queue. */
export interface LanesOptions {
  readonly queue: TextQueue;
  /** What the next worker is started with. */
  readonly start: () => Omit<WorkerStart, 'gate'>;
  /** Workers at once. */
  readonly workers: number;
  /** Milliseconds after which a worker with nothing to do is let go, and its memory with it. */
  readonly idleMs: number;
  /** Milliseconds for one batch, loading the model included; then its texts are given up. */
  readonly batchMs: number;
}

export interface Lanes {
  /** Gives waiting texts to workers, starting them where needed. */
  serve(): void;
  /** Workers alive, and what they run on once the first has answered. */
  state(): { readonly workers: number; readonly runtime: Runtime | undefined };
  /** Lets all workers end after the batch in their hands, whose texts fail with the error. */
  close(error: Error): Promise<void>;
}

interface Lane {
  readonly worker: Worker;
  readonly gate: Gate;
  /** Resolves when the thread has ended. */
  readonly gone: Promise<void>;
  batch: QueuedText[];
  /** Also with an empty batch, while texts that were given up are still read. */
  busy: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** Texts beyond which one busy worker is not enough; a second copy of the model costs some 70 MB. */
const BACKLOG_TEXTS = 32;
/** Part of the idle time after which a worker beside another one is let go: one keeps questions fast. */
const EXTRA_IDLE_PART = 1 / 24;
/** Megabytes for short-lived objects; tokens of a text need little, and every worker has its own. */
const YOUNG_GENERATION_MB = 4;
const MAX_FAILURES = 2;

/** Worker threads with the model, one batch each at a time. A batch of a worker that dies is tried once more. */
export function createLanes(options: LanesOptions): Lanes {
  const { queue } = options;
  const lanes = new Set<Lane>();
  const threads = new Set<Gate>();
  const onExit = (code: number) => shut([...threads], code);
  process.on('exit', onExit);
  let runtime: Runtime | undefined;

  function serve(): void {
    for (const lane of lanes) {
      if (!lane.busy) give(lane);
    }
    if (queue.size > 0 && wanted()) give(open());
  }

  function wanted(): boolean {
    if (lanes.size === 0) return true;
    // The second starts when the first has shown what it runs on: WebAssembly's memory is enough once.
    return lanes.size < options.workers && runtime === 'native' && queue.size > BACKLOG_TEXTS;
  }

  function open(): Lane {
    const lane = startLane(options.start());
    const { worker, gate } = lane;
    worker.on('message', (answer: WorkerAnswer) => settle(lane, answer));
    worker.on('error', (error) => died(lane, error));
    threads.add(gate);
    worker.on('exit', () => {
      threads.delete(gate);
      died(lane, new Error('the worker ended'));
    });
    lanes.add(lane);
    return lane;
  }

  function give(lane: Lane): void {
    clearTimeout(lane.timer);
    lane.batch = queue.take();
    lane.busy = lane.batch.length > 0;
    if (!lane.busy) {
      // Neither a worker at rest nor its timer keeps the process running.
      lane.worker.unref();
      rest(lane);
      return;
    }
    lane.worker.ref();
    // The texts are given up, the worker is not: it can only end by itself.
    lane.timer = setTimeout(() => refuse(lane.batch.splice(0), new Error('out of time')), options.batchMs);
    // A batch is of one kind, as the queue gives it.
    const kind = lane.batch[0]?.kind ?? 'passage';
    lane.worker.postMessage({ kind, texts: lane.batch.map(({ text }) => text) } satisfies WorkerBatch);
  }

  function rest(lane: Lane): void {
    const extra = lanes.size > 1;
    const end = () => (extra && lanes.size === 1 ? rest(lane) : void leave(lane));
    lane.timer = setTimeout(end, options.idleMs * (extra ? EXTRA_IDLE_PART : 1)).unref();
  }

  function settle(lane: Lane, answer: WorkerAnswer): void {
    const { batch } = lane;
    lane.batch = [];
    if ('error' in answer) giveBack(queue, batch, new Error(answer.error));
    else {
      ({ runtime } = answer);
      // Texts of different calls never share a batch.
      batch[0]?.call.meter?.(answer.cpuMs);
      const dimensions = answer.vectors.length / batch.length;
      for (const [at, one] of batch.entries()) {
        one.done(answer.vectors.slice(at * dimensions, (at + 1) * dimensions));
      }
    }
    if (!lanes.has(lane)) return;
    give(lane);
    serve();
  }

  function leave(lane: Lane): Promise<void> {
    lanes.delete(lane);
    clearTimeout(lane.timer);
    lane.worker.postMessage(null);
    return lane.gone;
  }

  function died(lane: Lane, cause: Error): void {
    if (!lanes.delete(lane)) return;
    clearTimeout(lane.timer);
    giveBack(queue, lane.batch, cause);
    serve();
  }

  return {
    serve,
    state: () => ({ workers: lanes.size, runtime }),
    async close(error) {
      const all = [...lanes];
      for (const { batch } of all) for (const one of batch.splice(0)) one.fail(error);
      // The end of one at rest is waited for as well: with nothing else to do, the process would be gone before.
      for (const { worker } of all) worker.ref();
      await Promise.all(all.map(leave));
      process.off('exit', onExit);
    },
  };
}

function startLane(start: Omit<WorkerStart, 'gate'>): Lane {
  const gate = createGate();
  refuseTelemetry();
  const worker = new Worker(moduleUrl('./onnx-worker.ts', import.meta.url), {
    workerData: { ...start, gate } satisfies WorkerStart,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  worker.on('exit', () => resolve());
  return { worker, gate, gone, batch: [], busy: false, timer: undefined };
}

/** Texts of a batch that broke off go back to the front, but those that broke too many. */
function giveBack(queue: TextQueue, batch: readonly QueuedText[], cause: Error): void {
  for (const one of batch) one.failures++;
  queue.unshift(batch.filter(({ failures }) => failures < MAX_FAILURES));
  refuse(
    batch.filter(({ failures }) => failures >= MAX_FAILURES),
    cause,
  );
}

function refuse(texts: readonly QueuedText[], cause: Error): void {
  const error = new AppError(
    'unavailable',
    'the embedded model stopped unexpectedly; try again, or set MAGPIE_EMBEDDER to a model at OPENAI_BASE_URL',
    { cause },
  );
  for (const one of texts) one.fail(error);
}
