import { packHalfFloats, unpackHalfFloats } from '../../../lib/half-floats.ts';
import type { Dialect } from '../../../storage/any-database.ts';
import { fromHalfvec, toHalfvec } from '../../../storage/postgres/halfvec.ts';

export function packVector(vector: Float32Array, dialect: Dialect): Uint8Array {
  const floats = packHalfFloats(vector);
  return dialect === 'postgres' ? toHalfvec(floats) : floats;
}

export function unpackVector(bytes: Uint8Array, dialect: Dialect): Float32Array {
  return unpackHalfFloats(dialect === 'postgres' ? fromHalfvec(bytes) : bytes);
}
