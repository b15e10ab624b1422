import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { InferenceSession, Tensor } from 'onnxruntime-web';
import { unpackHalfFloats } from '../../lib/half-floats.ts';
import { importOptionalPackage } from '../../lib/optional-packages.ts';
import type { EmbeddedKind } from '../embedding/embedder.ts';
import type { GraphVectors, Pooling } from './sentence-model.ts';

/** `native` runs machine code. `wasm` runs on every machine, but takes ten times as long. */
export type Runtime = 'native' | 'wasm';

export interface LoadedOnnxModel {
  readonly runtime: Runtime;
  /** Returns a unit vector for each row of token ids. The vectors are concatenated in one array. */
  run(rows: readonly (readonly number[])[], vectors: GraphVectors, kind: EmbeddedKind): Promise<Float32Array>;
}

/** Makes vectors exact. Otherwise, processors without VNNI limit sums of 8-bit products to 16 bits. */
const WHOLE_SUMS = { session: { x64quantprecision: '1' } };

interface OpenModel {
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

async function openNative(file: URL): Promise<OpenModel> {
  const ort = await importOptionalPackage<typeof import('onnxruntime-node')>('native');
  // One thread saves CPU time: idle threads spin. Memory patterns are off, because they never free memory.
  const options = { intraOpNumThreads: 1, enableMemPattern: false, extra: WHOLE_SUMS };
  const session = await ort.InferenceSession.create(fileURLToPath(file), options);
  return { session, tensor: (type, data, dims) => new ort.Tensor(type, data, dims) };
}

async function importWasm(): Promise<typeof import('onnxruntime-web')> {
  const copied = new URL('./onnxruntime-web/ort.node.min.mjs', import.meta.url);
  return existsSync(copied) ? import(copied.href) : import('onnxruntime-web');
}

async function openWasm(file: URL): Promise<OpenModel> {
  const ort = await importWasm();
  ort.env.wasm.numThreads = 1;
  const session = await ort.InferenceSession.create(new Uint8Array(await readFile(file)), {
    executionProviders: ['wasm'],
  });
  return { session, tensor: (type, data, dims) => new ort.Tensor(type, data, dims) };
}

function model(runtime: Runtime, { session, tensor }: OpenModel): LoadedOnnxModel {
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

interface InputMetadata {
  readonly name: string;
  readonly isTensor: boolean;
  readonly type?: string;
  readonly shape?: readonly (number | string)[];
}

interface GraphInput {
  readonly name: string;
  readonly type: 'int64' | 'int32';
  readonly data: BigInt64Array | Int32Array;
  readonly dims: readonly number[];
}

/** Outputs with one vector per text. `pooler_output` is left out: it does not represent a sentence. */
const OF_TEXTS = ['sentence_embedding', 'sentence_embeddings', 'embedding', 'embeddings', 'text_embeds'];
const OF_TOKENS = ['last_hidden_state', 'token_embeddings', 'hidden_states'];

function buildGraphInputs(
  rows: readonly (readonly number[])[],
  asked: readonly InputMetadata[],
): GraphInput[] {
  const length = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const cellOf: Readonly<Record<string, (row: readonly number[], i: number) => number>> = {
    input_ids: (row, i) => row[i] ?? 0,
    attention_mask: (row, i) => (i < row.length ? 1 : 0),
    token_type_ids: () => 0,
    position_ids: (_, i) => i,
  };
  return asked.map(({ name, type, shape }) => {
    const value = cellOf[name];
    if (!value) throw new TypeError(`the graph asks for the input ${name}, which no sentence model needs`);
    // If `position_ids` has one dimension, it is the same for all texts, and is given only once.
    const filled = shape?.length === 1 ? rows.slice(0, 1) : rows;
    const dims = shape?.length === 1 ? [length] : [rows.length, length];
    const values = filled.flatMap((row) => Array.from({ length }, (_, i) => value(row, i)));
    return type === 'int32'
      ? { name, type, data: Int32Array.from(values), dims }
      : { name, type: 'int64', data: BigInt64Array.from(values, BigInt), dims };
  });
}

function chooseVectorOutput(names: readonly string[], whole: boolean): string {
  const known = [...OF_TEXTS, ...(whole ? [] : OF_TOKENS)].find((name) => names.includes(name));
  const [only] = names;
  if (known !== undefined) return known;
  if (only !== undefined && names.length === 1 && !OF_TOKENS.includes(only)) return only;
  throw new TypeError(
    whole
      ? `the model has a layer after its pooling, and the graph does not have it: its outputs are ${names.join(', ')}, none of them a sentence_embedding`
      : `the graph's outputs are ${names.join(', ')}: none is known to have vectors`,
  );
}

/** Converts a graph's output to unit vectors. Throws TypeError if its dimensions do not fit the texts. */
function poolVectors(
  { data, dims }: { readonly data: unknown; readonly dims: readonly number[] },
  rows: readonly (readonly number[])[],
  { pooling, whole }: { readonly pooling: Pooling; readonly whole: boolean },
): Float32Array {
  const numbers = asFloats(data);
  const [texts, length, size] = dims.length === 2 ? [dims[0], 1, dims[1]] : dims;
  if (texts !== rows.length || !length || !size || numbers.length !== texts * length * size) {
    throw new TypeError(`the graph gave numbers of the sizes ${dims.join(' x ')} for ${rows.length} texts`);
  }
  if (dims.length === 3 && whole)
    throw new TypeError('the graph gave a vector for each token, and no pooled one');
  const vectors = new Float32Array(texts * size);
  for (const [at, row] of rows.entries()) {
    const vector = vectors.subarray(at * size, (at + 1) * size);
    const [first, end] = dims.length === 2 ? [0, 1] : tokensOf(row.length, pooling);
    for (let token = first; token < end; token++) {
      const from = (at * length + token) * size;
      for (let i = 0; i < size; i++) vector[i] = (vector[i] ?? 0) + (numbers[from + i] ?? 0);
    }
    normalise(vector);
  }
  return vectors;
}

function tokensOf(count: number, pooling: Pooling): readonly [first: number, end: number] {
  if (pooling === 'mean') return [0, count];
  return pooling === 'cls' ? [0, 1] : [count - 1, count];
}

function normalise(vector: Float32Array): void {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (!(length > 0 && Number.isFinite(length)))
    throw new TypeError('the graph gave a vector without a direction');
  for (const [i, value] of vector.entries()) vector[i] = value / length;
}

function asFloats(data: unknown): Float32Array {
  if (data instanceof Float32Array) return data;
  // A runtime without Float16Array returns 16-bit floats as a Uint16Array.
  if (ArrayBuffer.isView(data) && ['Float16Array', 'Uint16Array'].includes(data.constructor.name))
    return unpackHalfFloats(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  throw new TypeError('the graph gave something else than numbers with a point');
}
