import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRefusalThrottle } from '../../../src/access/limits/refusal-throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first refusal of a sender is answered at once, further ones with a pause of at most a second', async () => {
  const pace = createRefusalThrottle(Date.now);
  const answered: string[] = [];
  const refuse = (sender: string) => void pace(sender).then(() => answered.push(sender));
  for (let at = 0; at < 100; at++) refuse('ben');
  refuse('ann');
  await vi.advanceTimersByTimeAsync(0);
  expect(answered).toEqual(['ben', 'ann']);
  await vi.advanceTimersByTimeAsync(100);
  expect(answered).toHaveLength(4);
  await vi.advanceTimersByTimeAsync(1000);
  expect(answered).toHaveLength(101);
});

test('a long body that was read before it was refused makes the next pause longer', async () => {
  const pace = createRefusalThrottle(Date.now);
  const answered: number[] = [];
  void pace('ben', 600_000).then(() => answered.push(1));
  void pace('ben', 40_000_000).then(() => answered.push(2));
  void pace('ben').then(() => answered.push(3));
  await vi.advanceTimersByTimeAsync(199);
  expect(answered).toEqual([1]);
  await vi.advanceTimersByTimeAsync(1);
  expect(answered).toEqual([1, 2]);
  await vi.advanceTimersByTimeAsync(800);
  expect(answered).toEqual([1, 2, 3]);
});
