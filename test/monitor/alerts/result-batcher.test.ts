import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createNotifier } from '../../../src/monitor/alerts/notifier.ts';
import { createResultBatcher } from '../../../src/monitor/alerts/result-batcher.ts';
import type {
  CheckResult,
  CheckRule,
  InconclusiveResult,
  MonitorCheck,
} from '../../../src/monitor/probing/check.ts';
import type { ProbeOptions } from '../../../src/monitor/probing/probe-options.ts';
import type { MonitorStores, StoredMonitor } from '../../../src/monitor/store.ts';
import { createMonitorStores } from '../../../src/monitor/stores/stores.ts';
import type { MonitorTarget } from '../../../src/monitor/targets/target.ts';
import { createTransact } from '../../../src/monitor/transactions.ts';
import type { Database } from '../../../src/storage/sqlite.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';

/** What is stored of a probe, and which alerts come of it: real stores, a clock of the test's own. */

const START = Date.UTC(2026, 10, 21, 12);
const TODAY = Math.floor(START / 86_400_000);
const rule = (name: string, score: number): CheckRule => ({
  id: `ports/${name}`,
  score,
  title: name,
  fix: '',
});
const [OPEN, WEAK, NOTE] = [rule('open', 9), rule('weak', 8), rule('note', 2)];
const CHECK: MonitorCheck = {
  name: 'ports',
  version: 1,
  sort: 'watch',
  rules: [OPEN, WEAK, NOTE],
  wants: () => true,
  run: () => Promise.reject(new Error('it is not run here')),
};
const TARGET = { name: 'shop.example' } as MonitorTarget;

let folder: ReturnType<typeof temporaryFolder>;
let db: Database;
let stores: MonitorStores;
let monitor: StoredMonitor;
let isWatched: boolean;
let events: string[];
let results: ReturnType<typeof createResultBatcher>;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  folder = temporaryFolder();
  db = await openTestDatabase({ folder: folder.path });
  stores = createMonitorStores(db, 'here 1 x');
  monitor = await stores.monitors.putMonitor('ada', 'shop', { threshold: 7, intervalMs: 1000 }, START);
  [isWatched, events] = [true, []];
  results = createResultBatcher(
    createTransact(stores, (event) => events.push(event)),
    { notifier: createNotifier(['webhook']), hasOneWriter: true, isWatched: () => isWatched },
  );
});
afterEach(() => {
  vi.useRealTimers();
  db.close();
  folder.remove();
});

const record = (result: CheckResult | InconclusiveResult, trouble?: string, of = monitor) =>
  results.add({
    monitor: of,
    target: TARGET,
    seen: { check: CHECK, result, ...(trouble !== undefined && { trouble }) },
  });
const stored = () => stores.monitors.findResult(monitor.key, TARGET.name, CHECK.name);
const found = async () => (await stored())?.findings.map(({ id, description }) => `${id} ${description}`);
const problem = (
  of: CheckRule,
  more: { subject?: string; scanners?: string[]; description?: string } = {},
) => ({
  rule: of,
  description: 'seen',
  ...more,
});
/** Of all alerts, the newest first: which rule, and why it ended. */
const alerts = async () =>
  (await stores.alerts.listAlerts(monitor.key, 99))
    .map(({ finding, reason }) => `${finding.id.slice(6)} ${reason ?? 'open'}`)
    .sort();
/** Whether the work marks the monitor as changed. */
async function changes(work: () => Promise<unknown>): Promise<boolean> {
  const before = await stores.monitors.newestMark();
  await work();
  return (await stores.monitors.newestMark()) > before;
}

test('the findings of a probe are stored, and a finding at the threshold raises an alert', async () => {
  await record({ problems: [problem(OPEN), problem(NOTE)], measures: { ms: 7 }, points: { csp: -5 } });
  expect(await stored()).toMatchObject({
    target: 'shop.example',
    check: 'ports',
    at: START,
    seenAt: START,
    measures: { ms: 7 },
    points: { csp: -5 },
  });
  expect((await stored())?.unseen).toBeUndefined();
  expect(await found()).toEqual(['ports/open seen', 'ports/note seen']);
  expect(await alerts()).toEqual(['open open']);
  expect(events).toEqual(['alert.raised']);
  expect(await stores.messages.countDeliveries(monitor.key)).toMatchObject({ waiting: 1 });
});

test('two probes in a row without the problem clear its alert, and a probe with it restarts the count', async () => {
  await record({ problems: [problem(OPEN)] });
  await record({ problems: [] });
  await record({ problems: [problem(OPEN)] });
  await record({ problems: [] });
  expect(await alerts()).toEqual(['open open']);
  expect(await changes(() => record({ problems: [] }))).toBe(true);
  expect(await alerts()).toEqual(['open recovered']);
  expect(events).toEqual(['alert.raised', 'alert.cleared']);
});

