import { createHash } from 'node:crypto';
import type { PlannedJob, ProbePlan } from '../store.ts';

/** This file computes when probes are due: always a whole number of intervals after `origin`, so that times do not drift. */

const FIRST_PROBE_GAP_MS = 100;

/** Plans a new monitor's probes. The first run of each is soon, one after another. Later runs are spread over the interval. */
export function planFirstRuns(monitor: number, plans: readonly ProbePlan[], now: number): PlannedJob[] {
  const begin = fractionOf(monitor);
  return plans.map((plan, index) => {
    const phase = (begin + index / plans.length) % 1;
    return {
      ...plan,
      origin: Math.round(now + phase * plan.everyMs),
      firstAt: now + Math.round(index * Math.min(FIRST_PROBE_GAP_MS, plan.everyMs / plans.length)),
    };
  });
}

/** Returns the next due time after `now`: at least half an interval after `dueAt`, the last due time. */
export function computeNextDue(origin: number, everyMs: number, dueAt: number, now: number): number {
  const after = Math.max(dueAt + everyMs / 2, now);
  return origin + (Math.floor((after - origin) / everyMs) + 1) * everyMs;
}

/** Returns a number from 0 to 1 that never changes for a monitor. The number spreads the probes of many monitors over time. */
function fractionOf(monitor: number): number {
  return createHash('sha256').update(String(monitor)).digest().readUInt32BE(0) / 2 ** 32;
}
