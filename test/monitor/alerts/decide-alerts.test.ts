import { expect, test } from 'vitest';
import {
  computeFlappingWindowMs,
  decideAlerts,
  listFingerprintsToCount,
  type UnconfirmedCounts,
} from '../../../src/monitor/alerts/decide-alerts.ts';
import { computeNextDue } from '../../../src/monitor/scheduling/due-times.ts';
import { computeMonitorScore } from '../../../src/monitor/status.ts';
import type { MonitorFinding, OpenAlert } from '../../../src/monitor/types.ts';

const finding = (fingerprint: string, score: number): MonitorFinding => ({
  id: 'reachability/down',
  severity: 'high',
  score,
  title: 'It is down',
  description: '',
  fix: '',
  target: 'https://a.example/',
  fingerprint,
});

/** Probes of a problem that is there (`x`) or not (`.`): what each probe did. */
function story(probes: string, sort: 'watch' | 'scan' = 'watch', retries = 0): string {
  let open: OpenAlert[] = [];
  let before: UnconfirmedCounts = {};
  let [raised, id] = [0, 0];
  return [...probes]
    .map((probe) => {
      const findings = probe === 'x' ? [finding('f', 9)] : [];
      const options = { threshold: 7, sort, retries, suspects: before };
      const { raise, clear, keep, suspects } = decideAlerts(open, findings, options, () => raised);
      before = suspects;
      open = keep.map(({ alert, good }) => ({ ...alert, good }));
      for (const { flapping } of raise) {
        raised++;
        open.push({ id: ++id, fingerprint: 'f', good: 0, flapping });
      }
      return raise.length > 0 ? (raise[0]?.flapping ? 'F' : 'R') : clear.length > 0 ? 'C' : '-';
    })
    .join('');
}

test.each([
  ['xxxx', 'R---', 'raised once'],
  ['xx..x', 'R--CR', 'cleared after two good probes'],
  ['x.x.x.', 'R-----', 'one good probe clears nothing'],
  ['x..x..x.....x..', 'R-CR-CF--------', 'the third time it comes and goes: five good probes clear nothing'],
  ['x..x..x......', 'R-CR-CF-----C', 'and six do'],
  ['x..x..x......x......x', 'R-CR-CF-----CF-------', 'the fourth time six clear nothing'],
  ['x..x..x......x............', 'R-CR-CF-----CF-----------C', 'and twelve do'],
])('the probes %s give %s (%s)', (probes, expected) => {
  expect(story(probes)).toBe(expected);
});

test.each([
  ['xx', 'R-', 0],
  ['xx', '-R', 1],
  ['xxxx', '--R-', 2],
  ['xx.xx.xxx', '--------R', 2],
  ['x.x.x.', '------', 1],
  ['xxx..', '--R-C', 2],
])('the probes %s give %s with %d retries', (probes, expected, retries) => {
  expect(story(probes, 'watch', retries)).toBe(expected);
});

test('an alert that the next good probe would clear is marked as clearing, unless it is flapping', () => {
  const judge = (good: number, flapping: boolean, findings: MonitorFinding[] = []) =>
    decideAlerts(
      [{ id: 1, fingerprint: 'f', good, flapping }],
      findings,
      { threshold: 7, sort: 'watch' },
      () => 3,
    ).isClearing;
  expect([judge(0, false), judge(1, false), judge(0, true), judge(0, false, [finding('f', 9)])]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test.each([
  [10_000, 3_600_000],
  [180_000, 3_600_000],
  [180_001, 3_600_020],
  [300_000, 6_000_000],
])('with a probe every %d ms, raises count towards flapping for %d ms', (intervalMs, windowMs) => {
  expect(computeFlappingWindowMs(intervalMs)).toBe(windowMs);
});

test.each([
  [1, 6],
  [3, 6],
  [4, 12],
  [5, 24],
  [8, 192],
  [9, 384],
  [10, 384],
  [60, 384],
])(
  'a flapping alert that was raised %d times is cleared by %d good probes, and not by fewer',
  (raises, needed) => {
    const after = (good: number) =>
      decideAlerts(
        [{ id: 1, fingerprint: 'f', good: good - 1, flapping: true }],
        [],
        { threshold: 7, sort: 'watch' },
        () => raises,
      );
    expect(after(needed - 1)).toMatchObject({ clear: [], keep: [{ good: needed - 1 }] });
    expect(after(needed)).toMatchObject({ clear: [{ reason: 'recovered' }], keep: [] });
  },
);

test.each([
  [0, false],
  [1, false],
  [2, true],
  [3, true],
])('after %d earlier raises, the next alert is flapping: %s', (before, flapping) => {
  const { raise } = decideAlerts([], [finding('f', 9)], { threshold: 7, sort: 'watch' }, () => before);
  expect(raise).toMatchObject([{ flapping }]);
});

test('raises are counted for flapping alerts, and for findings that may raise one now, each once', () => {
  const open = [
    { id: 1, fingerprint: 'calm', good: 0, flapping: false },
    { id: 2, fingerprint: 'flaps', good: 0, flapping: true },
  ];
  const findings = [
    finding('calm', 9),
    finding('flaps', 9),
    finding('new', 7),
    finding('new', 7),
    finding('low', 6.9),
  ];
  expect(listFingerprintsToCount(open, findings, 7)).toEqual(['flaps', 'new']);
});

test('a probe with the problem resets the count of good probes', () => {
  const open = [{ id: 1, fingerprint: 'f', good: 1, flapping: false }];
  const { keep, raise } = decideAlerts(open, [finding('f', 7)], { threshold: 7, sort: 'watch' }, () => 1);
  expect([keep.map(({ good }) => good), raise]).toEqual([[0], []]);
});

test('an alert of a scan is cleared by one good probe', () => {
  expect(story('x.', 'scan')).toBe('RC');
});

test('only a finding at or above the threshold raises an alert, and a higher threshold clears it', () => {
  const [low, high] = [finding('low', 6.9), finding('high', 7)];
  const { raise } = decideAlerts([], [low, high], { threshold: 7, sort: 'watch' }, () => 0);
  expect(raise.map((one) => one.finding.fingerprint)).toEqual(['high']);
  const open = [{ id: 1, fingerprint: 'high', good: 1, flapping: false }];
  const cleared = (findings: MonitorFinding[]) =>
    decideAlerts(open, findings, { threshold: 8, sort: 'watch' }, () => 1).clear.map(({ reason }) => reason);
  expect([cleared([high]), cleared([])]).toEqual([['below_threshold'], ['recovered']]);
});

test('the next run is on the grid, at least half an interval ahead, and missed runs are not repeated', () => {
  expect(computeNextDue(0, 100, 200, 205)).toBe(300);
  expect(computeNextDue(30, 100, 0, 1)).toBe(130);
  expect(computeNextDue(60, 100, 0, 1)).toBe(60);
  expect(computeNextDue(0, 100, 200, 950)).toBe(1000);
});

test('each problem subtracts half the square of its score, once across all targets', () => {
  expect(computeMonitorScore([])).toBe(100);
  const problem = (id: string, score: number) => ({ ...finding(id, score), id });
  expect(computeMonitorScore([problem('a', 8), problem('a', 4)])).toBe(68);
  expect(computeMonitorScore([problem('a', 8), problem('b', 2)])).toBe(66);
  expect(computeMonitorScore([problem('a', 10), problem('b', 10), problem('c', 10)])).toBe(0);
});
