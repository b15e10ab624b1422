import { createHash } from 'node:crypto';
import type { JobKind } from '../../../lib/concurrency/job-queue.ts';

/** The name of an owner in the tables of jobs, which hold no text of users: as `OWNED_TABLES` finds it in SQL. */
export function groupOf(owner: string): string {
  return createHash('sha256').update(owner).digest('hex');
}

/** pg-boss's id of a job, made from ours, so that either finds the other. */
export function bossIdOf({ name }: JobKind, id: string): string {
  const hash = createHash('sha256').update(`${name} ${id}`).digest('hex');
  // RFC 9562, version 8: the six bits that say so, and 122 of the hash.
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
