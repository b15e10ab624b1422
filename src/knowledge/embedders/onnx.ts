import { availableParallelism } from 'node:os';
import { type AppError, unavailableError } from '../../errors.ts';
import { processorMeter } from '../../lib/workers/processor-meter.ts';
import type { EmbeddedKind, Embedder } from '../embedding/embedder.ts';
import type { Runtime } from './onnx-model.ts';
import { createOnnxWorkerPool } from './onnx-worker-pool.ts';
import type { SentenceModel } from './sentence-model.ts';
import { createTextQueue, type QueuedText } from './text-queue.ts';
import { openTokenizer, type TokenizerWithPieces } from './tokenizer.ts';
import { countTokens, estimateTokens, truncateForTokenizer } from './tokens.ts';

export interface OnnxOptions {
  readonly threads?: number;
  readonly runtime?: Runtime | 'auto';
  readonly idleMs?: number;
  readonly batchMs?: number;
}

export interface OnnxEmbedder extends Embedder {
  state(): { readonly workers: number; readonly runtime: Runtime | undefined };
}

const IDLE_MS = 120_000;
const BATCH_TIMEOUT_MS = 120_000;
const MAX_WORKERS = 2;
const MAX_WAITING_TEXTS = 20_000;

/** Creates an embedder in worker threads. `embed` fails with `unavailable` if too many texts wait. */
export function createOnnxEmbedder(model: SentenceModel, options: OnnxOptions = {}): OnnxEmbedder {
  const { name, dimensions, maxTokens, scale } = model;
  const idleMs = options.idleMs ?? IDLE_MS;
  const queue = createTextQueue(model.batchTexts);
  const tokenizers = keptWhileUsed(() => openTokenizer(model), idleMs);
  const lanes = createOnnxWorkerPool({
    queue,
    start: () => ({ model, runtime: options.runtime ?? 'auto', pieces: tokenizers.loaded()?.pieces }),
    workers: options.threads ?? Math.min(MAX_WORKERS, availableParallelism()),
    idleMs,
    batchMs: options.batchMs ?? BATCH_TIMEOUT_MS,
  });
  let closed = false;

  async function enqueue(
    texts: readonly string[],
    kind: EmbeddedKind,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const vectors = new Array<Float32Array>(texts.length);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let left = texts.length;
    const call = { meter: processorMeter() };
    const queued = texts.map((text, at): QueuedText => {
      const done = (vector: Float32Array) => {
        vectors[at] = vector;
        if (--left === 0) resolve();
      };
      return {
        text: truncateForTokenizer(text, maxTokens),
        tokens: estimateTokens(text, maxTokens),
        kind,
        call,
        failures: 0,
        done,
        fail: reject,
      };
    });
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    queue.push(queued.sort((a, b) => a.tokens - b.tokens));
    lanes.serve();
    try {
      await promise;
      return vectors;
    } catch (error) {
      queue.drop(new Set(queued));
      for (const one of queued) one.failures = Number.POSITIVE_INFINITY;
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  return {
    name,
    dimensions,
    maxTokens,
    scale,
    state: () => lanes.state(),
    countTokens: async (text) => countTokens((await tokenizers.get()).tokenizer, text),
    async embed(texts, kind, signal) {
      signal.throwIfAborted();
      if (model.pieces !== undefined) await tokenizers.get();
      signal.throwIfAborted();
      if (closed) throw shutDown();
      if (texts.length === 0) return [];
      if (queue.size >= MAX_WAITING_TEXTS) {
        throw unavailableError('too many texts wait for the embedded model; try again shortly', {
          retryAfter: 10,
        });
      }
      return enqueue(texts, kind, signal);
    },
    async close() {
      closed = true;
      tokenizers.drop();
      for (const one of queue.clear()) one.fail(shutDown());
      await lanes.close(shutDown());
    },
  };
}

function shutDown(): AppError {
  return unavailableError('the server is shutting down; call again when it is back');
}

function keptWhileUsed(load: () => Promise<TokenizerWithPieces>, idleMs: number) {
  let kept: { readonly loading: Promise<TokenizerWithPieces>; loaded?: TokenizerWithPieces } | undefined;
  let timer: NodeJS.Timeout | undefined;
  const drop = () => {
    clearTimeout(timer);
    kept = undefined;
  };
  return {
    async get() {
      clearTimeout(timer);
      timer = setTimeout(drop, idleMs).unref();
      kept ??= { loading: load() };
      const mine = kept;
      try {
        mine.loaded = await mine.loading;
        return mine.loaded;
      } catch (error) {
        if (kept === mine) drop();
        throw error;
      }
    },
    loaded: () => kept?.loaded,
    drop,
  };
}
