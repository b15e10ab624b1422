import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { InferenceSession, Tensor } from 'onnxruntime-web';

/** The machine's own code, or WebAssembly, which runs everywhere at a tenth of the speed. */
export type Runtime = 'native' | 'wasm';

/** A model in memory. */
export interface Model {
  readonly runtime: Runtime;
  /** Vectors of rows of token ids, one after the other in one array: what the graph gives as `output`. */
  run(rows: readonly (readonly number[])[], output: string): Promise<Float32Array>;
}

type Feeds = Record<'input_ids' | 'attention_mask' | 'position_ids', Tensor>;
interface Opened {
  readonly session: InferenceSession;
  tensor(data: BigInt64Array, dims: readonly number[]): Tensor;
}

/**
 * Loads `model.onnx` of a folder, for one thread. `auto` takes WebAssembly where the native runtime is not
 * installed or does not load. Rejects with the runtime's own error.
 */
export async function loadModel(folder: URL, runtime: Runtime | 'auto'): Promise<Model> {
  const file = new URL('model.onnx', folder);
  if (runtime === 'wasm') return model('wasm', await openWasm(file));
  try {
    return model('native', await openNative(file));
  } catch (error) {
    if (runtime === 'native') throw error;
    return model('wasm', await openWasm(file));
  }
}

async function openNative(file: URL): Promise<Opened> {
  const { default: ort } = await import('onnxruntime-node');
  // One thread a worker: several threads of one session wait for each other by spinning, which costs twice
  // the processor time as soon as anything else runs.
  // A memory pattern for each shape of batch is kept for good, and there is a shape for every length.
  const options = { intraOpNumThreads: 1, enableMemPattern: false };
  const session = await ort.InferenceSession.create(fileURLToPath(file), options);
  return { session, tensor: (data, dims) => new ort.Tensor('int64', data, dims) };
}

async function openWasm(file: URL): Promise<Opened> {
  const ort = await import('onnxruntime-web');
  ort.env.wasm.numThreads = 1;
  const session = await ort.InferenceSession.create(new Uint8Array(await readFile(file)), {
    executionProviders: ['wasm'],
  });
  return { session, tensor: (data, dims) => new ort.Tensor('int64', data, dims) };
}

function model(runtime: Runtime, { session, tensor }: Opened): Model {
  return {
    runtime,
    async run(rows, output) {
      const length = Math.max(...rows.map((row) => row.length));
      const dims = [rows.length, length];
      const ids = new BigInt64Array(rows.length * length);
      const mask = new BigInt64Array(rows.length * length);
      for (const [at, row] of rows.entries()) {
        for (const [i, id] of row.entries()) ids[at * length + i] = BigInt(id);
        mask.fill(1n, at * length, at * length + row.length);
      }
      const positions = BigInt64Array.from({ length }, (_, i) => BigInt(i));
      const feeds: Feeds = {
        input_ids: tensor(ids, dims),
        attention_mask: tensor(mask, dims),
        position_ids: tensor(positions, [length]),
      };
      const { [output]: vectors } = await session.run(feeds, [output]);
      if (!(vectors?.data instanceof Float32Array)) throw new TypeError('the model gave no vectors');
      return vectors.data;
    },
  };
}
