/**
 * A vector of 16-bit floats as pgvector takes and gives it in binary (`halfvec_recv`, `halfvec_send`): the number of its dimensions
 * and an unused number in 16 bits each, and the floats, all with the higher byte first.
 */
const HEADER_BYTES = 4;

/** The same floats, the lower byte first as SQLite has them, as pgvector takes them. */
export function toHalfvec(floats: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(HEADER_BYTES + floats.length);
  bytes.writeUInt16BE(floats.length / 2, 0);
  bytes.set(floats, HEADER_BYTES);
  bytes.subarray(HEADER_BYTES).swap16();
  return bytes;
}

/** The floats of what `halfvec_send` gave, the lower byte first. */
export function fromHalfvec(bytes: Uint8Array): Uint8Array {
  return Buffer.from(bytes.subarray(HEADER_BYTES)).swap16();
}
