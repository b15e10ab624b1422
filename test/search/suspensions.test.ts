import { expect, test } from 'vitest';
import { createSuspensions } from '../../src/search/suspensions.ts';

test('pauses grow with each refusal in a row, up to an hour, and end with an answer', () => {
  let now = 1_000_000;
  const suspensions = createSuspensions(() => now);
  const pauses: number[] = [];
  for (let i = 0; i < 10; i++) {
    const { until } = suspensions.add('a', 'too often');
    pauses.push((until - now) / 1000);
    now = until;
    expect(suspensions.current('a')).toBeUndefined();
  }
  expect(pauses).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
  suspensions.clear('a');
  expect(suspensions.add('a', 'too often').until - now).toBe(30_000);
  expect(suspensions.current('b')).toBeUndefined();
});

test('refusals of calls that ran together count once', () => {
  const suspensions = createSuspensions(() => 0);
  for (let i = 0; i < 20; i++) suspensions.add('a', 'captcha');
  expect(suspensions.current('a')).toMatchObject({ reason: 'captcha', until: 30_000 });
});

test("the engine's own wish is kept, up to an hour", () => {
  const suspensions = createSuspensions(() => 0);
  expect(suspensions.add('a', 'x', 90_000).until).toBe(90_000);
  expect(suspensions.add('a', 'x', 10_000).until).toBe(90_000);
  expect(suspensions.add('b', 'x', 1e12).until).toBe(3_600_000);
  expect(suspensions.add('c', 'x', Number.NaN).until).toBe(30_000);
});
