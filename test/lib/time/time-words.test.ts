import { expect, test } from 'vitest';
import { timeAskedFor, timeSpanOf } from '../../../src/lib/time/time-words.ts';

/** A Sunday. */
const NOW = Date.parse('2026-11-22T11:00:00Z');
const iso = (span: ReturnType<typeof timeSpanOf>) =>
  span && [span.since, span.until].map((at) => new Date(at).toISOString().slice(0, 10));

test.each([
  ['today', '2026-11-22', '2026-11-23'],
  ['Yesterday', '2026-11-21', '2026-11-22'],
  ['the day before yesterday', '2026-11-20', '2026-11-21'],
  ['last week', '2026-11-09', '2026-11-16'],
  ['this week', '2026-11-16', '2026-11-23'],
  ['last month', '2026-10-01', '2026-11-01'],
  ['this year', '2026-01-01', '2027-01-01'],
  ['last 3 days', '2026-11-19', '2026-11-22'],
  ['past two weeks', '2026-11-08', '2026-11-22'],
  ['last 2 months', '2026-09-01', '2026-11-22'],
  ['3 days ago', '2026-11-19', '2026-11-20'],
  ['a week ago', '2026-11-09', '2026-11-16'],
  ['two years ago', '2024-01-01', '2025-01-01'],
  ['since Monday', '2026-11-16', '2026-11-17'],
  ['on Sunday', '2026-11-15', '2026-11-16'],
  ['last Friday', '2026-11-20', '2026-11-21'],
  ['in March', '2026-03-01', '2026-04-01'],
  ['december', '2025-12-01', '2026-01-01'],
  ['November', '2026-11-01', '2026-12-01'],
  ['last November', '2025-11-01', '2025-12-01'],
  ['March 2025', '2025-03-01', '2025-04-01'],
  ['in 2024', '2024-01-01', '2025-01-01'],
  ['gestern', '2026-11-21', '2026-11-22'],
  ['letzte Woche', '2026-11-09', '2026-11-16'],
  ['seit Montag', '2026-11-16', '2026-11-17'],
  ['im März', '2026-03-01', '2026-04-01'],
  ['vor drei Tagen', '2026-11-19', '2026-11-20'],
  ['vorgestern', '2026-11-20', '2026-11-21'],
])('%s means the period from %s to %s', (text, since, until) => {
  expect(iso(timeSpanOf(text, NOW))).toEqual([since, until]);
});

test.each([
  '',
  'the',
  'soon',
  'week',
  'last',
  'last last week',
  '0 days ago',
  '5000 days ago',
  'last 2024',
  'x y z',
])('%j does not mean a time', (text) => {
  expect(timeSpanOf(text, NOW)).toBeUndefined();
});

test.each([
  ['What did I note last week about the car?', '2026-11-09'],
  ['what have I saved since Monday', '2026-11-16'],
  ['What did I tell you yesterday?', '2026-11-21'],
  ['Was habe ich letzte Woche über den Garten notiert?', '2026-11-09'],
  ['What did I note yesterday about last week?', '2026-11-21'],
  ['notes I wrote in March 2025 on roofs', '2025-03-01'],
])('%s asks for entries saved from %s on', (question, since) => {
  expect(iso(timeAskedFor(question, NOW))?.[0]).toBe(since);
});

test.each([
  // Nothing says that it was noted then.
  'Where was I last week?',
  'When is the meeting on Monday?',
  // A word that means something else.
  'What did she say, may I come?',
  'What did I note about the march on Rome?',
  // A number that may be anything.
  'What did I note about 2024?',
  // Two times.
  'What did I note yesterday and last week?',
  // The time may be the subject's.
  'What did I note about the meeting on Monday?',
  'What did I note about magpies?',
  'note '.repeat(100),
])('%s asks for no time', (question) => {
  expect(timeAskedFor(question, NOW)).toBeUndefined();
});

test('a long text is read in bounded steps', () => {
  expect(timeAskedFor(`note ${'last '.repeat(100_000)}`, NOW)).toBeUndefined();
});
