import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPacer, type EngineUseCounts, OutOfTurnError } from '../../../src/search/asking/pace.ts';

// The clock stands still but where a test moves it, so that no load of the machine changes who comes in time.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What comes of waiting while a minute and more passes. */
async function passing<T>(waiting: Promise<T>): Promise<T> {
  waiting.catch(() => {});
  await vi.advanceTimersByTimeAsync(61_000);
  return waiting;
}

type EnginePacer = ReturnType<typeof createPacer>;

const never = new AbortController().signal;
const turn = (
  pacer: EnginePacer,
  engine: string,
  more: Partial<Parameters<EnginePacer['waitForTurn']>[1]> = {},
) =>
  pacer.waitForTurn(engine, {
    pace: 40,
    patience: 1000,
    stake: { held: 0, waiting: 0 },
    signal: never,
    ...more,
  });

test('with 64 callers at once one request is sent per interval, and callers whose wait would be too long are refused at once', async () => {
  const pacer = createPacer();
  const served: number[] = [];
  const started = performance.now();
  const all = Promise.all(
    Array.from({ length: 64 }, () =>
      turn(pacer, 'a', { patience: 210 }).then(
        () => void served.push(performance.now()),
        (error: unknown) => ({ error, ms: performance.now() - started }),
      ),
    ),
  );
  await vi.advanceTimersByTimeAsync(1000);
  const results = await all;
  const refused = results.filter((one) => one !== undefined);
  expect(served.length).toBeGreaterThanOrEqual(3);
  expect(served.length).toBeLessThanOrEqual(6);
  expect(refused).toHaveLength(64 - served.length);
  for (const { error } of refused) {
    expect(error).toBeInstanceOf(OutOfTurnError);
    expect((error as OutOfTurnError).message).toBe(
      'its turn did not come: it tolerates a request every 0.04 s',
    );
    expect((error as OutOfTurnError).wait).toBeGreaterThan(0);
  }
  // 58 of them cannot have waited: there is no room for more in 210 ms.
  const atOnce = refused.filter(({ ms }) => ms < 100);
  expect(atOnce.length).toBeGreaterThanOrEqual(58);
  for (let i = 1; i < served.length; i++) {
    expect((served[i] ?? 0) - (served[i - 1] ?? 0)).toBeGreaterThanOrEqual(40);
  }
});

test('each engine has its own queue, and an engine without a pace has no queue', async () => {
  const pacer = createPacer();
  let served = 0;
  const paced = ['a', 'b', 'c'].map((engine) => turn(pacer, engine, { pace: 5000 }));
  const free = Array.from({ length: 100 }, () => turn(pacer, 'free', { pace: 0 }));
  for (const one of [...paced, ...free]) void one.then(() => served++);
  await vi.advanceTimersByTimeAsync(4000);
  expect(served).toBe(103);
});

test('the caller with the fewest engines goes first, and takes the place of the caller with the most', async () => {
  const pacer = createPacer();
  await passing(turn(pacer, 'a'));
  const order: string[] = [];
  const wait = (name: string, held: number, patience = 1000) => {
    const stake: EngineUseCounts = { held, waiting: 0 };
    return turn(pacer, 'a', { stake, patience }).then(
      () => void order.push(name),
      () => void order.push(`${name} refused`),
    );
  };
  await passing(Promise.all([wait('rich', 5), wait('poor', 0), wait('middle', 2)]));
  expect(order).toEqual(['poor', 'middle', 'rich']);

  order.length = 0;
  // The engine was asked just now: of those who wait for 85 ms at most, there is room for two in line.
  const asked = turn(pacer, 'a');
  await vi.advanceTimersByTimeAsync(5);
  await asked;
  const line = [wait('rich', 5, 85), wait('middle', 2, 85), wait('poor', 0, 85), wait('richer', 9, 85)];
  await passing(Promise.all(line));
  expect(order.slice(0, 2).sort()).toEqual(['rich refused', 'richer refused']);
  expect(order.slice(2)).toEqual(['poor', 'middle']);
});

test('a caller that gives up leaves the queue, and the next caller moves up', async () => {
  const pacer = createPacer();
  const first = turn(pacer, 'a', { pace: 100 });
  await vi.advanceTimersByTimeAsync(10);
  await first;
  const stop = new AbortController();
  const gone = turn(pacer, 'a', { pace: 60_000, signal: stop.signal });
  const next = turn(pacer, 'a', { pace: 100, stake: { held: 1, waiting: 0 } });
  stop.abort(new Error('no longer'));
  await expect(gone).rejects.toThrow('no longer');
  await expect(passing(next)).resolves.toBeUndefined();
  await expect(turn(pacer, 'a', { signal: stop.signal })).rejects.toThrow('no longer');
});

test('several callers at once share the free engines, and a single caller gets all of them', async () => {
  const pacer = createPacer();
  const engines = ['a', 'b', 'c', 'd'];
  const search = async () => {
    const stake: EngineUseCounts = { held: 0, waiting: 0 };
    const turns = await Promise.allSettled(
      engines.map((engine) => turn(pacer, engine, { pace: 600_000, stake })),
    );
    expect(stake.waiting).toBe(0);
    expect(stake.held).toBe(turns.filter(({ status }) => status === 'fulfilled').length);
    return stake.held;
  };
  expect(await passing(search())).toBe(4);
  expect(await passing(search())).toBe(0);
  const fresh = engines.splice(0, 4, 'e', 'f', 'g', 'h');
  expect(fresh).toHaveLength(4);
  expect(await passing(Promise.all([search(), search(), search(), search()]))).toEqual([1, 1, 1, 1]);
});
