import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work after which others have their turn. */
const TURN_MS = 8;

/** Takes the steps of some work to their end; where they last, the event loop runs in between. */
export async function inTurns<T>(steps: Iterator<unknown, T>): Promise<T> {
  for (let begun = performance.now(); ; ) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - begun < TURN_MS) continue;
    await setImmediate();
    begun = performance.now();
  }
}

/** Called between two steps of some work: where they last, the event loop runs before the next one. */
export function createPause(): () => Promise<void> | undefined {
  let begun = performance.now();
  return () => {
    if (performance.now() - begun < TURN_MS) return undefined;
    return nextTurn().then(() => {
      begun = performance.now();
    });
  };
}

/**
 * Resolves when timers and all that arrived meanwhile have had their turn. (What waits for one immediate alone continues
 * before the timers, where it was called from an event.)
 */
export async function nextTurn(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
