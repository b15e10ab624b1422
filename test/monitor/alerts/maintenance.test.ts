import { expect, test } from 'vitest';
import {
  findMaintenanceEnd,
  type MaintenanceWindow,
  validateMaintenanceWindows,
} from '../../../src/monitor/alerts/maintenance.ts';

/** When maintenance windows begin and end, over changes of the clock too. */

const until = (window: MaintenanceWindow, at: string) => {
  const end = findMaintenanceEnd([window], Date.parse(at));
  return end === undefined ? undefined : new Date(end).toISOString().slice(0, 16);
};

test('a window from one time to another includes its beginning, and not its end', () => {
  const window = { from: Date.parse('2026-12-01T22:00Z'), to: Date.parse('2026-12-02T02:00Z') };
  expect([
    until(window, '2026-12-01T21:59:59.999Z'),
    until(window, '2026-12-01T22:00Z'),
    until(window, '2026-12-02T01:59:59.999Z'),
    until(window, '2026-12-02T02:00Z'),
  ]).toEqual([undefined, '2026-12-02T02:00', '2026-12-02T02:00', undefined]);
});

const weekly = { cron: '0 2 * * sun', minutes: 120, zone: 'Europe/Berlin' };

test.each([
  ['2026-11-22T00:59Z', undefined, 'a minute before 2:00 in winter'],
  ['2026-11-22T01:00Z', '2026-11-22T03:00', '2:00 in winter'],
  ['2026-11-22T02:59Z', '2026-11-22T03:00', 'its last minute'],
  ['2026-11-22T03:00Z', undefined, 'its end'],
  ['2026-11-21T01:30Z', undefined, 'another day'],
  ['2026-07-05T00:00Z', '2026-07-05T02:00', '2:00 in summer'],
  ['2026-07-05T02:00Z', undefined, 'its end in summer'],
  ['2026-03-29T00:59Z', undefined, 'a minute before 2:00 of the day on which that time is skipped'],
  ['2026-03-29T01:00Z', '2026-03-29T03:00', 'that day, when 3:00 takes the place of 2:00'],
  ['2026-10-25T00:00Z', '2026-10-25T02:00', 'the first 2:00 of the day that has two of them'],
  ['2026-10-25T01:00Z', '2026-10-25T02:00', 'the second one'],
  ['2026-10-25T02:00Z', undefined, 'two hours after the first one'],
])('at %s the Sunday window ends %s: %s', (at, end, _which) => {
  expect(until(weekly, at)).toBe(end);
});

test('of two overlapping windows the later end counts, and a window continues past midnight', () => {
  const night = { cron: '30 23 * * *', minutes: 60 };
  expect(until(night, '2026-11-22T00:15Z')).toBe('2026-11-22T00:30');
  const both = [night, { from: 0, to: Date.parse('2026-11-22T05:00Z') }];
  expect(findMaintenanceEnd(both, Date.parse('2026-11-22T00:15Z'))).toBe(Date.parse('2026-11-22T05:00Z'));
  expect(findMaintenanceEnd([], 0)).toBeUndefined();
});

test('a window is found again after the clock is set back', () => {
  expect([until(weekly, '2026-11-29T01:30Z'), until(weekly, '2026-11-22T01:30Z')]).toEqual([
    '2026-11-29T03:00',
    '2026-11-22T03:00',
  ]);
});

test.each([
  [{ from: 5, to: 5 }, 'takes a from that is before its to'],
  [{ from: Number.NaN, to: 5 }, 'takes a from that is before its to'],
  [{ cron: 'sundays', minutes: 5 }, 'has the cron "sundays": it takes minute, hour'],
  [{ cron: '0 25 * * *', minutes: 5 }, 'has the cron "0 25 * * *"'],
  [{ cron: '* * * * * *', minutes: 5 }, 'has the cron "* * * * * *"'],
  [{ cron: '0 0 30 2 *', minutes: 5 }, 'has the cron "0 0 30 2 *", which never comes'],
  [
    { cron: '0 2 * * *', minutes: 5, zone: 'Berlin' },
    'has the zone "Berlin": it takes a name such as Europe/Berlin',
  ],
])('%j is not usable, and the value is named', (window, words) => {
  expect(() => validateMaintenanceWindows([window], 0)).toThrow(words);
});
