import { createHash } from 'node:crypto';
import type { PlannedProbe, ProbePlan } from '../store.ts';

/** Due times are `origin` plus a whole number of intervals, so that delays do not add up. */

const FIRST_PROBE_GAP_MS = 100;

export function planFirstRuns(monitor: number, plans: readonly ProbePlan[], now: number): PlannedProbe[] {
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

export function computeNextDue(origin: number, everyMs: number, dueAt: number, now: number): number {
  const after = Math.max(dueAt + everyMs / 2, now);
  return origin + (Math.floor((after - origin) / everyMs) + 1) * everyMs;
}

/** Returns a number from 0 to 1 that is constant for a monitor, to spread probes over the interval. */
function fractionOf(monitor: number): number {
  return createHash('sha256').update(String(monitor)).digest().readUInt32BE(0) / 2 ** 32;
}
