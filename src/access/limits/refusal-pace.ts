import { BoundedMap } from '../../lib/concurrency/bounded-map.ts';

/** Time between two answers of refusals to one sender, and the maximum time that such an answer waits. */
const PACE_MS = 50;
const MAX_WAIT_MS = 1000;
const MAX_SENDERS = 10_000;

/**
 * Returns a function that delays the answers of refused requests of one sender. A client that repeats refused requests without a
 * pause then takes little time from others.
 */
export function createRefusalPace(now: () => number): (sender: string) => Promise<void> {
  const nextBySender = new BoundedMap<number>(MAX_SENDERS);
  return async (sender) => {
    const next = nextBySender.get(sender) ?? 0;
    const waitMs = Math.min(MAX_WAIT_MS, Math.max(0, next - now()));
    nextBySender.set(sender, now() + waitMs + PACE_MS);
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  };
}
