import { checkVector, type VectorIndex } from '../ranking/vector-index.ts';
import { createBitRows } from './bit-rows.ts';
import { QUERY_BIT_PLANES } from './bit-scan.ts';
import { createNearestHeap } from './nearest-heap.ts';

export interface BitsOptions {
  readonly dimensions: number;
  readonly model: string;
  /** Mean of all vectors. It is subtracted from each vector, because it does not distinguish the vectors. */
  readonly mean: Float32Array;
}

/** Index with one bit per number. Cosines are off by about 0.03, so callers recompute the best cosines. */
export interface BitsIndex extends VectorIndex {
  readonly mean: Float32Array;
  readonly perPage: number;
  readPage(page: number): { readonly ids: Float64Array; readonly bytes: Uint8Array };
  /** Adds the next page of a saved index. Throws RangeError for invalid ids. */
  loadPage(ids: Float64Array, read: (bytes: Uint8Array) => void): void;
  close(): void;
}

const MAX_LEVEL = 2 ** QUERY_BIT_PLANES - 1;
const ID_BYTES = 12;
const PAGE_IDS = 4096;

/** Creates an index by RaBitQ (Gao and Long, SIGMOD 2024). A million vectors of 384 numbers take 68 MB. */
export function createBitsIndex({ dimensions, model, mean }: BitsOptions): BitsIndex {
  const rotate = createRotation(dimensions);
  const rows = createBitRows(dimensions);
  const { idOf, rowOf } = createRowIds();
  const bits = new Uint8Array(rows.width);

  function remove(id: number): boolean {
    const row = rowOf.get(id);
    if (row === undefined) return false;
    const last = idOf.length - 1;
    const lastId = idOf[last] ?? id;
    if (row !== last) rows.move(last, row);
    idOf[row] = lastId;
    rowOf.set(lastId, row);
    rowOf.delete(id);
    idOf.length = last;
    rows.truncate(last);
    return true;
  }

  return {
    dimensions,
    model,
    mean,
    perPage: rows.perPage,
    get size() {
      return idOf.length;
    },
    get bytes() {
      return rows.bytes + idOf.length * ID_BYTES;
    },
    has: (id) => rowOf.get(id) !== undefined,
    ids: () => idOf.values(),
    vector: () => undefined,
    add(id, vector) {
      checkVector(vector, dimensions);
      const row = rowOf.get(id) ?? idOf.length;
      rows.write(row, bits, encode(rotate(difference(vector, mean)), bits));
      idOf[row] = id;
      rowOf.set(id, row);
    },
    remove,
    findNearest(vector, k, allowed) {
      const query = checkVector(vector, dimensions);
      const { planes, terms } = encodeQuery(rotate(query), rows.width, dot(query, mean));
      const nearest = createNearestHeap(Math.min(k, idOf.length));
      const fits = allowed instanceof Function ? allowed : allowed && ((id: number) => allowed.has(id));
      rows.scan(planes, terms, idOf.length, (first, scores) => {
        let { bar } = nearest;
        for (let i = 0; i < scores.length; i++) {
          const score = scores[i] ?? 0;
          if (!(score >= bar)) continue;
          const id = idOf[first + i] ?? 0;
          if (fits && !fits(id)) continue;
          nearest.offer(id, score);
          ({ bar } = nearest);
        }
      });
      return nearest.sorted();
    },
    readPage(page) {
      const ids = Float64Array.from(idOf.slice(page * rows.perPage, (page + 1) * rows.perPage));
      return { ids, bytes: rows.page(page) };
    },
    loadPage(ids, read) {
      if (idOf.length % rows.perPage !== 0 || ids.length > rows.perPage)
        throw new RangeError('a page too many');
      read(rows.page(idOf.length / rows.perPage));
      for (const id of ids) {
        if (!Number.isSafeInteger(id) || id < 0 || id >= 2 ** 31 || rowOf.get(id) !== undefined) {
          throw new RangeError(`${id} is not the number of a passage`);
        }
        rowOf.set(id, idOf.push(id) - 1);
      }
    },
    close() {
      rows.truncate(0);
      idOf.length = 0;
    },
  };
}

/** Maps rows to ids and back. A Map of a million ids would take 50 MB. */
function createRowIds() {
  const idOf: number[] = [];
  const pages: (Int32Array | undefined)[] = [];
  const rowOf = {
    get(id: number): number | undefined {
      const row = pages[Math.floor(id / PAGE_IDS)]?.[id % PAGE_IDS] ?? 0;
      return row === 0 ? undefined : row - 1;
    },
    set(id: number, row: number): void {
      const number = Math.floor(id / PAGE_IDS);
      const page = pages[number] ?? new Int32Array(PAGE_IDS);
      pages[number] = page;
      page[id % PAGE_IDS] = row + 1;
    },
    delete(id: number): void {
      const page = pages[Math.floor(id / PAGE_IDS)];
      if (page) page[id % PAGE_IDS] = 0;
    },
  };
  return { idOf, rowOf };
}

