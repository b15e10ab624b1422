import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { InferenceSession, Tensor } from 'onnxruntime-web';
import { importOptionalPackage } from '../../lib/optional-packages.ts';
import type { EmbeddedKind } from '../embedding/embedder.ts';
import { buildGraphInputs, chooseVectorOutput, poolVectors } from './onnx-graph.ts';
import type { GraphVectors } from './sentence-model.ts';

/** `native` runs machine code. `wasm` runs on every machine, but ten times as slowly. */
export type Runtime = 'native' | 'wasm';

export interface LoadedOnnxModel {
  readonly runtime: Runtime;
  /** Computes the vectors of texts, which are given as rows of token ids. Returns one array of vectors of unit length. */
  run(rows: readonly (readonly number[])[], vectors: GraphVectors, kind: EmbeddedKind): Promise<Float32Array>;
}

/** Makes sums of 8-bit products exact. Processors without VNNI otherwise limit the sums to 16 bits, which distorts vectors. */
const WHOLE_SUMS = { session: { x64quantprecision: '1' } };

interface Opened {
  readonly session: InferenceSession;
  tensor(type: 'int64' | 'int32', data: BigInt64Array | Int32Array, dims: readonly number[]): Tensor;
}

/** Loads a graph for one thread. `auto` uses WebAssembly if the native runtime does not load. */
export async function loadModel(file: URL, runtime: Runtime | 'auto'): Promise<LoadedOnnxModel> {
  if (runtime === 'wasm') return model('wasm', await openWasm(file));
  try {
    return model('native', await openNative(file));
  } catch (error) {
    if (runtime === 'native') throw error;
    return model('wasm', await openWasm(file));
  }
}

async function openNative(file: URL): Promise<Opened> {
  const ort = await importOptionalPackage<typeof import('onnxruntime-node')>('native');
  // Idle threads spin, which doubles the processor time. onnxruntime never frees the pattern of a batch shape.
  const options = { intraOpNumThreads: 1, enableMemPattern: false, extra: WHOLE_SUMS };
  const session = await ort.InferenceSession.create(fileURLToPath(file), options);
  return { session, tensor: (type, data, dims) => new ort.Tensor(type, data, dims) };
}

async function importWasm(): Promise<typeof import('onnxruntime-web')> {
  const copied = new URL('./onnxruntime-web/ort.node.min.mjs', import.meta.url);
  return existsSync(copied) ? import(copied.href) : import('onnxruntime-web');
}

async function openWasm(file: URL): Promise<Opened> {
  const ort = await importWasm();
  ort.env.wasm.numThreads = 1;
  const session = await ort.InferenceSession.create(new Uint8Array(await readFile(file)), {
    executionProviders: ['wasm'],
  });
  return { session, tensor: (type, data, dims) => new ort.Tensor(type, data, dims) };
}

function model(runtime: Runtime, { session, tensor }: Opened): LoadedOnnxModel {
  return {
    runtime,
    async run(rows, vectors, kind) {
      const named =
        'outputs' in vectors ? vectors.outputs[kind] : chooseVectorOutput(session.outputNames, vectors.whole);
      const feeds = Object.fromEntries(
        buildGraphInputs(rows, session.inputMetadata).map(({ name, type, data, dims }) => [
          name,
          tensor(type, data, dims),
        ]),
      );
      const { [named]: output } = await session.run(feeds, [named]);
      if (!output) throw new TypeError('the model gave no vectors');
      if (!('outputs' in vectors)) return poolVectors(output, rows, vectors);
      if (!(output.data instanceof Float32Array)) throw new TypeError('the model gave no vectors');
      return output.data;
    },
  };
}
