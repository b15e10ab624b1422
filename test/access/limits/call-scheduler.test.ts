import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCallScheduler } from '../../../src/access/limits/call-scheduler.ts';

const { signal } = new AbortController();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns functions that begin calls and write down their names in the order in which they get their turn. */
function makeTurns() {
  const turns = createCallScheduler(Date.now);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = async (user: string, call: string, stop = signal) => {
    const entered = turns.enter(user, stop).then((end) => {
      begun.push(call);
      ends.set(call, end);
    });
    // The test looks at a rejection later.
    entered.catch(() => {});
    await vi.advanceTimersByTimeAsync(0);
    return entered;
  };
  const end = async (call: string) => {
    ends.get(call)?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  /** Makes a user heavy by calls that keep their turns as long as they may. */
  const burden = async (user: string) => {
    for (let at = 0; at < 16; at++) void begin(user, `burden ${at}`);
    await vi.advanceTimersByTimeAsync(250);
    begun.length = 0;
  };
  return { begin, end, burden, begun };
}

test('all calls of a lone user begin at once, also those of a heavy one', async () => {
  const { begin, burden, begun } = makeTurns();
  await burden('ben');
  for (const call of ['b1', 'b2', 'b3']) await begin('ben', call);
  expect(begun).toEqual(['b1', 'b2', 'b3']);
});

test('beside another user, the calls of a heavy one begin one after the other and after those of the lighter one', async () => {
  const { begin, end, burden, begun } = makeTurns();
  await burden('ben');
  await begin('ann', 'a1');
  for (const call of ['b1', 'b2', 'b3']) void begin('ben', call);
  await begin('ann', 'a2');
  expect(begun).toEqual(['a1', 'a2']);
  await end('a1');
  expect(begun).toEqual(['a1', 'a2']);
  await end('a2');
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  await begin('ann', 'a3');
  await end('b1');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  await end('a3');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
});

test('a call that takes long loses its turn, and a call waits for others for a bounded time', async () => {
  const { begin, burden, begun } = makeTurns();
  await burden('ben');
  await begin('ann', 'a1');
  void begin('ben', 'b1');
  void begin('ben', 'b2');
  await vi.advanceTimersByTimeAsync(250);
  expect(begun).toEqual(['a1', 'b1']);
  // Calls of the lighter user follow each other without a gap.
  for (let at = 2; at < 8; at++) {
    await begin('ann', `a${at}`);
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(begun).toContain('b2');
});

test('once the others have been quiet for a second, waiting calls begin, and a user who was quiet is heavy no longer', async () => {
  const { begin, end, burden, begun } = makeTurns();
  await burden('ben');
  await begin('ann', 'a1');
  await end('a1');
  await vi.advanceTimersByTimeAsync(1001);
  for (const call of ['b1', 'b2']) await begin('ben', call);
  expect(begun).toEqual(['a1', 'b1', 'b2']);
  await vi.advanceTimersByTimeAsync(5000);
  await begin('ann', 'a2');
  for (const call of ['b3', 'b4']) await begin('ben', call);
  expect(begun).toEqual(['a1', 'b1', 'b2', 'a2', 'b3', 'b4']);
});

test('a cancelled call leaves the queue with the reason, and the one behind it moves up', async () => {
  const { begin, end, burden, begun } = makeTurns();
  await burden('ben');
  await begin('ann', 'a1');
  const stop = new AbortController();
  const cancelled = begin('ben', 'b1', stop.signal);
  void begin('ben', 'b2');
  const reason = new Error('gone');
  stop.abort(reason);
  await expect(cancelled).rejects.toBe(reason);
  await expect(begin('ben', 'b3', stop.signal)).rejects.toBe(reason);
  await end('a1');
  expect(begun).toEqual(['a1', 'b2']);
});

test('of many users with few calls none waits', async () => {
  const { begin, begun } = makeTurns();
  for (let user = 0; user < 500; user++) await begin(`user ${user}`, `call ${user}`);
  expect(begun).toHaveLength(500);
});
