import { expect, test } from 'vitest';
import { createCoalescer } from '../../../src/lib/concurrency/request-coalescer.ts';

const never = () => new AbortController().signal;

/** Work that ends when told, and knows whether it was given up. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<{ n: number }>();
  const signals: AbortSignal[] = [];
  const start = (signal: AbortSignal) => {
    signals.push(signal);
    return promise;
  };
  return { start, resolve, reject, signals };
}

const flightsOf = (joining = 60_000) =>
  createCoalescer<{ n: number }>({ copy: (value) => ({ ...value }), joining });

test('many callers share one piece of work, and work of one owner is not shared with another', async () => {
  const flights = flightsOf();
  const { start, resolve, signals } = work();
  const askers = Array.from({ length: 3 }, () => flights.join('a', start, never()));
  resolve({ n: 1 });
  const results = await Promise.all(askers);
  expect(signals).toHaveLength(1);
  expect(results).toEqual([{ n: 1 }, { n: 1 }, { n: 1 }]);
  expect(new Set(results).size).toBe(3);
});

test('work with another key, without a key, finished work and old work are not joined', async () => {
  const flights = flightsOf();
  const { start, resolve, signals } = work();
  const askers = ['a', 'b', undefined, undefined].map((key) => flights.join(key, start, never()));
  expect(signals).toHaveLength(4);
  resolve({ n: 1 });
  await Promise.all(askers);
  await flights.join('a', start, never());
  expect(signals).toHaveLength(5);
  const impatient = flightsOf(0);
  const other = work();
  void impatient.join('a', other.start, never());
  void impatient.join('a', other.start, never());
  expect(other.signals).toHaveLength(2);
});

test('a caller that leaves does not affect the others, and the last caller to leave ends the work', async () => {
  const flights = flightsOf();
  const { start, signals } = work();
  const stops = [new AbortController(), new AbortController()];
  const askers = stops.map(({ signal }) => flights.join('a', start, signal));
  stops[0]?.abort(new Error('first'));
  await expect(askers[0]).rejects.toThrow('first');
  expect(signals[0]?.aborted).toBe(false);
  stops[1]?.abort(new Error('second'));
  await expect(askers[1]).rejects.toThrow('second');
  expect(signals[0]?.aborted).toBe(true);
  // What was given up is nobody's to join.
  void flights.join('a', start, never());
  expect(signals).toHaveLength(2);
});

test('a failure reaches every caller, and an aborted signal starts no work', async () => {
  const flights = flightsOf();
  const { start, reject, signals } = work();
  const askers = [flights.join('a', start, never()), flights.join('a', start, never())];
  reject(new Error('broken'));
  for (const asker of askers) await expect(asker).rejects.toThrow('broken');
  await expect(flights.join('a', start, AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
  expect(signals).toHaveLength(1);
});

test('closing ends the work for every caller', async () => {
  const flights = flightsOf();
  const { start, signals } = work();
  const askers = ['a', 'a', undefined].map((key) => flights.join(key, start, never()));
  flights.end(new Error('over'));
  for (const asker of askers) await expect(asker).rejects.toThrow('over');
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});
