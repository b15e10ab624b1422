import { parentPort, workerData } from 'node:worker_threads';
import type { EmbeddedKind } from '../embedding/embedder.ts';
import { type NativeCallGate, runNativeCall } from './native-gate.ts';
import { type LoadedOnnxModel, loadModel, type Runtime } from './onnx-model.ts';
import type { SentenceModel } from './sentence-model.ts';
import { openTokenizer } from './tokenizer.ts';
import { encodeTruncated, type Tokenizer } from './tokens.ts';
import type { VocabularyPieces } from './unigram.ts';

export interface WorkerStart {
  readonly model: SentenceModel;
  readonly runtime: Runtime | 'auto';
  readonly gate: NativeCallGate;
  readonly pieces?: VocabularyPieces | undefined;
}

export interface WorkerBatch {
  readonly kind: EmbeddedKind;
  readonly texts: readonly string[];
}

/** `vectors` has all vectors one after the other. `cpuMs` leaves out the time to load the model. */
export type WorkerAnswer =
  | { readonly vectors: Float32Array; readonly runtime: Runtime; readonly cpuMs: number }
  | { readonly error: string };

/** Entry point of the worker thread. A null message ends it, because terminating it may crash the process. */
const { model: description, runtime, gate, pieces } = workerData as WorkerStart;
let loading: Promise<readonly [Tokenizer, LoadedOnnxModel]> | undefined;
let last: Promise<void> = Promise.resolve();

function load(): Promise<readonly [Tokenizer, LoadedOnnxModel]> {
  const from = new URL(description.folder);
  loading ??= Promise.all([
    openTokenizer(description, pieces).then(({ tokenizer }) => tokenizer),
    runNativeCall(gate, () => loadModel(new URL(description.graph ?? 'model.onnx', from), runtime)),
  ]);
  return loading;
}

async function read({ kind, texts }: WorkerBatch): Promise<void> {
  try {
    const [tokenizer, model] = await load();
    const { prefixes, vectors: way, maxTokens } = description;
    const before = process.threadCpuUsage();
    const rows = texts.map((text) => encodeTruncated(tokenizer, prefixes[kind] + text, maxTokens));
    const computed = await runNativeCall(gate, () => model.run(rows, way, kind));
    // Copies the vectors, because the runtime may reuse their memory.
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
