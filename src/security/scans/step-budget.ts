import { setImmediate } from 'node:timers/promises';

export interface StepCounter {
  steps: number;
}

export type MatchStepBudget = ReturnType<typeof createStepBudget>;

/** Number of steps between two pauses. This many steps take about 20 ms. */
const SLICE_STEPS = 3_000_000;
const MAX_STEPS = 1_000_000_000;

export function createStepBudget(maxSteps = MAX_STEPS) {
  const meter: StepCounter = { steps: 0 };
  let rested = 0;
  return {
    counter: meter,
    get isExhausted() {
      return meter.steps > maxSteps;
    },
    /** Yields to the event loop after each `SLICE_STEPS` steps. Throws the signal's reason if aborted. */
    async yieldIfDue(signal: AbortSignal) {
      if (meter.steps - rested < SLICE_STEPS) return;
      rested = meter.steps;
      await setImmediate();
      signal.throwIfAborted();
    },
  };
}
