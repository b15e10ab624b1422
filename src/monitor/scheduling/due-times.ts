import { createHash } from 'node:crypto';
import type { PlannedJob, ProbePlan } from '../store.ts';

/** Computes when probes are due: at an origin plus a whole number of intervals, so that the times do not drift. */

const FIRST_PROBE_GAP_MS = 100;

/** Schedules probes: the first ones come soon, one after another, and later ones are spread over the interval. */
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

/** Returns the next due time. It is at least half an interval after the last one, so that later probes do not come at once. */
export function computeNextDue(origin: number, everyMs: number, dueAt: number, now: number): number {
  const after = Math.max(dueAt + everyMs / 2, now);
  return origin + (Math.floor((after - origin) / everyMs) + 1) * everyMs;
}

/** Returns a constant, evenly distributed fraction per monitor. It spreads the probes of monitors that start together. */
function fractionOf(monitor: number): number {
  return createHash('sha256').update(String(monitor)).digest().readUInt32BE(0) / 2 ** 32;
}
