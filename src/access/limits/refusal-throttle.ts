import { BoundedMap } from '../../lib/concurrency/bounded-map.ts';

/** Interval between two answers to refused requests of one sender. */
const PACE_MS = 50;
/** Bytes of a refused request's body that add 1 ms to the interval, because reading the body took time. */
const BYTES_PER_MS = 4000;
const MAX_WAIT_MS = 1000;
const MAX_SENDERS = 10_000;

export function createRefusalThrottle(now: () => number): (sender: string, bytes?: number) => Promise<void> {
  const nextBySender = new BoundedMap<number>(MAX_SENDERS);
  return async (sender, bytes = 0) => {
    const next = nextBySender.get(sender) ?? 0;
    const waitMs = Math.min(MAX_WAIT_MS, Math.max(0, next - now()));
    nextBySender.set(sender, now() + waitMs + PACE_MS + bytes / BYTES_PER_MS);
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  };
}
