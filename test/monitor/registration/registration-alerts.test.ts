import { afterEach, expect, test, vi } from 'vitest';
import { createUrlGuard } from '../../../src/lib/network/url-guard.ts';
import { registration } from '../../../src/monitor/checks/registration.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { monitorRoom } from '../../helpers/monitor-room.ts';
import { startMovingClock } from '../../helpers/moving-clock.ts';
import { inDays, rdapDomain, startRegistries } from '../../helpers/registries.ts';

/** A monitor of a name, with a real database, a registry by RDAP on 127.0.0.1, and a clock that the test moves on. */

const OWNER = 'ada';
const ID = 'https://www.shop.org/';
const DAY_S = 86_400;
const signal = new AbortController().signal;
const guard = createUrlGuard({
  allowHosts: [],
  lookup: (_, __, done) => done(null, [{ address: '8.8.8.8', family: 4 }]),
});
const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function start(until: string | undefined, threshold: number) {
  const clock = startMovingClock();
  endings.push(clock.stop);
  const registries = await startRegistries({ rdap: { 'shop.org': rdapDomain('shop.org', until) } });
  endings.push(registries.close);
  const { path, remove } = temporaryFolder();
  endings.push(remove);
  let runs = 0;
  const open = async () => {
    const findRegistration = registries.open();
    const room = await monitorRoom({ folder: path, checks: [registration], findRegistration, guard });
    let ended: Promise<void> | undefined;
    const end = () => {
      ended ??= room.end();
      return ended;
    };
    endings.push(end);
    await room.startWorking(
      {
        onCheck() {
          runs += 1;
        },
        onAlert() {},
        onNetwork() {},
        onSent() {},
      },
      () => false,
    );
    return { ...room, end };
  };
  const room = await open();
  await room.startMonitor(OWNER, ID, { threshold, intervalMs: 600_000 }, signal);
  const status = (of = room) => of.getMonitor(OWNER, ID);
  return {
    ...{ clock, registries, room, open, status },
    /** Moves the clock on by days, and then by minutes until the second further probe has been stored. */
    async pass(days: number) {
      clock.pass(days * DAY_S);
      const before = runs;
      await vi.waitUntil(
        () => {
          clock.pass(60);
          return runs >= before + 3;
        },
        { timeout: 30_000 },
      );
      return status();
    },
    first: () =>
      vi.waitUntil(async () => (await status()).targets[0]?.measures.registration, { timeout: 30_000 }),
  };
}

const raised = ({
  alerts,
}: {
  alerts: readonly { finding: { id: string }; clearedAt?: number | undefined }[];
}) => alerts.map(({ finding }) => finding.id.replace('registration/', '')).reverse();

test('each step is an alert once, and a renewal ends it', async () => {
  const { registries, first, pass, status } = await start(inDays(64.5), 3);
  await first();
  expect((await status()).targets[0]?.measures.registration).toMatch(
    /^shop\.org is registered until .*, in 6[45] days$/,
  );
  expect((await status()).findings).toEqual([]);
  expect((await pass(6)).findings.map(({ id, severity }) => [id, severity])).toEqual([
    ['registration/ends-in-60-days', 'info'],
  ]);
  const steps = [];
  for (const days of [30, 1, 14, 1, 6, 1]) steps.push(raised(await pass(days)).join(' '));
  expect(steps).toEqual([
    'ends-in-30-days',
    'ends-in-30-days',
    'ends-in-30-days ends-in-14-days',
    'ends-in-30-days ends-in-14-days',
    'ends-in-30-days ends-in-14-days ends-in-7-days',
    'ends-in-30-days ends-in-14-days ends-in-7-days',
  ]);
  expect((await pass(4)).openAlerts).toBe(1);
  registries.answers.set('shop.org', rdapDomain('shop.org', inDays(400)));
  const after = await pass(2);
  expect([after.openAlerts, after.findings, after.status]).toEqual([0, [], 'active']);
});

test('a registry that does not answer is a reason in the status, raises and clears nothing, and degrades nothing', async () => {
  const { registries, first, pass } = await start(inDays(5), 3);
  await first();
  registries.answers.delete('shop.org');
  const after = await pass(2);
  expect(after.targets[0]?.measures.registration).toMatch(
    /^it is not known until when shop\.org is registered: /,
  );
  expect([raised(after), after.openAlerts, after.trouble]).toEqual([['ends-in-7-days'], 1, undefined]);
  expect(after.targets[0]?.trouble).toEqual({});
});

test('an end that is left out is said, and leaves the alert before it open', async () => {
  const { registries, first, pass } = await start(inDays(5), 3);
  await first();
  registries.answers.set('shop.org', rdapDomain('shop.org', undefined, ['pending delete']));
  const after = await pass(2);
  expect(raised(after)).toEqual(['ends-in-7-days', 'pending-delete']);
  expect(after.openAlerts).toBe(2);
  expect(after.targets[0]?.measures.registration).toMatch(/does not clearly say until when shop\.org/);
});

test('after a restart the stored answer counts until its day has passed', async () => {
  const { registries, room, open, first, clock, status } = await start(inDays(50), 3);
  await first();
  const lookups = () => registries.asked.filter((path) => path.endsWith('shop.org')).length;
  expect(lookups()).toBe(1);
  await room.end();
  const next = await open();
  const { lastRun } = await status(next);
  clock.pass(2 * 3600);
  await vi.waitUntil(async () => (await status(next)).lastRun !== lastRun, { timeout: 30_000 });
  expect(lookups()).toBe(1);
});