function difference(vector: Float32Array, mean: Float32Array): Float32Array {
  const own = vector.slice();
  for (let i = 0; i < own.length; i++) own[i] = (own[i] ?? 0) - (mean[i] ?? 0);
  return own;
}

/** Stores each number's sign as a bit. Returns the vector's score factor and its number of 1 bits. */
function encode(numbers: Float32Array, bits: Uint8Array): { readonly factor: number; readonly ones: number } {
  bits.fill(0);
  let [ones, sum, squares] = [0, 0, 0];
  for (let i = 0; i < numbers.length; i++) {
    const value = numbers[i] ?? 0;
    sum += Math.abs(value);
    squares += value * value;
    if (value < 0) continue;
    bits[i >> 3] = (bits[i >> 3] ?? 0) | (1 << (i & 7));
    ones++;
  }
  return { factor: sum === 0 ? 0 : squares / sum, ones };
}

function encodeQuery(numbers: Float32Array, width: number, base: number) {
  const lowest = numbers.reduce((min, value) => Math.min(min, value), 0);
  const highest = numbers.reduce((max, value) => Math.max(max, value), 0);
  const step = (highest - lowest) / MAX_LEVEL || 1;
  const planes = new Uint8Array(width * QUERY_BIT_PLANES);
  let sum = 0;
  for (let i = 0; i < numbers.length; i++) {
    const level = Math.round(((numbers[i] ?? 0) - lowest) / step);
    sum += lowest + level * step;
    const first = (i >> 7) * 16 * QUERY_BIT_PLANES + ((i & 127) >> 3);
    for (let plane = 0; plane < QUERY_BIT_PLANES; plane++) {
      const byte = first + plane * 16;
      planes[byte] = (planes[byte] ?? 0) | (((level >> plane) & 1) << (i & 7));
    }
  }
  return { planes, terms: { bySum: 2 * step, byOnes: 2 * lowest, offset: -sum, base } };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** Rounds of the rotation. After one round, the first numbers would not affect the last numbers. */
const ROUNDS = 2;

/** Creates a fixed rotation by sign flips and Walsh-Hadamard transforms, as RaBitQ's implementation does. */
export function createRotation(dimensions: number): (vector: Float32Array) => Float32Array {
  const block = 2 ** Math.floor(Math.log2(Math.max(dimensions, 1)));
  const scale = 1 / Math.sqrt(block);
  let state = 12_345;
  const signs = Array.from({ length: ROUNDS }, () =>
    Float32Array.from({ length: dimensions }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >= 2 ** 31 ? 1 : -1;
    }),
  );
  return (vector) => {
    const turned = vector.slice();
    for (const [round, sign] of signs.entries()) {
      for (let i = 0; i < dimensions; i++) turned[i] = (turned[i] ?? 0) * (sign[i] ?? 0);
      const from = round % 2 === 0 ? 0 : dimensions - block;
      transform(turned.subarray(from, from + block), scale);
    }
    return turned;
  };
}

/** Computes a Walsh-Hadamard transform, two steps at once, which halves the reads and writes. */
function transform(numbers: Float32Array, scale: number): void {
  const { length } = numbers;
  let quarter = 1;
  for (; quarter * 4 <= length; quarter *= 4) {
    for (let start = 0; start < length; start += 4 * quarter) {
      for (let i = start; i < start + quarter; i++) {
        const a = numbers[i] ?? 0;
        const b = numbers[i + quarter] ?? 0;
        const c = numbers[i + 2 * quarter] ?? 0;
        const d = numbers[i + 3 * quarter] ?? 0;
        numbers[i] = a + b + (c + d);
        numbers[i + quarter] = a - b + (c - d);
        numbers[i + 2 * quarter] = a + b - (c + d);
        numbers[i + 3 * quarter] = a - b - (c - d);
      }
    }
  }
  for (let i = 0; quarter < length && i < quarter; i++) {
    const a = numbers[i] ?? 0;
    const b = numbers[i + quarter] ?? 0;
    numbers[i] = a + b;
    numbers[i + quarter] = a - b;
  }
  for (let i = 0; i < length; i++) numbers[i] = (numbers[i] ?? 0) * scale;
}
