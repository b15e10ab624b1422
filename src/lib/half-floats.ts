/**
 * 16-bit floats of IEEE 754, the lower byte first: what `Float16Array` holds, which Node.js has from 24 on, and Magpie runs on 22
 * as well.
 */
export const HALF_FLOAT_BYTES = 2;

const bits = new Uint32Array(1);
const single = new Float32Array(bits.buffer);
/** 2^112: what turns the exponent of a half into that of a single, by a multiplication that is exact. */
const REBIAS = 2 ** 112;

/** All 65,536 of them as 32-bit floats, made when the first is read: 256 kB. */
let values: Float32Array | undefined;

/** The nearest 16-bit floats, ties to the even one; what is beyond 65,504 becomes infinite. */
export function packHalfFloats(floats: Float32Array): Uint8Array {
  const halves = new Uint16Array(floats.length);
  for (let at = 0; at < floats.length; at++) halves[at] = halfOf(floats[at] ?? 0);
  return new Uint8Array(halves.buffer);
}

/** The 32-bit floats of 16-bit ones, which may begin at an odd place of a larger buffer. */
export function unpackHalfFloats(bytes: Uint8Array): Float32Array {
  values ??= Float32Array.from({ length: 65_536 }, (_, half) => singleOf(half));
  const halves = new Uint16Array(new Uint8Array(bytes).buffer);
  const floats = new Float32Array(halves.length);
  for (let at = 0; at < halves.length; at++) floats[at] = values[halves[at] ?? 0] ?? 0;
  return floats;
}

function halfOf(value: number): number {
  single[0] = value;
  const all = bits[0] ?? 0;
  const sign = (all >>> 16) & 0x8000;
  const size = all & 0x7fffffff;
  if (size > 0x7f800000) return sign | 0x7e00;
  // From 65,520 on the nearest is infinite.
  if (size >= 0x477ff000) return sign | 0x7c00;
  // Below 2^-14 the steps are 2^-24 each: rounding to whole steps is rounding to the nearest.
  if (size < 0x38800000) return sign | evenRound(Math.abs(value) * 2 ** 24);
  const rest = size & 0x1fff;
  const half = (size - 0x38000000) >>> 13;
  return sign | (rest > 0x1000 || (rest === 0x1000 && half & 1) ? half + 1 : half);
}

function evenRound(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  return rest > 0.5 || (rest === 0.5 && below & 1) ? below + 1 : below;
}

function singleOf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  if ((half & 0x7c00) === 0x7c00) return half & 0x3ff ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  bits[0] = (half & 0x7fff) << 13;
  return sign * (single[0] ?? 0) * REBIAS;
}
