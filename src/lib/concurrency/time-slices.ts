/** Maximum time that all sliced work together may take before the event loop runs, in milliseconds. */
const TURN_MS = 8;

const waiting: (() => void)[] = [];
let isCalled = false;

/** Time that steps have taken since the event loop last ran, in milliseconds. */
let spentMs = 0;
let isCounted = false;

/**
 * Runs all steps, with pauses for the event loop. All work that runs this way shares one time budget, so that the times for pages
 * that arrive together do not add up.
 */
export async function runInTimeSlices<T>(steps: Iterator<unknown, T>): Promise<T> {
  for (;;) {
    if (spentMs >= TURN_MS) await yieldToEventLoop();
    const [begun, before] = [performance.now(), spentMs];
    let step = steps.next();
    while (!step.done && before + performance.now() - begun < TURN_MS) step = steps.next();
    spend(performance.now() - begun);
    if (step.done) return step.value;
  }
}

/** Returns a function to call between steps of long work. After long steps it returns a promise that lets the event loop run. */
export function createYieldPoint(): () => Promise<void> | undefined {
  let begun = performance.now();
  return () => {
    if (performance.now() - begun < TURN_MS) return undefined;
    return yieldToEventLoop().then(() => {
      begun = performance.now();
    });
  };
}

/** Resolves after timers and pending events. If the time budget is used up, further waiting work resumes in a later turn. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    callNext();
  });
}

/** Uses two immediates. After a single immediate, called from within an event, waiting work would continue before the timers. */
function callNext(): void {
  if (isCalled) return;
  isCalled = true;
  setImmediate(() => setImmediate(() => void letGoOn()));
}

async function letGoOn(): Promise<void> {
  const begun = performance.now();
  // Resumes only work that waits now. Work that starts to wait during this loop is left for a later turn.
  for (let due = waiting.length; due > 0; due--) {
    waiting.shift()?.();
    await untilIdle();
    if (spentMs >= TURN_MS || performance.now() - begun >= TURN_MS) break;
  }
  isCalled = false;
  if (waiting.length > 0) callNext();
}

/** Resolves when no promise callback is pending. A `nextTick` set in a promise callback runs after all promise callbacks. */
async function untilIdle(): Promise<void> {
  await undefined;
  await new Promise<void>((resolve) => process.nextTick(resolve));
}

function spend(ms: number): void {
  spentMs += ms;
  if (isCounted) return;
  isCounted = true;
  setImmediate(() => {
    isCounted = false;
    spentMs = 0;
  });
}
