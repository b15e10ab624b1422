import { createHash } from 'node:crypto';
import type { Plan, PlannedJob } from '../store.ts';

/** When jobs fall due: pure rules. Each has a grid of its interval from an origin, off which nothing drifts. */

/** Milliseconds between the first probes of a monitor's targets. */
const FIRST_PROBE_GAP_MS = 100;

/** Plans with their grids: they begin soon, one after the other, and are then spread over their interval. */
export function layOut(monitor: number, plans: readonly Plan[], now: number): PlannedJob[] {
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

/**
 * The point of the grid at which a job falls due next: at least half an interval after it was due, so that the first
 * round comes at once and the following ones are spread.
 */
export function nextDue(origin: number, everyMs: number, dueAt: number, now: number): number {
  const after = Math.max(dueAt + everyMs / 2, now);
  return origin + (Math.floor((after - origin) / everyMs) + 1) * everyMs;
}

/** The same for the same monitor, and even over many: monitors that begin together do not stay together. */
function fractionOf(monitor: number): number {
  return createHash('sha256').update(String(monitor)).digest().readUInt32BE(0) / 2 ** 32;
}