test('the third raise within an hour is flapping, and earlier raises do not count', async () => {
  const comeAndGo = async () => {
    await record({ problems: [problem(OPEN)] });
    const [newest] = await stores.alerts.listAlerts(monitor.key, 1);
    for (let at = 0; at < 2; at++) await record({ problems: [] });
    return newest?.flapping;
  };
  expect([await comeAndGo(), await comeAndGo()]).toEqual([false, false]);
  vi.setSystemTime(START + 3_600_001);
  expect([await comeAndGo(), await comeAndGo()]).toEqual([false, false]);
  expect(await comeAndGo()).toBe(true);
});

test('a probe without a result keeps the earlier findings, and stores the reason', async () => {
  await record({ problems: [problem(OPEN)], measures: { ms: 7 }, points: { csp: -5 } });
  vi.setSystemTime(START + 1000);
  for (let at = 0; at < 3; at++) await record({ unseen: 'x'.repeat(600) });
  expect(await stored()).toMatchObject({
    at: START + 1000,
    seenAt: START,
    unseen: 'x'.repeat(500),
    measures: { ms: 7 },
    points: { csp: -5 },
  });
  expect((await stored())?.trouble).toBeUndefined();
  expect([await found(), await alerts()]).toEqual([['ports/open seen'], ['open open']]);
  await record({ unseen: 'no route from here', isOwn: true });
  expect((await stored())?.trouble).toBe('no route from here');
  await record({ unseen: 'it failed', isOwn: true }, 'the check is broken');
  expect((await stored())?.trouble).toBe('the check is broken');
});

test('a first probe without a result has no findings', async () => {
  await record({ unseen: 'it is down' });
  expect(await stored()).toEqual({
    target: 'shop.example',
    check: 'ports',
    at: START,
    unseen: 'it is down',
    findings: [],
    measures: {},
    points: {},
  });
});

test('findings hidden by a gap are kept: of a rule, of a subject of the rule, or of a scanner', async () => {
  const all = [
    problem(OPEN, { subject: '22' }),
    problem(OPEN, { subject: '80' }),
    problem(WEAK, { scanners: ['trivy', 'semgrep'] }),
    problem(NOTE),
  ];
  await record({ problems: all });
  const hiding = async (gap: object) => {
    for (let at = 0; at < 2; at++) await record({ problems: [], gaps: [{ why: 'no answer', ...gap }] });
    const left = [await found(), await alerts()];
    await record({ problems: all });
    return left;
  };
  expect(await hiding({ rules: [OPEN], subject: '22' })).toEqual([
    ['ports/open seen'],
    ['open open', 'open recovered', 'weak recovered'],
  ]);
  expect((await hiding({ scanner: 'semgrep' }))[0]).toEqual(['ports/weak seen']);
  expect((await hiding({ scanner: 'other' }))[0]).toEqual([]);
  // Without rules it hides those of every rule that have no subject.
  expect((await hiding({}))[0]).toEqual(['ports/weak seen', 'ports/note seen']);
});

test('findings reported despite a gap are updated, and the reasons are stored, each once', async () => {
  await record({ problems: [problem(OPEN, { description: 'before' })] });
  await record({
    problems: [problem(OPEN, { description: 'now' })],
    gaps: [{ why: 'a' }, { why: 'b' }, { why: 'a' }],
  });
  expect(await found()).toEqual(['ports/open now']);
  expect((await stored())?.unseen).toBe('a; b');
  await record({ problems: [], gaps: [{ why: 'y'.repeat(600) }] });
  expect((await stored())?.unseen).toHaveLength(500);
});

test('a monitor is marked as changed only when listeners need to know', async () => {
  const now = (result: CheckResult | InconclusiveResult, trouble?: string) =>
    changes(() => record(result, trouble));
  expect(await now({ problems: [] })).toBe(true);
  expect(await now({ problems: [], measures: { ms: 9 } })).toBe(false);
  expect(await now({ problems: [problem(NOTE)] })).toBe(true);
  expect(await now({ problems: [problem(NOTE, { description: 'other words' })] })).toBe(false);
  expect(await now({ problems: [problem(NOTE, { subject: 'another' })] })).toBe(true);
  expect(await now({ unseen: 'down' })).toBe(true);
  expect(await now({ unseen: 'still down' })).toBe(false);
  expect(await now({ unseen: 'down' }, 'broken')).toBe(true);
  expect(await now({ unseen: 'down' }, 'broken')).toBe(false);
  expect(await now({ problems: [problem(NOTE)] })).toBe(true);
});

test('whether a target is up is counted by hour and by day', async () => {
  await record({ problems: [], measures: { up: 1, total_ms: 100 } });
  await record({ problems: [problem(OPEN)], measures: { up: 0 } });
  const [down] = await stores.history.listIncidents(monitor.key, 9);
  expect(down).toMatchObject({ target: TARGET.name, why: problem(OPEN).description });
  expect(down?.to).toBeUndefined();
  await record({ problems: [], measures: { up: 1, total_ms: 100 } });
  await record({ problems: [] });
  await record({ unseen: 'down' });
  const [day, ...more] = await stores.history.listDays(monitor.key, TODAY);
  expect(day).toMatchObject({ looks: 3 });
  expect(more).toEqual([]);
  const [hour] = await stores.history.listHours(monitor.key, 0);
  expect([...(hour?.times.values() ?? [])]).toEqual([2]);
  expect((await stores.history.listIncidents(monitor.key, 9))[0]?.to).toBeGreaterThanOrEqual(down?.from ?? 0);
  expect(await stores.history.listUptime(monitor.key, TODAY + 1)).toEqual([]);
});

