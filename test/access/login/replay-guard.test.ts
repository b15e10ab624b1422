import { expect, test } from 'vitest';
import { createReplayGuard } from '../../../src/access/login/replay-guard.ts';

test('a mark is new once, until it expires', () => {
  let time = 0;
  const isNew = createReplayGuard(() => time);
  expect(isNew('a', 100)).toBe(true);
  time = 99;
  expect([isNew('a', 199), isNew('b', 199)]).toEqual([false, true]);
  time = 100;
  expect([isNew('a', 200), isNew('b', 200)]).toEqual([true, false]);
});

test('ten thousand marks are remembered, and the oldest is forgotten first', () => {
  const isNew = createReplayGuard(() => 0);
  for (let at = 0; at < 10_001; at++) expect(isNew(String(at), 100)).toBe(true);
  expect(isNew('10000', 100)).toBe(false);
  expect(isNew('1', 100)).toBe(false);
  expect(isNew('0', 100)).toBe(true);
});
