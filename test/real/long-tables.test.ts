import { expect, test } from 'vitest';
import { readHtml } from '../../src/browse/readers/html.ts';

/** More than a call takes as arguments. */
const MANY = 200_000;

test.each([
  ['rows', `<table><tr><th>a<th>b</tr>${'<tr><td>1<td>2'.repeat(MANY / 2)}</table>`],
  ['rows of a formula', `<math><mtable>${'<mtr>'.repeat(MANY)}</mtable></math>`],
  ['cells', `<table><tr>${'<td>1'.repeat(MANY)}<tr>${'<td>2'.repeat(MANY / 2)}</table>`],
])('a page with very many %s is read', (_, body) => {
  expect(readHtml(`<title>A</title><p>The crane lifts four tonnes.</p>${body}`).markdown).toContain(
    'four tonnes',
  );
});
