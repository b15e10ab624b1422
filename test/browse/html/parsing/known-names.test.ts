import { expect, test } from 'vitest';
import { cachePerPage, clearPageCaches } from '../../../../src/browse/readers/html/parsing/page-caches.ts';
import { readHtml } from '../../../../src/browse/readers/html.ts';

test('the meaning of names is computed once for each page', () => {
  const asked: string[] = [];
  const length = cachePerPage((names) => asked.push(names));
  expect([length('a'), length('b'), length('a')]).toEqual([1, 2, 1]);
  clearPageCaches();
  expect(length('a')).toBe(3);
  expect(asked).toEqual(['a', 'b', 'a']);
});

test('beyond a number of names each is computed where it occurs', () => {
  const double = cachePerPage((names) => `${names}${names}`);
  const names = Array.from({ length: 10_500 }, (_, i) => `n${i}`);
  for (const pass of [1, 2]) expect([pass, ...names.map(double)].at(-1)).toBe('n10499n10499');
  clearPageCaches();
});

test('the name of a table does not mark frame, though the same name of an earlier box does', () => {
  const text =
    'The ferry runs every hour from the old pier, and the last boat leaves at nine in the evening. ';
  const html = `<main><h1>Ferry</h1><p>${text.repeat(6)}</p><div class="sidebar"><a href="/x">Elsewhere</a></div>
    <table class="sidebar"><tr><th>Boat</th><td>Alva</td></tr><tr><th>Pier</th><td>Two</td></tr></table><p>${text.repeat(6)}</p></main>`;
  const { markdown } = readHtml(html, 'https://pier.example/ferry');
  expect(markdown).toContain('Alva');
  expect(markdown).not.toContain('Elsewhere');
});
