import { vi } from 'vitest';

/** A clock that goes on as the real one does, and that a test moves on besides. */
export interface MovingClock {
  /** Has `seconds` pass at once: what is due by then is done in the next moments. */
  pass(seconds: number): void;
  /** Gives the real clock back. */
  stop(): void;
}

/** Has `Date` show a clock that tests move on, in place of waiting for what is scheduled by it; timers stay real. */
export function startMovingClock(): MovingClock {
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
  return {
    pass: (seconds) => void vi.advanceTimersByTime(seconds * 1000),
    stop: () => void vi.useRealTimers(),
  };
}
