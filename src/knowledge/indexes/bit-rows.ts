import { type BitScan, createBitMemory, type ScoreTerms } from './bit-scan.ts';

export const WASM_PAGE_BYTES = 65_536;
const PLANES_AT = 0;
const SCORES_AT = 32_768;
const NUMBERS_BYTES = 8;

/** WebAssembly memory that all indexes of a thread share, because engines allow only a few memories. */
interface Pages {
  readonly scan: BitScan;
  readonly memory: WebAssembly.Memory;
  take(): number;
  giveBack(page: number): void;
}

let shared: Pages | undefined;

function createPages(): Pages {
  const { memory, scan } = createBitMemory();
  const free: number[] = [];
  return {
    memory,
    scan,
    take() {
      const known = free.pop();
      if (known === undefined) return memory.grow(1) * WASM_PAGE_BYTES;
      new Uint8Array(memory.buffer, known, WASM_PAGE_BYTES).fill(0);
      return known;
    },
    giveBack: (page) => void free.push(page),
  };
}

export interface BitRowFactors {
  readonly factor: number;
  readonly ones: number;
}

/** Creates a store for rows of bits, each with a score factor and its number of 1 bits. */
export function createBitRows(dimensions: number) {
  shared ??= createPages();
  const { memory, scan, take, giveBack } = shared;
  const width = Math.ceil(dimensions / 128) * 16;
  const perPage = Math.floor(WASM_PAGE_BYTES / (width + NUMBERS_BYTES));
  if (perPage < 1 || width * 4 > SCORES_AT)
    throw new RangeError(`${dimensions} numbers are too many for a vector`);
  const offsets: number[] = [];
  function placeOf(row: number) {
    const at = Math.floor(row / perPage);
    while (offsets.length <= at) offsets.push(take());
    const page = offsets[at] ?? 0;
    const within = row % perPage;
    const factor = page + perPage * width + within * 4;
    return { bits: page + within * width, factor: factor / 4, ones: factor / 4 + perPage };
  }

  return {
    width,
    perPage,
    get bytes(): number {
      return offsets.length * WASM_PAGE_BYTES;
    },
    write(row: number, bits: Uint8Array, { factor, ones }: BitRowFactors): void {
      const place = placeOf(row);
      new Uint8Array(memory.buffer, place.bits, width).set(bits);
      const floats = new Float32Array(memory.buffer);
      floats[place.factor] = factor;
      floats[place.ones] = ones;
    },
    move(from: number, to: number): void {
      const [source, target] = [placeOf(from), placeOf(to)];
      new Uint8Array(memory.buffer).copyWithin(target.bits, source.bits, source.bits + width);
      const floats = new Float32Array(memory.buffer);
      floats[target.factor] = floats[source.factor] ?? 0;
      floats[target.ones] = floats[source.ones] ?? 0;
    },
    truncate(count: number): void {
      for (const page of offsets.splice(Math.ceil(count / perPage))) giveBack(page);
    },
    page(at: number): Uint8Array {
      placeOf(at * perPage);
      return new Uint8Array(memory.buffer, offsets[at], WASM_PAGE_BYTES);
    },
    /** Computes the scores of all rows and calls `each` per page. Scores are valid until `each` returns. */
    scan(
      planes: Uint8Array,
      terms: ScoreTerms,
      count: number,
      each: (first: number, scores: Float32Array) => void,
    ): void {
      new Uint8Array(memory.buffer, PLANES_AT).set(planes);
      const scores = new Float32Array(memory.buffer, SCORES_AT, perPage);
      for (let first = 0; first < count; first += perPage) {
        const codes = offsets[first / perPage] ?? 0;
        const some = Math.min(perPage, count - first);
        const factors = codes + perPage * width;
        const ones = factors + perPage * 4;
        const at = { codes, width, factors, ones, planes: PLANES_AT, scores: SCORES_AT };
        scan({ ...at, count: some }, terms);
        each(first, some === perPage ? scores : scores.subarray(0, some));
      }
    },
  };
}
