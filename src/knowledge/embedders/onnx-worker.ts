import { parentPort, workerData } from 'node:worker_threads';
import { type Gate, inside } from './native-gate.ts';
import { loadModel, type Model, type Runtime } from './onnx-model.ts';
import { encodeCut, loadTokenizer, type Tokenizer } from './tokens.ts';

/** What a worker is started with. */
export interface WorkerStart {
  /** Address of the folder with the model's files. */
  readonly folder: string;
  readonly runtime: Runtime | 'auto';
  readonly gate: Gate;
}

/** Answer to a list of texts: their vectors in one array, or why there are none. */
export type WorkerAnswer =
  | { readonly vectors: Float32Array; readonly runtime: Runtime }
  | { readonly error: string };

/**
 * The worker's side. A message is a list of texts, one batch, and is answered with one message; null ends the
 * worker when what came before is answered. It must not be terminated from outside: the native runtime ends
 * the whole process when that happens amid its work.
 */
const { folder, runtime, gate } = workerData as WorkerStart;
let loading: Promise<readonly [Tokenizer, Model]> | undefined;
let last: Promise<void> = Promise.resolve();

function load(): Promise<readonly [Tokenizer, Model]> {
  const from = new URL(folder);
  loading ??= Promise.all([loadTokenizer(from), inside(gate, () => loadModel(from, runtime))]);
  return loading;
}

async function read(texts: readonly string[]): Promise<void> {
  try {
    const [tokenizer, model] = await load();
    const rows = texts.map((text) => encodeCut(tokenizer, text));
    const computed = await inside(gate, () => model.run(rows));
    // A copy, to be transferred: the runtime may use its memory again.
    const vectors = new Float32Array(computed);
    const answer: WorkerAnswer = { vectors, runtime: model.runtime };
    parentPort?.postMessage(answer, [vectors.buffer]);
  } catch (error) {
    loading = undefined;
    const answer: WorkerAnswer = { error: error instanceof Error ? error.message : String(error) };
    parentPort?.postMessage(answer);
  }
}

parentPort?.on('message', (texts: readonly string[] | null) => {
  if (texts === null) void last.then(() => parentPort?.close());
  else if (Array.isArray(texts)) last = last.then(() => read(texts));
  else throw new TypeError('a message is a list of texts, or null');
});
