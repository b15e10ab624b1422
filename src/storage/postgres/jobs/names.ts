import { createHash } from 'node:crypto';
import type { JobKind } from '../../../lib/concurrency/job-queue.ts';

/** Returns an owner's hash for the job tables. It must equal the hash in the SQL of `OWNED_TABLES`. */
export function hashOwner(owner: string): string {
  return createHash('sha256').update(owner).digest('hex');
}

export function pgBossJobId({ name }: JobKind, id: string): string {
  const hash = createHash('sha256').update(`${name} ${id}`).digest('hex');
  // A UUID of version 8 (RFC 9562): 6 bits are fixed, and 122 bits come from the hash.
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
