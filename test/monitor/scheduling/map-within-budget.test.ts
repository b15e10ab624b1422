import { expect, test } from 'vitest';
import { isTimeout, withDeadline } from '../../../src/lib/concurrency/deadline.ts';
import { mapWithinBudget } from '../../../src/monitor/scheduling/map-within-budget.ts';

const signal = new AbortController().signal;
const tick = () => new Promise((resolve) => setTimeout(resolve, 1));
const things = Array.from({ length: 50 }, (_, at) => at);

test('items are processed in order, each once, with limited concurrency', async () => {
  let [under, most] = [0, 0];
  const { done, left } = await mapWithinBudget(
    things,
    { concurrency: 7, budgetMs: 60_000, signal },
    async (thing) => {
      most = Math.max(most, ++under);
      await tick();
      under--;
      return thing * 2;
    },
  );
  expect(most).toBe(7);
  expect(done).toEqual(things.map((thing) => thing * 2));
  expect(left).toEqual([]);
});

test('items past the time budget are left, and the next run takes different ones', async () => {
  const seen = new Set<number>();
  let rounds = 0;
  while (seen.size < things.length && rounds++ < 1000) {
    const over = new Promise((resolve) => setTimeout(resolve, 20));
    const { done, left } = await mapWithinBudget(
      things,
      { concurrency: 10, budgetMs: 10, signal },
      async (thing) => {
        await over;
        return thing;
      },
    );
    expect(done.length).toBeGreaterThan(0);
    expect([...done, ...left].sort((a, b) => a - b)).toEqual(things);
    expect(left.length).toBeGreaterThanOrEqual(40);
    for (const thing of done) seen.add(thing);
  }
  expect(seen.size).toBe(things.length);
});

test('a failure or an abort ends the mapping', async () => {
  const how = { concurrency: 3, budgetMs: 60_000, signal };
  const begun: number[] = [];
  const failing = mapWithinBudget(things, how, async (thing) => {
    begun.push(thing);
    throw new Error('broken');
  });
  await expect(failing).rejects.toThrow('broken');
  expect(begun.length).toBeLessThan(things.length);
  const stop = new AbortController();
  const stopped = mapWithinBudget(things, { ...how, signal: stop.signal }, async () => {
    stop.abort(new Error('enough'));
  });
  await expect(stopped).rejects.toThrow('enough');
});

test('a deadline applies to work that ignores its signal, and follows the outer signal', async () => {
  const stuck = () => new Promise<never>(() => {});
  const late = await withDeadline(signal, 20, stuck).catch((error: unknown) => error);
  expect(isTimeout(late)).toBe(true);
  const stop = new AbortController();
  const stopped = withDeadline(stop.signal, Infinity, stuck);
  stop.abort(new Error('enough'));
  await expect(stopped).rejects.toThrow('enough');
  await expect(withDeadline(stop.signal, 1000, async () => 1)).rejects.toThrow('enough');
  expect(await withDeadline(signal, 60_000, async (own) => own.aborted)).toBe(false);
});
