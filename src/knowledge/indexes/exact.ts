import { type AllowedIds, checkVector, type VectorIndex } from '../ranking/vector-index.ts';
import { createNearestHeap } from './nearest-heap.ts';

export interface ExactOptions {
  readonly dimensions: number;
  readonly model: string;
  /** `int8` takes a quarter of the memory. Its similarities are off by about 0.01. */
  readonly precision?: 'float32' | 'int8';
}

export interface Int8Vectors {
  readonly ids: Float64Array;
  readonly scales: Float64Array;
  readonly numbers: Int8Array;
}

export interface ExactIndex extends VectorIndex {
  copies(): Int8Vectors;
  load(copies: Int8Vectors): void;
}

type VectorNumbers = Float32Array | Int8Array;
const CHUNK_VECTORS = 1024;
const FIRST_VECTORS = 16;
const ID_BYTES = 56;

export function createExactIndex({ dimensions, model, precision = 'float32' }: ExactOptions): ExactIndex {
  const rows = createRows(dimensions, precision);
  const ids: number[] = [];
  const slots = new Map<number, number>();

  function* candidates(allowed: AllowedIds): Generator<number> {
    if (allowed instanceof Function) {
      for (const [slot, id] of ids.entries()) if (allowed(id)) yield slot;
      return;
    }
    for (const id of allowed) {
      const slot = slots.get(id);
      if (slot !== undefined) yield slot;
    }
  }

  return {
    dimensions,
    model,
    get size() {
      return ids.length;
    },
    get bytes() {
      return rows.bytes() + ids.length * ID_BYTES;
    },
    copies: () => ({ ids: Float64Array.from(ids), ...rows.dump(ids.length) }),
    load(copies) {
      for (const [slot, id] of copies.ids.entries()) {
        ids[slot] = id;
        slots.set(id, slot);
        rows.restore(slot, copies);
      }
    },
    has: (id) => slots.has(id),
    ids: () => slots.keys(),
    vector(id) {
      const slot = slots.get(id);
      return slot === undefined ? undefined : rows.read(slot);
    },
    add(id, vector) {
      checkVector(vector, dimensions);
      const slot = slots.get(id) ?? ids.length;
      rows.write(slot, vector);
      ids[slot] = id;
      slots.set(id, slot);
    },
    remove(id) {
      const slot = slots.get(id);
      if (slot === undefined) return false;
      const last = ids.length - 1;
      const lastId = ids[last] ?? id;
      rows.moveLast(last, slot);
      ids[slot] = lastId;
      slots.set(lastId, slot);
      slots.delete(id);
      ids.length = last;
      return true;
    },
    findNearest(vector, k, allowed) {
      const query = checkVector(vector, dimensions);
      const nearest = createNearestHeap(k);
      const offer = (slot: number) => {
        const value = rows.similarity(query, slot);
        if (value >= nearest.bar) nearest.offer(ids[slot] ?? 0, value);
      };
      if (allowed) for (const slot of candidates(allowed)) offer(slot);
      else for (let slot = 0; slot < ids.length; slot++) offer(slot);
      return nearest.sorted();
    },
  };
}

function createRows(dimensions: number, precision: 'float32' | 'int8') {
  const create = (count: number): VectorNumbers =>
    precision === 'int8' ? new Int8Array(count * dimensions) : new Float32Array(count * dimensions);
  const chunks: VectorNumbers[] = [];
  const scales: number[] = [];

  function chunkOf(slot: number): VectorNumbers {
    const at = Math.floor(slot / CHUNK_VECTORS);
    const needed = (slot % CHUNK_VECTORS) + 1;
    const chunk = chunks[at];
    const has = chunk ? chunk.length / dimensions : 0;
    if (chunk && needed <= has) return chunk;
    const larger = create(at > 0 ? CHUNK_VECTORS : Math.max(FIRST_VECTORS, Math.min(CHUNK_VECTORS, has * 2)));
    if (chunk) larger.set(chunk);
    chunks[at] = larger;
    return larger;
  }

  function stored(slot: number): VectorNumbers {
    const offset = (slot % CHUNK_VECTORS) * dimensions;
    return chunkOf(slot).subarray(offset, offset + dimensions);
  }

  return {
    bytes: () => chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0),
    write(slot: number, vector: Float32Array): void {
      const offset = (slot % CHUNK_VECTORS) * dimensions;
      const chunk = chunkOf(slot);
      if (chunk instanceof Float32Array) {
        scales[slot] = 1;
        chunk.set(vector, offset);
        return;
      }
      const most = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
      scales[slot] = most / 127;
      for (let i = 0; i < dimensions; i++) {
        chunk[offset + i] = most === 0 ? 0 : Math.round(((vector[i] ?? 0) * 127) / most);
      }
    },
    read(slot: number): Float32Array {
      const scale = scales[slot] ?? 1;
      return Float32Array.from(stored(slot), (value) => value * scale);
    },
    similarity(query: Float32Array, slot: number): number {
      const chunk = chunks[Math.floor(slot / CHUNK_VECTORS)];
      if (!chunk) return Number.NEGATIVE_INFINITY;
      const offset = (slot % CHUNK_VECTORS) * dimensions;
      return (scales[slot] ?? 1) * (chunk instanceof Int8Array ? dotInt8 : dotFloat)(query, chunk, offset);
    },
    dump(count: number): Omit<Int8Vectors, 'ids'> {
      const numbers = new Int8Array(count * dimensions);
      for (let slot = 0; slot < count; slot++) numbers.set(stored(slot), slot * dimensions);
      return { scales: Float64Array.from(scales.slice(0, count)), numbers };
    },
    restore(slot: number, copies: Int8Vectors): void {
      chunkOf(slot);
      stored(slot).set(copies.numbers.subarray(slot * dimensions, (slot + 1) * dimensions));
      scales[slot] = copies.scales[slot] ?? 1;
    },
    moveLast(last: number, to: number): void {
      stored(to).set(stored(last));
      scales[to] = scales[last] ?? 1;
      scales.length = last;
      chunks.length = Math.ceil(last / CHUNK_VECTORS);
    },
  };
}

/** Dot product for floats. A function for all array types would be slower. */
function dotFloat(query: Float32Array, numbers: VectorNumbers, offset: number): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  const even = query.length - (query.length % 4);
  for (let i = 0; i < even; i += 4) {
    a += (query[i] ?? 0) * (numbers[offset + i] ?? 0);
    b += (query[i + 1] ?? 0) * (numbers[offset + i + 1] ?? 0);
    c += (query[i + 2] ?? 0) * (numbers[offset + i + 2] ?? 0);
    d += (query[i + 3] ?? 0) * (numbers[offset + i + 3] ?? 0);
  }
  for (let i = even; i < query.length; i++) a += (query[i] ?? 0) * (numbers[offset + i] ?? 0);
  return a + b + c + d;
}

function dotInt8(query: Float32Array, numbers: VectorNumbers, offset: number): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  const even = query.length - (query.length % 4);
  for (let i = 0; i < even; i += 4) {
    a += (query[i] ?? 0) * (numbers[offset + i] ?? 0);
    b += (query[i + 1] ?? 0) * (numbers[offset + i + 1] ?? 0);
    c += (query[i + 2] ?? 0) * (numbers[offset + i + 2] ?? 0);
    d += (query[i + 3] ?? 0) * (numbers[offset + i + 3] ?? 0);
  }
  for (let i = even; i < query.length; i++) a += (query[i] ?? 0) * (numbers[offset + i] ?? 0);
  return a + b + c + d;
}
