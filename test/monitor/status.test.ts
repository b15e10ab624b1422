import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createUrlGuard } from '../../src/lib/url-guard.ts';
import type { MonitorFinding } from '../../src/monitor/finding.ts';
import { checkReach, findInfrastructure } from '../../src/monitor/infrastructure.ts';
import { createSqliteAlertStore } from '../../src/monitor/stores/alerts.ts';
import { createSqliteMonitorStore } from '../../src/monitor/stores/monitors.ts';
import { type Database, openDatabase } from '../../src/storage/sqlite.ts';
import { temporaryFolder } from '../helpers/magpie.ts';
import { monitorRoom } from '../helpers/monitor-room.ts';
import { AUTHORITY, startTlsSite, type TlsSiteOptions } from '../helpers/tls-site.ts';

/** What a status says, and what is said of a target that is refused. */

const OWNER = 'ada';
const signal = new AbortController().signal;
const endings: (() => unknown)[] = [];
let folder: string;
let db: Database;

beforeEach(async () => {
  const made = temporaryFolder();
  folder = made.path;
  db = await openDatabase({ folder });
  endings.push(made.remove, () => db.close());
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

test('an open alert stands before those that have ended, however many came after it', () => {
  const alerts = createSqliteAlertStore(db);
  const { key } = createSqliteMonitorStore(db).put(OWNER, 'shop', { threshold: 7, intervalMs: 1000 }, 0);
  const finding = { id: 'reachability/down', target: 't' } as MonitorFinding;
  const raise = (at: number) =>
    alerts.raise(key, 'reachability', { ...finding, fingerprint: `f${at}` }, false, at);
  const open = raise(1);
  for (let at = 2; at < 10; at++) alerts.clear(raise(at), at + 1, 'recovered');
  const later = raise(5);
  const listed = alerts.list(key, 4);
  expect(listed.slice(0, 2).map(({ id }) => id)).toEqual([later, open]);
  expect(listed.slice(2).map(({ raisedAt }) => raisedAt)).toEqual([9, 8]);
});

test.each([
  ['http://93.184.215.14:25/', '93.184.215.14:25 is not read: port 25 belongs to another protocol than HTTP'],
  ['http://10.0.0.4/', '10.0.0.4 is not a public address'],
])('%s is refused with what is wrong, and where it can be watched', async (id, why) => {
  const infrastructure = findInfrastructure(id, OWNER, new Map());
  const refused = checkReach(infrastructure, createUrlGuard({ allowHosts: [] }), signal);
  await expect(refused).rejects.toMatchObject({ code: 'forbidden' });
  await expect(refused).rejects.toThrow(why);
  await expect(refused).rejects.toThrow('only from the inventory (MAGPIE_INVENTORY)');
  await expect(refused).rejects.not.toThrow('MAGPIE_ALLOW_HOSTS');
});

test.each([
  ['expired', 'max-age=31536000; includeSubDomains; none counts as long as browsers do not trust'],
  ['good', 'max-age=nonsense'],
])('why a Strict-Transport-Security has no effect: %s certificate', async (certificate, why) => {
  const header = certificate === 'good' ? 'max-age=nonsense' : 'max-age=31536000; includeSubDomains';
  const made = await watched({ certificate, headers: { 'strict-transport-security': header } });
  made.work();
  await made.start(OWNER, 'shop', {}, signal);
  const invalid = () => made.get(OWNER, 'shop').findings.find(({ id }) => id === 'headers/hsts-invalid');
  await vi.waitUntil(() => invalid() !== undefined, { timeout: 30_000, interval: 20 });
  expect(invalid()?.description).toContain(`: ${why}`);
  expect(invalid()?.description.includes('certificate')).toBe(certificate !== 'good');
});

const MINUTE = 60_000;

test('where nobody looks any more it is said, with since when', async () => {
  const made = await watched({ certificate: 'good' });
  const every = 2 * MINUTE;
  await made.start(OWNER, 'shop', { intervalMs: every }, signal);
  const stands = (later: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + later });
    const { status, trouble } = made.get(OWNER, 'shop');
    vi.useRealTimers();
    return { status, trouble };
  };
  expect(stands(5 * MINUTE)).toEqual({ status: 'active', trouble: undefined });
  const words =
    /^nobody has looked since 20\d\d-\d\d-\d\d \d\d:\d\d UTC: a running Magpie does it \(magpie serve\)$/;
  expect(stands(7 * MINUTE)).toEqual({ status: 'degraded', trouble: expect.stringMatching(words) });
  made.pause(OWNER, 'shop');
  expect(stands(7 * MINUTE)).toEqual({ status: 'stopped', trouble: undefined });
});

test('of a monitor that was looked at, it is since the last look', async () => {
  const made = await watched({ certificate: 'good' });
  made.work();
  await made.start(OWNER, 'shop', { intervalMs: 10_000 }, signal);
  await vi.waitUntil(() => made.get(OWNER, 'shop').status === 'active', { timeout: 30_000, interval: 20 });
  await vi.waitUntil(() => made.get(OWNER, 'shop').lastRun !== undefined, { timeout: 30_000, interval: 20 });
  await made.close();
  const { lastRun = 0 } = made.get(OWNER, 'shop');
  const at = new Date(lastRun).toISOString().slice(0, 16).replace('T', ' ');
  vi.useFakeTimers({ toFake: ['Date'], now: lastRun + 4 * MINUTE });
  expect(made.get(OWNER, 'shop').status).toBe('active');
  vi.setSystemTime(lastRun + 6 * MINUTE);
  const { status, trouble } = made.get(OWNER, 'shop');
  vi.useRealTimers();
  expect(status).toBe('degraded');
  expect(trouble).toContain(`nobody has looked since ${at} UTC`);
  expect(made.get(OWNER, 'shop')).toMatchObject({ status: 'active' });
});
