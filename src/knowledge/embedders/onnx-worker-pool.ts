import { Worker } from 'node:worker_threads';
import { disableModelTelemetry } from '../../config/telemetry.ts';
import { unavailableError } from '../../errors.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { createNativeCallGate, type NativeCallGate, shutNativeCallGates } from './native-gate.ts';
import type { Runtime } from './onnx-model.ts';
import type { WorkerAnswer, WorkerBatch, WorkerStart } from './onnx-worker.ts';
import type { QueuedText, TextQueue } from './text-queue.ts';

export interface OnnxWorkerPoolOptions {
  readonly queue: TextQueue;
  readonly start: () => Omit<WorkerStart, 'gate'>;
  readonly workers: number;
  readonly idleMs: number;
  readonly batchMs: number;
}

interface Lane {
  readonly worker: Worker;
  readonly gate: NativeCallGate;
  readonly gone: Promise<void>;
  batch: QueuedText[];
  /** True while the worker computes, even if its texts have timed out. */
  busy: boolean;
  timer: NodeJS.Timeout | undefined;
}

const BACKLOG_TEXTS = 32;
const EXTRA_IDLE_PART = 1 / 24;
const YOUNG_GENERATION_MB = 4;
const MAX_FAILURES = 2;

export function createOnnxWorkerPool(options: OnnxWorkerPoolOptions) {
  const { queue } = options;
  const lanes = new Set<Lane>();
  const threads = new Set<NativeCallGate>();
  const onExit = (code: number) => shutNativeCallGates([...threads], code);
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
      lane.worker.unref();
      rest(lane);
      return;
    }
    lane.worker.ref();
    // On a timeout only the texts fail. The worker is not ended, because that would abort the process.
    lane.timer = setTimeout(() => refuse(lane.batch.splice(0), new Error('out of time')), options.batchMs);
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
    async close(error: Error): Promise<void> {
      const all = [...lanes];
      for (const { batch } of all) for (const one of batch.splice(0)) one.fail(error);
      for (const { worker } of all) worker.ref();
      await Promise.all(all.map(leave));
      process.off('exit', onExit);
    },
  };
}

function startLane(start: Omit<WorkerStart, 'gate'>): Lane {
  const gate = createNativeCallGate();
  disableModelTelemetry();
  const worker = new Worker(moduleUrl('./onnx-worker.ts', import.meta.url), {
    workerData: { ...start, gate } satisfies WorkerStart,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  worker.on('exit', () => resolve());
  return { worker, gate, gone, batch: [], busy: false, timer: undefined };
}

function giveBack(queue: TextQueue, batch: readonly QueuedText[], cause: Error): void {
  for (const one of batch) one.failures++;
  queue.unshift(batch.filter(({ failures }) => failures < MAX_FAILURES));
  refuse(
    batch.filter(({ failures }) => failures >= MAX_FAILURES),
    cause,
  );
}

function refuse(texts: readonly QueuedText[], cause: Error): void {
  const error = unavailableError(
    'the embedded model stopped unexpectedly; try again, or set MAGPIE_EMBEDDER to a model at OPENAI_BASE_URL',
    { cause },
  );
  for (const one of texts) one.fail(error);
}
