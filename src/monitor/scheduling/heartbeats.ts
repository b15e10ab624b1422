import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { BoundedMap } from '../../lib/concurrency/bounded-map.ts';
import type { StoredMonitor } from '../store.ts';
import type { HeartbeatSignal, HeartbeatStore, StoredHeartbeat } from './heartbeat-store.ts';

const TOKEN_BYTES = 24;
const TOKEN = /^[\w-]{32}$/;
/** Minimum milliseconds between two stored signals of the same kind from one job. */
const SPACING_MS = 1000;
const MAX_SPACED = 10_000;
export const DEFAULT_HEARTBEAT_GRACE_MS = 60_000;

export interface HeartbeatState extends StoredHeartbeat {
  readonly dueAt: number;
}

export async function createHeartbeatToken(beats: HeartbeatStore, key: number): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await beats.putToken(key, hashOf(token));
  return token;
}

/** A fast hash is safe, because tokens are long and random. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Records a signal of a watched job (default: success). Resolves to false for an unknown token. */
export function createHeartbeatReceiver(beats: HeartbeatStore, wake: () => void) {
  const noted = new BoundedMap<{ readonly at: number; readonly signal: HeartbeatSignal }>(MAX_SPACED);
  return async (token: string, signal: HeartbeatSignal = 'success') => {
    if (!TOKEN.test(token)) return false;
    const hash = hashOf(token);
    const now = performance.now();
    const last = noted.get(hash);
    if (last?.signal === signal && now - last.at < SPACING_MS) return true;
    const found = await beats.recordSignal(hash, Date.now(), signal);
    if (!found || !timingSafeEqual(Buffer.from(found.hash), Buffer.from(hash))) return false;
    noted.set(hash, { at: now, signal });
    wake();
    return true;
  };
}

export async function readHeartbeatState(
  beats: Pick<HeartbeatStore, 'findBeat'>,
  { key, startedAt, intervalMs, probing }: StoredMonitor,
): Promise<HeartbeatState> {
  const beat = await beats.findBeat(key);
  const from = Math.max(beat.at ?? 0, startedAt);
  return { ...beat, dueAt: from + intervalMs + (probing.graceMs ?? DEFAULT_HEARTBEAT_GRACE_MS) };
}
