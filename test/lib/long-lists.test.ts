import { expect, test } from 'vitest';
import { maxOf, minOf, pushAll } from '../../src/lib/long-lists.ts';

/** More than a call takes as arguments. */
const MANY = 200_000;

test('lists of any length have a least and a greatest value, and are appended', () => {
  const values = Array.from({ length: MANY }, (_, at) => at);
  const list: number[] = [];
  pushAll(list, values);
  expect([minOf(values), maxOf(values), list.length]).toEqual([0, MANY - 1, MANY]);
  expect([minOf([]), maxOf([])]).toEqual([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
});
