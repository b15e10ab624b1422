import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createUrlGuard } from '../../src/lib/network/url-guard.ts';
import { findInfrastructure, requirePublicTargets } from '../../src/monitor/targets/infrastructure.ts';
import { temporaryFolder } from '../helpers/magpie.ts';
import { monitorRoom } from '../helpers/monitor-room.ts';
import { AUTHORITY, startTlsSite, type TlsSiteOptions } from '../helpers/tls-site.ts';

/** What a status says, and what is said of a target that is refused. */

const OWNER = 'ada';
const signal = new AbortController().signal;
const endings: (() => unknown)[] = [];
let folder: string;

beforeEach(async () => {
  const made = temporaryFolder();
  folder = made.path;
  endings.push(made.remove);
});
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function watched(options: TlsSiteOptions) {
  const site = await startTlsSite(options);
  endings.push(() => site.close());
  const listed = `infrastructure:\n  shop:\n    authority: ${AUTHORITY}\n    urls: ['${site.url}']\n`;
  const made = await monitorRoom({ folder, listed });
  endings.push(() => made.end());
  return made;
}

test.each([
  ['http://93.184.215.14:25/', '93.184.215.14:25 is not read: port 25 belongs to another protocol than HTTP'],
  ['http://10.0.0.4/', '10.0.0.4 is not a public address'],
])('%s is refused with the reason and with the place where it can be monitored', async (id, why) => {
  const infrastructure = findInfrastructure(id, OWNER, new Map());
  const refused = requirePublicTargets(infrastructure, createUrlGuard({ allowHosts: [] }), signal);
  await expect(refused).rejects.toMatchObject({ code: 'forbidden' });
  await expect(refused).rejects.toThrow(why);
  await expect(refused).rejects.toThrow('only from the inventory (MAGPIE_INVENTORY)');
  await expect(refused).rejects.not.toThrow('MAGPIE_ALLOW_HOSTS');
});

test.each([
  ['expired', 'max-age=31536000; includeSubDomains; none counts as long as browsers do not trust'],
  ['good', 'max-age=nonsense'],
])(
  'the reason why a Strict-Transport-Security has no effect is given: %s certificate',
  async (certificate, why) => {
    const header = certificate === 'good' ? 'max-age=nonsense' : 'max-age=31536000; includeSubDomains';
    const made = await watched({ certificate, headers: { 'strict-transport-security': header } });
    await made.startWorking();
    await made.startMonitor(OWNER, 'shop', {}, signal);
    const invalid = async () =>
      (await made.getMonitor(OWNER, 'shop')).findings.find(({ id }) => id === 'headers/hsts-invalid');
    await vi.waitUntil(async () => (await invalid()) !== undefined, { timeout: 60_000, interval: 20 });
    expect((await invalid())?.description).toContain(`: ${why}`);
    expect((await invalid())?.description.includes('certificate')).toBe(certificate !== 'good');
  },
);

const MINUTE = 60_000;

test('the status says since when no process probes', async () => {
  const made = await watched({ certificate: 'good' });
  const every = 2 * MINUTE;
  await made.startMonitor(OWNER, 'shop', { intervalMs: every }, signal);
  const stands = async (later: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + later });
    const { status, trouble } = await made.getMonitor(OWNER, 'shop');
    vi.useRealTimers();
    return { status, trouble };
  };
  expect(await stands(5 * MINUTE)).toEqual({ status: 'active', trouble: undefined });
  const words =
    /^not probed since 20\d\d-\d\d-\d\d \d\d:\d\d UTC: a running Magpie probes it \(magpie serve\)$/;
  expect(await stands(7 * MINUTE)).toEqual({ status: 'degraded', trouble: expect.stringMatching(words) });
  await made.pauseMonitor(OWNER, 'shop');
  expect(await stands(7 * MINUTE)).toEqual({ status: 'stopped', trouble: undefined });
});

test('the status of a monitor that was probed names the time of its last probe', async () => {
  const made = await watched({ certificate: 'good' });
  await made.startWorking();
  await made.startMonitor(OWNER, 'shop', { intervalMs: 10_000 }, signal);
  await vi.waitUntil(async () => (await made.getMonitor(OWNER, 'shop')).status === 'active', {
    timeout: 60_000,
    interval: 20,
  });
  await vi.waitUntil(async () => (await made.getMonitor(OWNER, 'shop')).lastRun !== undefined, {
    timeout: 60_000,
    interval: 20,
  });
  await made.close();
  const { lastRun = 0 } = await made.getMonitor(OWNER, 'shop');
  const at = new Date(lastRun).toISOString().slice(0, 16).replace('T', ' ');
  vi.useFakeTimers({ toFake: ['Date'], now: lastRun + 4 * MINUTE });
  expect((await made.getMonitor(OWNER, 'shop')).status).toBe('active');
  vi.setSystemTime(lastRun + 6 * MINUTE);
  const { status, trouble } = await made.getMonitor(OWNER, 'shop');
  vi.useRealTimers();
  expect(status).toBe('degraded');
  expect(trouble).toContain(`not probed since ${at} UTC`);
  expect(await made.getMonitor(OWNER, 'shop')).toMatchObject({ status: 'active' });
});
