import { setImmediate } from 'node:timers/promises';

/** Counter of steps of pattern matching. A processor makes some hundred million steps in a second. */
export interface StepCounter {
  steps: number;
}

/** Limits the steps of work on a repository, since a hostile repository could make the work endless. */
export interface StepBudget {
  readonly counter: StepCounter;
  readonly isExhausted: boolean;
  /** Pauses after each slice of `SLICE_STEPS`, so that other work can run. Throws the signal's reason. */
  yieldIfDue(signal: AbortSignal): Promise<void>;
}

/** Number of steps between two pauses, which takes some 20 ms. */
const SLICE_STEPS = 3_000_000;
const MAX_STEPS = 1_000_000_000;

export function createStepBudget(maxSteps = MAX_STEPS): StepBudget {
  const meter: StepCounter = { steps: 0 };
  let rested = 0;
  return {
    counter: meter,
    get isExhausted() {
      return meter.steps > maxSteps;
    },
    async yieldIfDue(signal) {
      if (meter.steps - rested < SLICE_STEPS) return;
      rested = meter.steps;
      await setImmediate();
      signal.throwIfAborted();
    },
  };
}
