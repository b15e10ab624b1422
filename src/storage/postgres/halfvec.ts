/** Header before the floats: the number of dimensions and an unused number, 16 bits each. */
const HEADER_BYTES = 4;

/** Converts the 16-bit floats of SQLite (little-endian) to pgvector's binary format. */
export function toHalfvec(floats: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(HEADER_BYTES + floats.length);
  bytes.writeUInt16BE(floats.length / 2, 0);
  bytes.set(floats, HEADER_BYTES);
  bytes.subarray(HEADER_BYTES).swap16();
  return bytes;
}

export function fromHalfvec(bytes: Uint8Array): Uint8Array {
  return Buffer.from(bytes.subarray(HEADER_BYTES)).swap16();
}
