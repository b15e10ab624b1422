import { expect, test } from 'vitest';
import { readHtml } from '../../src/browse/readers/html.ts';
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

test.each([
  ['rows', `<table><tr><th>a<th>b</tr>${'<tr><td>1<td>2'.repeat(MANY / 2)}</table>`],
  ['rows of a formula', `<math><mtable>${'<mtr>'.repeat(MANY)}</mtable></math>`],
  ['cells', `<table><tr>${'<td>1'.repeat(MANY)}<tr>${'<td>2'.repeat(MANY / 2)}</table>`],
])('a page with very many %s is read', (_, body) => {
  expect(readHtml(`<title>A</title><p>The crane lifts four tonnes.</p>${body}`).markdown).toContain(
    'four tonnes',
  );
});
