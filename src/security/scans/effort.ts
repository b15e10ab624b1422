import { setImmediate } from 'node:timers/promises';

/** Steps of comparing a pattern with a text, one or two a character: some hundred million a second. */
export interface Meter {
  steps: number;
}

/** Bounds work on input from a repository, which may be made to take without end: it is done in slices, and ends. */
export interface Effort {
  readonly meter: Meter;
  /** Nothing more is to be done. */
  readonly over: boolean;
  /** Lets other work run where a slice is done. Throws the signal's reason. */
  rest(signal: AbortSignal): Promise<void>;
}

/** Steps between two pauses (some 20 ms), and of one scan (some seconds). */
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
