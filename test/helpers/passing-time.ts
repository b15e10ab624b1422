import { vi } from 'vitest';

/** Milliseconds by which the clock is moved on, and turns of the event loop in which whatever has been answered by then is read. */
const [STEP_MS, TURNS_OF_A_STEP] = [10, 30];

/** A clock that passes while a test waits for something. */
export interface PassingTime {
  /** Moves the clock on until `asked` has been answered. What is asked at once is given as one promise. */
  until<T>(asked: Promise<T>): Promise<T>;
  /** Gives the real clock back. */
  stop(): void;
}

/** Has delays, paces and limits pass at once, by timers and `performance`: how fast the machine is decides nothing. `Date` stays real. */
export function startPassingTime(): PassingTime {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  return {
    async until(asked) {
      let hasEnded = false;
      const ended = asked.finally(() => {
        hasEnded = true;
      });
      ended.catch(() => {});
      while (!hasEnded) {
        for (let turn = 0; turn < TURNS_OF_A_STEP && !hasEnded; turn++)
          await new Promise((resolve) => setImmediate(resolve));
        vi.advanceTimersByTime(STEP_MS);
      }
      return ended;
    },
    stop: () => void vi.useRealTimers(),
  };
}
