/** Milliseconds of work, of all that is done in turns together, after which the event loop runs. */
const TURN_MS = 8;

/** What waits for a turn, first come first. */
const waiting: (() => void)[] = [];
let isCalled = false;

/** Milliseconds that steps took since the event loop last ran. */
let spentMs = 0;
let isCounted = false;

/**
 * Takes the steps of some work to their end; where they last, the event loop runs in between. Several works at once share
 * one turn: each with a turn of its own, 16 pages that arrive together would hold up a caller 16 times as long.
 */
export async function inTurns<T>(steps: Iterator<unknown, T>): Promise<T> {
  for (;;) {
    if (spentMs >= TURN_MS) await nextTurn();
    const [begun, before] = [performance.now(), spentMs];
    let step = steps.next();
    while (!step.done && before + performance.now() - begun < TURN_MS) step = steps.next();
    spend(performance.now() - begun);
    if (step.done) return step.value;
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
 * Resolves when timers and all that arrived meanwhile have had their turn. Those who wait go on one after the other, and once
 * the time of a turn is over, the rest of them in a later one.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    callNext();
  });
}

/** What waits for one immediate alone continues before the timers, where it was called from an event. */
function callNext(): void {
  if (isCalled) return;
  isCalled = true;
  setImmediate(() => setImmediate(() => void letGoOn()));
}

async function letGoOn(): Promise<void> {
  const begun = performance.now();
  // Who comes to wait meanwhile does so for a later turn.
  for (let due = waiting.length; due > 0; due--) {
    waiting.shift()?.();
    await untilIdle();
    if (spentMs >= TURN_MS || performance.now() - begun >= TURN_MS) break;
  }
  isCalled = false;
  if (waiting.length > 0) callNext();
}

/** Resolves when no promise has anything left to call: Node takes the next tick after them, where it was asked for in one. */
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
