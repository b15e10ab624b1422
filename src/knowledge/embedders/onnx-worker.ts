import { parentPort, workerData } from 'node:worker_threads';
import type { EmbeddedKind } from '../embedding/embedder.ts';
import { type Gate, inside } from './native-gate.ts';
import { loadModel, type Model, type Runtime } from './onnx-model.ts';
import type { SentenceModel } from './sentence-model.ts';
import { openTokenizer } from './tokenizer.ts';
import { encodeCut, type Tokenizer } from './tokens.ts';
import type { Pieces } from './unigram.ts';

/** What a worker is started with. */
export interface WorkerStart {
  readonly model: SentenceModel;
  readonly runtime: Runtime | 'auto';
  readonly gate: Gate;
  /** Of the model's tokenizer, where another thread has them already. */
  readonly pieces?: Pieces | undefined;
}

/** What a worker is asked: the vectors of texts that are all of one kind. */
export interface WorkerBatch {
  readonly kind: EmbeddedKind;
  readonly texts: readonly string[];
}

/**
 * Answer to a batch: their vectors in one array with the milliseconds of processor time that they took, loading the model
 * not included, or why there are none.
 */
export type WorkerAnswer =
  | { readonly vectors: Float32Array; readonly runtime: Runtime; readonly cpuMs: number }
  | { readonly error: string };

/**
 * The worker's side. A message is one batch, and is answered with one message; null ends the
 * worker when what came before is answered. It must not be terminated from outside: the native runtime ends
 * the whole process when that happens amid its work.
 */
const { model: description, runtime, gate, pieces } = workerData as WorkerStart;
let loading: Promise<readonly [Tokenizer, Model]> | undefined;
let last: Promise<void> = Promise.resolve();

function load(): Promise<readonly [Tokenizer, Model]> {
  const from = new URL(description.folder);
  loading ??= Promise.all([
    openTokenizer(description, pieces).then(({ tokenizer }) => tokenizer),
    inside(gate, () => loadModel(new URL(description.graph ?? 'model.onnx', from), runtime)),
  ]);
  return loading;
}

async function read({ kind, texts }: WorkerBatch): Promise<void> {
  try {
    const [tokenizer, model] = await load();
    const { prefixes, vectors: way, maxTokens } = description;
    const before = process.threadCpuUsage();
    const rows = texts.map((text) => encodeCut(tokenizer, prefixes[kind] + text, maxTokens));
    const computed = await inside(gate, () => model.run(rows, way, kind));
    // A copy, to be transferred: the runtime may use its memory again.
    const vectors = new Float32Array(computed);
    const { user, system } = process.threadCpuUsage(before);
    const answer: WorkerAnswer = { vectors, runtime: model.runtime, cpuMs: (user + system) / 1000 };
    parentPort?.postMessage(answer, [vectors.buffer]);
  } catch (error) {
    loading = undefined;
    const answer: WorkerAnswer = { error: error instanceof Error ? error.message : String(error) };
    parentPort?.postMessage(answer);
  }
}

parentPort?.on('message', (batch: WorkerBatch | null) => {
  if (batch === null) void last.then(() => parentPort?.close());
  else if (Array.isArray(batch.texts)) last = last.then(() => read(batch));
  else throw new TypeError('a message is a batch of texts, or null');
});
