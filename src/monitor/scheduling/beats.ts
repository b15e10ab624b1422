import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { BoundedMap } from '../../lib/concurrency/bounded-map.ts';
import type { StoredMonitor } from '../store.ts';
import type { BeatStore, Signal, StoredBeat } from './beat-store.ts';

/** Heartbeats: a job calls an address of ours, with a token that no one can guess; late is down, and so is one that says it failed. */

/** Bytes of a token, and its form: what is not of this form is not looked up. */
const TOKEN_BYTES = 24;
const TOKEN = /^[\w-]{32}$/;
/** Milliseconds in which one signal of a token is noted once. */
const SPACING_MS = 1000;
const MAX_SPACED = 10_000;
/** Milliseconds after its interval that a heartbeat may come where nothing is said. */
export const DEFAULT_GRACE_MS = 60_000;

/** How a heartbeat stands; milliseconds since the epoch. */
export interface Beat extends StoredBeat {
  /** When the next one has to have come, its grace included. */
  readonly dueAt: number;
}

/** A new token of a monitor: shown once, and kept as its hash alone. */
export async function giveToken(beats: BeatStore, key: number): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await beats.putToken(key, hashOf(token));
  return token;
}

/** Random as it is, a token needs no slow hash. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Takes heartbeats: whether the token is that of a monitor. */
export function createBeats(
  beats: BeatStore,
  wake: () => void,
): (token: string, signal?: Signal) => Promise<boolean> {
  const noted = new BoundedMap<{ readonly at: number; readonly signal: Signal }>(MAX_SPACED);
  return async (token, signal = 'success') => {
    if (!TOKEN.test(token)) return false;
    const hash = hashOf(token);
    const now = performance.now();
    const last = noted.get(hash);
    // A failure right after a success counts, and a success right after a beginning.
    if (last?.signal === signal && now - last.at < SPACING_MS) return true;
    const found = await beats.noteBeat(hash, Date.now(), signal);
    if (!found || !timingSafeEqual(Buffer.from(found.hash), Buffer.from(hash))) return false;
    noted.set(hash, { at: now, signal });
    wake();
    return true;
  };
}

export async function beatOf(
  beats: Pick<BeatStore, 'findBeat'>,
  { key, startedAt, intervalMs, probing }: StoredMonitor,
): Promise<Beat> {
  const beat = await beats.findBeat(key);
  const from = Math.max(beat.at ?? 0, startedAt);
  return { ...beat, dueAt: from + intervalMs + (probing.graceMs ?? DEFAULT_GRACE_MS) };
}
