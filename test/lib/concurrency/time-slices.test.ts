import { expect, test } from 'vitest';
import {
  createYieldPoint,
  runInTimeSlices,
  yieldToEventLoop,
} from '../../../src/lib/concurrency/time-slices.ts';

/** Longer than a turn. */
const LONG_MS = 12;

/** What happened, in order: pieces of work, and runs of the event loop between them. */
async function eventsOf(works: (busy: () => void) => readonly Promise<unknown>[]): Promise<string[]> {
  const events: string[] = [];
  let done = false;
  const run = () => {
    if (events.at(-1) !== 'loop') events.push('loop');
    if (!done) setImmediate(run);
  };
  setImmediate(run);
  const busy = () => {
    events.push('work');
    for (const until = performance.now() + LONG_MS; performance.now() < until; );
  };
  await Promise.all(works(busy));
  done = true;
  return events.filter((event, at) => event === 'work' || events[at - 1] === 'work');
}

const alternating = (count: number) =>
  Array.from({ length: 2 * count - 1 }, (_, at) => (at % 2 ? 'loop' : 'work'));

test('tasks in slices share the event loop: the event loop runs between any two long steps', async () => {
  const events = await eventsOf((busy) => {
    function* steps() {
      busy();
      yield;
      busy();
    }
    return Array.from({ length: 4 }, () => runInTimeSlices(steps()));
  });
  expect(events.slice(0, 15)).toEqual(alternating(8));
});

test('waiting tasks continue one after the other, and long tasks in separate turns', async () => {
  const events = await eventsOf((busy) => Array.from({ length: 5 }, () => yieldToEventLoop().then(busy)));
  expect(events.slice(0, 9)).toEqual(alternating(5));
});

test('pauses of concurrent tasks are turns too', async () => {
  const events = await eventsOf((busy) =>
    Array.from({ length: 3 }, async () => {
      const pause = createYieldPoint();
      await yieldToEventLoop();
      busy();
      await pause();
      busy();
    }),
  );
  expect(events.slice(0, 11)).toEqual(alternating(6));
});

test('a task that waits again waits for another turn', async () => {
  let runs = 0;
  const count = () => {
    runs++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  for (let turn = 0; turn < 3; turn++) await yieldToEventLoop();
  clearImmediate(next);
  expect(runs).toBeGreaterThanOrEqual(3);
});

test('short tasks share a turn, in order of arrival', async () => {
  const order: number[] = [];
  await Promise.all(Array.from({ length: 100 }, (_, at) => yieldToEventLoop().then(() => order.push(at))));
  expect(order).toEqual([...order.keys()]);
});

test('a failure in a turn reaches its own task only, and the others continue', async () => {
  const failing = yieldToEventLoop().then(() => {
    throw new Error('no');
  });
  const other = yieldToEventLoop().then(() => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await other).toBe('yes');
});