test('nothing is recorded for a stopped or removed monitor, or for a target that is no longer monitored', async () => {
  isWatched = false;
  await record({ problems: [problem(OPEN)] });
  isWatched = true;
  await record({ problems: [problem(OPEN)] }, undefined, { ...monitor, key: monitor.key + 7 });
  await stores.monitors.setState(monitor.key, 'paused');
  await record({ problems: [problem(OPEN)] });
  expect([await stored(), await alerts(), events]).toEqual([undefined, [], []]);
});

test('a result is judged by the current options of its monitor, and simultaneous results are all recorded', async () => {
  await stores.monitors.putMonitor('ada', 'shop', { threshold: 9.5, intervalMs: 1000 }, START);
  await Promise.all([record({ problems: [problem(OPEN)] }), record({ problems: [problem(NOTE)] })]);
  expect([await found(), await alerts()]).toEqual([['ports/note seen'], []]);
});

/** Results of a check whose failures are confirmed by retries, with when the next probe comes. */
const retried = (problems: CheckResult['problems']) =>
  results.add({
    monitor,
    target: TARGET,
    seen: {
      check: { ...CHECK, isRetried: true },
      result: { problems, measures: { up: problems.length > 0 ? 0 : 1 } },
    },
  });
async function probing(options: ProbeOptions, intervalMs = 300_000): Promise<void> {
  await stores.monitors.putMonitor('ada', 'shop', { threshold: 7, intervalMs, probing: options }, START);
}

test('a failure raises an alert after the configured number of probes, each after the retry interval', async () => {
  await probing({ retries: 3, retryMs: 7000 });
  expect([await retried([problem(OPEN)]), await alerts()]).toEqual([7000, []]);
  expect(await stored()).toMatchObject({
    suspects: { [String((await stored())?.findings[0]?.fingerprint)]: 1 },
  });
  expect([await retried([problem(OPEN)]), await alerts()]).toEqual([7000, []]);
  expect([await retried([problem(OPEN)]), await alerts()]).toEqual([30_000, ['open open']]);
  expect((await stored())?.suspects).toBeUndefined();
});

test('a good probe resets the count of retries, and a probe without a result keeps the count', async () => {
  await probing({ retries: 2 });
  expect(await retried([problem(OPEN)])).toBe(10_000);
  expect(await retried([])).toBeUndefined();
  expect(await retried([problem(OPEN)])).toBe(10_000);
  await record({ unseen: 'this machine has no network' });
  await retried([problem(OPEN)]);
  expect(await alerts()).toEqual(['open open']);
});

test.each([0, 1])('with %d retries the first probe raises the alert', async (retries) => {
  await probing({ retries });
  await retried([problem(OPEN)]);
  expect(await alerts()).toEqual(['open open']);
});

test('a down target is probed every half minute, or twice an interval, and its recovery is confirmed at once', async () => {
  await probing({});
  expect([await retried([problem(OPEN)]), await retried([problem(OPEN)])]).toEqual([30_000, 30_000]);
  await probing({}, 10_000);
  expect(await retried([problem(OPEN)])).toBe(5000);
  expect([await retried([]), await alerts()]).toEqual([1500, ['open open']]);
  expect([await retried([]), await alerts()]).toEqual([undefined, ['open recovered']]);
});

test('other problems are probed at their interval, and their recovery is confirmed at once', async () => {
  const findings = (problems: CheckResult['problems']) =>
    results.add({ monitor, target: TARGET, seen: { check: CHECK, result: { problems } } });
  expect([await findings([problem(OPEN)]), await findings([problem(OPEN)])]).toEqual([undefined, undefined]);
  expect([await findings([]), await findings([])]).toEqual([1500, undefined]);
});

test('in a maintenance window no alert is raised, an open alert may clear, and a remaining problem is raised afterwards', async () => {
  await retried([problem(WEAK)]);
  await probing({ maintenance: [{ from: START + 1000, to: START + 60_000 }], retries: 2 });
  vi.setSystemTime(START + 1000);
  for (let at = 0; at < 3; at++) await retried([problem(OPEN)]);
  expect([await alerts(), (await stored())?.suspects]).toEqual([['weak recovered'], undefined]);
  expect(await found()).toEqual(['ports/open seen']);
  expect(await stores.history.listOpenIncidents(monitor.key)).toEqual([TARGET.name]);
  await retried([]);
  await retried([problem(OPEN)]);
  expect(await stores.history.listOpenIncidents(monitor.key)).toEqual([]);
  vi.setSystemTime(START + 60_000);
  await retried([problem(OPEN)]);
  await retried([problem(OPEN)]);
  expect(await alerts()).toEqual(['open open', 'weak recovered']);
});
