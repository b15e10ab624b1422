import { expect, test } from 'vitest';
import { formatSiteFilters } from '../../../src/search/answers/engine-requests.ts';

test.each([
  [{}, ''],
  [{ site: [], excludeSite: [] }, ''],
  [{ site: ['a.example'] }, 'site:a.example '],
  [{ site: ['a.example', 'b.example'] }, '(site:a.example OR site:b.example) '],
  [{ excludeSite: ['c.example', 'd.example'] }, '-site:c.example -site:d.example '],
  [{ site: ['a.example'], excludeSite: ['x.a.example'] }, 'site:a.example -site:x.a.example '],
])('the filters %o are written as %o', (query, words) => {
  expect(formatSiteFilters(query)).toBe(words);
});

test('engines write the filters in their own syntax', () => {
  const query = { site: ['a.example', 'b.example'], excludeSite: ['c.example'] };
  expect(formatSiteFilters(query, { or: '|' })).toBe('(site:a.example | site:b.example) -site:c.example ');
  expect(formatSiteFilters(query, { of: 'host:' })).toBe(
    '(host:a.example OR host:b.example) -host:c.example ',
  );
});

test('filters leave space for the question: as many hosts as fit, and at least one host of those to search within', () => {
  const host = (letter: string) => `${letter.repeat(60)}.${letter.repeat(60)}.example`;
  const long = [...'abcdef'].map(host);
  const within = formatSiteFilters({ site: long, excludeSite: long });
  expect(within).toBe(`site:${host('a')} `);
  expect(formatSiteFilters({ site: [`${'x'.repeat(300)}.example`] })).toBe(
    `site:${'x'.repeat(300)}.example `,
  );
  const short = Array.from({ length: 10 }, (_, n) => `host-number-${n}.example`);
  for (const words of [formatSiteFilters({ site: short }), formatSiteFilters({ excludeSite: short })]) {
    expect(words.length).toBeLessThanOrEqual(260);
    expect(words).toMatch(/^(?:\(site:\S+(?: OR site:\S+)*\) |(?:-site:\S+ )+)$/);
  }
});
