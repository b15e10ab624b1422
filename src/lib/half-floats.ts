/** Size in bytes of an IEEE 754 half float. Node.js 22 has no `Float16Array`. */
export const HALF_FLOAT_BYTES = 2;
const bits = new Uint32Array(1);
const single = new Float32Array(bits.buffer);
/** Factor between the exponent of 32-bit floats (bias 127) and of 16-bit floats (bias 15): 2^(127 - 15). */
const REBIAS = 2 ** 112;
let values: Float32Array | undefined;

/** Rounds 32-bit floats to the nearest 16-bit floats, ties to even. Values beyond 65,504 become infinite. */
export function packHalfFloats(floats: Float32Array): Uint8Array {
  const halves = new Uint16Array(floats.length);
  for (let at = 0; at < floats.length; at++) halves[at] = halfOf(floats[at] ?? 0);
  return new Uint8Array(halves.buffer);
}

/** Converts 16-bit floats to 32-bit floats. The bytes may begin at an odd offset of a larger buffer. */
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
  // Rounds values from 65,520 up to infinity.
  if (size >= 0x477ff000) return sign | 0x7c00;
  // Half floats below 2^-14 are multiples of 2^-24.
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
