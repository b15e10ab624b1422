/** Maximum number of the memory's pages, as in `bit-scan.ts`. */
const MAX_PAGES = 65_536;
const [I32, F32, V128] = [0x7f, 0x7d, 0x7b];
const [CODES, WIDTH, END, FACTORS, ONES, PLANES_AT, SCORES, BY_SUM, BY_ONES, OFFSET, BASE] = Array.from(
  { length: 11 },
  (_, at) => at,
) as [number, number, number, number, number, number, number, number, number, number, number];
const [DONE, BITS, SUMS, BYTES] = [11, 12, 13, 14];

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const constant = (value: number) => [0x41, value];
const I32_ADD = [0x6a];
const I32_BELOW = [0x49];
const F32_ADD = [0x92];
const F32_TIMES = [0x94];
const F32_LOAD = [0x2a, 2, 0];
const F32_STORE = [0x38, 2, 0];
const F32_OF_I32 = [0xb3];
const ZEROS = [0xfd, 0x0c, ...Array<number>(16).fill(0)];
const load128 = (offset: number) => [0xfd, 0x00, 4, offset];
const AND = [0xfd, 0x4e];
const COUNT_ONES_8 = [0xfd, 0x62];
const ADD_8 = [0xfd, 0x6e];
const ADD_16 = [0xfd, 0x8e, 0x01];
const PAIRS_8_TO_16 = [0xfd, 0x7d];
const PAIRS_16_TO_32 = [0xfd, 0x7f];
const lane = (at: number) => [0xfd, 0x1b, at];
const BEGIN_LOOP = [0x03, 0x40];
const AGAIN_IF = [0x0d, 0];
const CLOSE = [0x0b];

const forward = (local: number, by: readonly number[]) => [...get(local), ...by, ...I32_ADD, ...set(local)];

const shared = (plane: number) => [
  ...[...get(PLANES_AT), ...get(DONE), ...constant(2), 0x74, ...I32_ADD],
  ...[...load128(plane * 16), ...get(BITS), ...AND, ...COUNT_ONES_8],
];
const doubledAnd = (plane: number) => [
  ...[...set(BYTES), ...get(BYTES), ...get(BYTES), ...ADD_8],
  ...[...shared(plane), ...ADD_8],
];

const BODY = [
  ...BEGIN_LOOP,
  ...[...ZEROS, ...set(SUMS), ...constant(0), ...set(DONE)],
  ...BEGIN_LOOP,
  ...[...get(CODES), ...get(DONE), ...I32_ADD, ...load128(0), ...set(BITS)],
  ...[...shared(3), ...doubledAnd(2), ...doubledAnd(1), ...doubledAnd(0)],
  ...[...PAIRS_8_TO_16, ...get(SUMS), ...ADD_16, ...set(SUMS)],
  ...forward(DONE, constant(16)),
  ...[...get(DONE), ...get(WIDTH), ...I32_BELOW, ...AGAIN_IF, ...CLOSE],
  ...[...get(SUMS), ...PAIRS_16_TO_32, ...set(SUMS)],
  ...get(SCORES),
  ...[...get(FACTORS), ...F32_LOAD],
  ...[...get(SUMS), ...lane(0), ...get(SUMS), ...lane(1), ...I32_ADD],
  ...[...get(SUMS), ...lane(2), ...I32_ADD, ...get(SUMS), ...lane(3), ...I32_ADD],
  ...[...F32_OF_I32, ...get(BY_SUM), ...F32_TIMES],
  ...[...get(ONES), ...F32_LOAD, ...get(BY_ONES), ...F32_TIMES, ...F32_ADD],
  ...[...get(OFFSET), ...F32_ADD, ...F32_TIMES, ...get(BASE), ...F32_ADD, ...F32_STORE],
  ...forward(CODES, get(WIDTH)),
  ...[...forward(FACTORS, constant(4)), ...forward(ONES, constant(4)), ...forward(SCORES, constant(4))],
  ...[...get(SCORES), ...get(END), ...I32_BELOW, ...AGAIN_IF, ...CLOSE],
];

/** Assembles `src/knowledge/indexes/bit-scan.wasm`, which scores vectors of bits. */
export function assembleBitScan(): Uint8Array<ArrayBuffer> {
  const name = (text: string) => [text.length, ...new TextEncoder().encode(text)];
  const section = (id: number, content: readonly number[]) => [id, ...unsigned(content.length), ...content];
  const parameters = [...Array<number>(7).fill(I32), ...Array<number>(4).fill(F32)];
  const locals = [2, 1, I32, 3, V128];
  const code = [...locals, ...BODY, ...CLOSE];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, parameters.length, ...parameters, 0]),
    ...section(2, [1, ...name('m'), ...name('m'), 0x02, 1, 1, ...unsigned(MAX_PAGES)]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name('scan'), 0x00, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ]);
}

function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}
