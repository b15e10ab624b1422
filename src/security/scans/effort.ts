import { setImmediate } from 'node:timers/promises';

/** Counts the steps of matching patterns with a text: one or two steps a character, some hundred million a second. */
export interface Meter {
  steps: number;
}

/** A step budget for work on repository input, which can be made to take forever. The work runs in slices with pauses. */
export interface Effort {
  readonly meter: Meter;
  readonly over: boolean;
  /** Lets other work run if a slice is done. Throws the signal's reason. */
  rest(signal: AbortSignal): Promise<void>;
}

/** Steps between two pauses, which take some 20 ms. */
const SLICE_STEPS = 3_000_000;
const MAX_STEPS = 1_000_000_000;

export function createEffort(most = MAX_STEPS): Effort {
  const meter: Meter = { steps: 0 };
  let rested = 0;
  return {
    meter,
    get over() {
      return meter.steps > most;
    },
    async rest(signal) {
      if (meter.steps - rested < SLICE_STEPS) return;
      rested = meter.steps;
      await setImmediate();
      signal.throwIfAborted();
    },
  };
}
