import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readHtml } from '../../../src/browse/readers/html.ts';
import { readRelativeDay } from '../../../src/lib/time/relative-day.ts';

const NOW = Date.UTC(2026, 10, 29, 12);
const LANGUAGES = 'en de fr es it pt nl pl cs ru uk tr id vi sv da fi hu el ro he ar fa hi th ja zh ko'.split(
  ' ',
);

test('what the runtime says for a number of days ago is read in every language', () => {
  const parts = [fc.constantFrom(...LANGUAGES), fc.integer({ min: 1, max: 30 })] as const;
  const forms = [fc.constantFrom('long', 'short'), fc.constantFrom('auto', 'always')] as const;
  fc.assert(
    fc.property(...parts, ...forms, (language, days, style, numeric) => {
      const phrase = new Intl.RelativeTimeFormat(language, { style, numeric }).format(-days, 'day');
      // Some languages have a word for the day before yesterday.
      if (numeric === 'auto' && days > 1 && !/\p{Nd}/u.test(phrase)) return;
      const day = new Date(NOW - days * 86_400_000).toISOString().slice(0, 10);
      expect(readRelativeDay(phrase, language, NOW)).toBe(day);
    }),
    { seed: 38, numRuns: 200 },
  );
});

test.each([
  ['Published 2 days ago', 'en', '2026-11-27'],
  ['an hour ago', 'en', '2026-11-29'],
  ['2 days ago', 'de', '2026-11-27'],
  ['23 hr. ago', 'en', '2026-11-28'],
  ['3 weeks ago', 'en', undefined],
  ['the days ago', 'en', undefined],
  ['12 days', 'en', undefined],
  ['1 day ago', 'not a language', '2026-11-28'],
])('%s in %s is %s', (text, language, day) => {
  expect(readRelativeDay(text, language, NOW)).toBe(day);
});

test('a page that shows no other date has the day of its relative time', () => {
  const prose =
    '<p>Visitors are asked to come before noon, since the tide sets the hours of the yard, and no one can say a day before when the slipway will be dry.</p>';
  const read = (above: string, below: string) =>
    readHtml(
      `<html lang="id"><title>Dermaga</title><article><h1>Dermaga</h1><div>${above}</div>${prose}<div>${below}</div></article>`,
      'https://site.example/a/quay',
    ).published;
  const today = readRelativeDay('3 hari yang lalu', 'id');
  expect(read('<span>Oleh Siti</span> <span class="date">3 hari yang lalu</span>', '')).toBe(today);
  expect(read('<span class="date">3 hari yang lalu</span><p>5 Maret 2024</p>', '')).toBe('2024-03-05');
  expect(read('', '<span class="date">3 hari yang lalu</span>')).toBeUndefined();
});
