import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { defineRules, type MonitorCheck } from '../../src/monitor/probing/check.ts';
import type { MonitorEvents } from '../../src/monitor/types.ts';
import { temporaryFolder } from '../helpers/magpie.ts';
import { monitorRoom } from '../helpers/monitor-room.ts';
import { openTestDatabase } from '../helpers/test-database.ts';

/** What happens while something else is under way: stops, closes, many results at once, two callers at once. */

const OWNER = 'ada';
const PATIENT = { timeout: 60_000, interval: 5 };
const signal = new AbortController().signal;
const endings: (() => Promise<void>)[] = [];
let folder: ReturnType<typeof temporaryFolder>;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
  folder.remove();
});

const RULES = defineRules('made', { broken: { score: 9, title: 'It is broken', fix: 'Mend it.' } });

/** A check that finds every target broken, as soon as `until` has resolved. */
function brokenOnce(until: (target: string) => Promise<void>): MonitorCheck {
  return {
    name: 'made',
    version: 1,
    sort: 'watch',
    rules: Object.values(RULES),
    wants: () => true,
    async run({ name }) {
      await until(name);
      return { problems: [{ rule: RULES.broken, description: `${name} is broken` }], measures: { up: 0 } };
    },
  };
}

const listedOf = (count: number) =>
  `infrastructure:\n  shop:\n    urls:\n${Array.from({ length: count }, (_, at) => `      - http://10.0.0.${at + 1}/\n`).join('')}`;

async function room(
  check: MonitorCheck,
  count: number,
  more: Partial<Parameters<typeof monitorRoom>[0]> = {},
) {
  const made = await monitorRoom({
    folder: folder.path,
    listed: listedOf(count),
    checks: [check],
    atOnce: 100,
    ...more,
  });
  endings.push(() => made.end());
  return made;
}

const counting = (onAlert: MonitorEvents['onAlert']): MonitorEvents => ({
  onCheck() {},
  onAlert,
  onNetwork() {},
  onSent() {},
});

test.each(['stopMonitor', 'pauseMonitor', 'removeMonitor'] as const)(
  'the result of a probe after %s is dropped, and raises nothing',
  async (act) => {
    const { promise: probing, resolve: begin } = Promise.withResolvers<void>();
    const { promise: open, resolve: release } = Promise.withResolvers<void>();
    const made = await room(
      brokenOnce(async () => {
        begin();
        await open;
      }),
      1,
    );
    const events: string[] = [];
    await made.startWorking(counting((event) => events.push(event)));
    await made.startMonitor(OWNER, 'shop', { intervalMs: 60_000 }, signal);
    await probing;
    await made[act](OWNER, 'shop');
    release();
    await made.close();
    expect(events).toEqual([]);
    if (act === 'removeMonitor') expect(await made.listMonitors(OWNER)).toEqual([]);
    else expect(await made.getMonitor(OWNER, 'shop')).toMatchObject({ openAlerts: 0, findings: [] });
  },
);

test('one of many results that cannot be stored fails alone, and each alert is counted once', async () => {
  const { promise: open, resolve: release } = Promise.withResolvers<void>();
  let under = 0;
  const check = brokenOnce(async () => {
    if (++under === 40) release();
    await open;
  });
  const made = await room(
    {
      ...check,
      async run(target, probe) {
        const result = await check.run(target, probe);
        // JSON has no such number, so that storing it throws.
        if (target.name === 'http://10.0.0.7/') Object.assign(result, { measures: { up: 0, odd: 1n } });
        return result;
      },
    },
    40,
  );
  const events: string[] = [];
  await made.startWorking(counting((event) => events.push(event)));
  await made.startMonitor(OWNER, 'shop', { intervalMs: 60_000 }, signal);
  const findings = async () => (await made.getMonitor(OWNER, 'shop')).findings;
  await vi.waitUntil(async () => (await findings()).length === 39, PATIENT);
  await made.close();
  expect(events).toHaveLength(39);
  const { openAlerts, coverage } = await made.getMonitor(OWNER, 'shop');
  expect(openAlerts).toBe(39);
  expect(coverage.filter(({ at }) => at === undefined).map(({ target }) => target)).toEqual([
    'http://10.0.0.7/',
  ]);
});

test('a close while results are recorded keeps the recorded ones, and frees every job', async () => {
  const made = await room(
    brokenOnce(async () => {}),
    60,
  );
  await made.startWorking();
  await made.startMonitor(OWNER, 'shop', { intervalMs: 60_000 }, signal);
  await vi.waitUntil(async () => (await made.getMonitor(OWNER, 'shop')).findings.length > 0, PATIENT);
  await made.close();
  const { findings, openAlerts } = await made.getMonitor(OWNER, 'shop');
  expect(openAlerts).toBe(findings.length);
  const db = await openTestDatabase({ folder: folder.path });
  const leased = await db.read((sql) => sql.all('SELECT 1 FROM monitor_jobs WHERE runner IS NOT NULL'));
  db.close();
  expect(leased).toEqual([]);
});

test('two starts at once make one monitor, and do not exceed the maximum', async () => {
  const listed = `infrastructure:\n${['a', 'b', 'c', 'd'].map((id) => `  ${id}: { urls: ['http://10.0.0.1/'] }\n`).join('')}`;
  const check = brokenOnce(async () => {});
  const [one, two] = [
    await room(check, 0, { listed, maxMonitors: 2 }),
    await room(check, 0, { listed, maxMonitors: 2, runner: 'elsewhere 1 x' }),
  ];
  const start = (made: typeof one, id: string) => made.startMonitor(OWNER, id, {}, signal);
  await Promise.all([start(one, 'a'), start(two, 'a'), start(one, 'a')]);
  expect(await one.listMonitors(OWNER)).toHaveLength(1);
  const starts = await Promise.allSettled([start(one, 'b'), start(two, 'c'), start(one, 'd')]);
  expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(starts.flatMap((of) => (of.status === 'rejected' ? [of.reason] : []))).toMatchObject([
    { code: 'too_large' },
    { code: 'too_large' },
  ]);
  expect(await two.listMonitors(OWNER)).toHaveLength(2);
});

test('a stop during a start leaves no job behind', async () => {
  const made = await room(
    brokenOnce(async () => {}),
    5,
  );
  await made.startMonitor(OWNER, 'shop', {}, signal);
  await Promise.all([
    made.startMonitor(OWNER, 'shop', { threshold: 3 }, signal),
    made.stopMonitor(OWNER, 'shop'),
  ]);
  const { state, nextRun } = await made.getMonitor(OWNER, 'shop');
  expect([state, nextRun === undefined]).toEqual(state === 'active' ? ['active', false] : ['stopped', true]);
});
