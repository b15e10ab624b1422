/** Milliseconds that all long computations together may take before they yield to the event loop. */
const TURN_MS = 5;

const waiting: (() => void)[] = [];
let isCalled = false;
let spentMs = 0;
let isCounted = false;

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

export function createYieldPoint(): () => Promise<void> | undefined {
  let begun = performance.now();
  return () => {
    if (performance.now() - begun < TURN_MS) return undefined;
    return yieldToEventLoop().then(() => {
      begun = performance.now();
    });
  };
}

export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    callNext();
  });
}

/** Resumes work after two immediates. After an I/O event, a single immediate would run before due timers. */
function callNext(): void {
  if (isCalled) return;
  isCalled = true;
  setImmediate(() => setImmediate(() => void letGoOn()));
}

async function letGoOn(): Promise<void> {
  const begun = performance.now();
  for (let due = waiting.length; due > 0; due--) {
    waiting.shift()?.();
    await untilIdle();
    if (spentMs >= TURN_MS || performance.now() - begun >= TURN_MS) break;
  }
  isCalled = false;
  if (waiting.length > 0) callNext();
}

/** Resolves when all pending promise callbacks have run: Node.js runs `nextTick` callbacks after them. */
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
