/// <reference lib="esnext.float16" />
import type { Dialect } from '../../storage/any-database.ts';
import { fromHalfvec, toHalfvec } from '../../storage/postgres/halfvec.ts';

/** A vector as 16-bit floats, in the bytes that a database takes. */
export function packVector(vector: Float32Array, dialect: Dialect): Uint8Array {
  const floats = new Uint8Array(new Float16Array(vector).buffer);
  return dialect === 'postgres' ? toHalfvec(floats) : floats;
}

export function unpackVector(bytes: Uint8Array, dialect: Dialect): Float32Array {
  const floats = dialect === 'postgres' ? fromHalfvec(bytes) : bytes;
  // The bytes may begin at an odd place of a larger buffer.
  return new Float32Array(new Float16Array(new Uint8Array(floats).buffer));
}
