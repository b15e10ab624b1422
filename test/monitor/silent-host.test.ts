import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checks } from '../../src/monitor/checks/list.ts';
import type { MonitorCheck } from '../../src/monitor/probing/check.ts';
import { temporaryFolder } from '../helpers/magpie.ts';
import { monitorRoom } from '../helpers/monitor-room.ts';
import { QUICK_TIMEOUTS_MS } from '../helpers/probe-context.ts';
import { type SilentHost, startSilentHost } from '../helpers/silent-host.ts';
import { startTlsSite } from '../helpers/tls-site.ts';
import { startReceiver } from '../helpers/webhook-receiver.ts';

/** Machines whose ports never answer: probing them ends, and takes nothing of what else was seen with it. */

const signal = new AbortController().signal;
const endings: (() => Promise<void>)[] = [];
let folder: ReturnType<typeof temporaryFolder>;
let silent: SilentHost;

beforeEach(async () => {
  folder = temporaryFolder();
  silent = await startSilentHost(36);
  endings.push(() => silent.close());
});
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end().catch(() => {});
  folder.remove();
});

async function start(host: string, more: Partial<Parameters<typeof monitorRoom>[0]> = {}) {
  const receiver = await startReceiver();
  const made = await monitorRoom({
    folder: folder.path,
    listed: `infrastructure:\n  box:\n    hosts: [${host}]\n`,
    webhook: receiver.url,
    timeouts: { ...QUICK_TIMEOUTS_MS, connect: 500 },
    ...more,
  });
  endings.push(() => receiver.close());
  endings.push(() => made.end());
  await made.startWorking();
  await made.startMonitor('ada', 'box', { intervalMs: 60_000 }, signal);
  const coverage = async () => (await made.getMonitor('ada', 'box')).coverage;
  const done = async () => (await coverage()).every(({ reason = '' }) => !reason.endsWith('not probed yet'));
  return { made, receiver, coverage, done };
}

test('a machine with many silent ports is down, and raises an alert', async () => {
  const listed = silent.ports.join(', ');
  const { made, receiver, done } = await start(`{ host: 127.0.0.1, ports: [${listed}], tls: [${listed}] }`, {
    timeouts: { ...QUICK_TIMEOUTS_MS, connect: 100 },
  });
  await vi.waitUntil(done, { timeout: 60_000, interval: 50 });
  const { status, coverage, targets } = await made.getMonitor('ada', 'box');
  expect(status).toBe('down');
  expect(receiver.events()).toEqual(['raised reachability/down']);
  expect(targets[0]).toMatchObject({ up: false, trouble: {} });
  const reasons = Object.fromEntries(coverage.map(({ check, reason }) => [check, reason]));
  expect(reasons.reachability).toBeUndefined();
  expect(reasons.ports).toBe('no port that should be open answers');
  expect(reasons.certificate).toContain(`port ${silent.ports[0]} did not`);
  expect(coverage.filter(({ at }) => at !== undefined).map(({ check }) => check)).toEqual(['reachability']);
});

test('of a machine that answers at one port, the silent ports are closed and the certificate is found', async () => {
  const site = await startTlsSite({ certificate: 'expired' });
  endings.push(() => site.close());
  const { made, done } = await start(
    `{ host: 127.0.0.1, ports: [${silent.ports.join(', ')}], tls: [${site.port}] }`,
  );
  await vi.waitUntil(done, { timeout: 60_000, interval: 50 });
  const { findings, targets } = await made.getMonitor('ada', 'box');
  expect(findings.filter(({ id }) => id === 'ports/closed')).toHaveLength(36);
  expect(findings.map(({ id }) => id)).toContain('certificate/expired');
  expect(targets[0]).toMatchObject({ trouble: {} });
});

test('a check that hangs fails alone', async () => {
  const stuck: MonitorCheck = {
    name: 'stuck',
    version: 1,
    sort: 'watch',
    rules: [],
    limitMs: 50,
    wants: () => true,
    run: () => new Promise(() => {}),
  };
  const site = await startTlsSite({ certificate: 'expired' });
  endings.push(() => site.close());
  const { made, receiver, done } = await start(`{ host: 127.0.0.1, tls: [${site.port}] }`, {
    checks: [stuck, ...checks],
  });
  await vi.waitUntil(done, { timeout: 60_000, interval: 50 });
  const { coverage, targets, findings } = await made.getMonitor('ada', 'box');
  expect(coverage.find(({ check }) => check === 'stuck')).toMatchObject({ reason: 'it did not end in time' });
  expect(targets[0]).toMatchObject({ up: true, trouble: { stuck: 'it did not end in time' } });
  expect(findings.map(({ id }) => id)).toContain('certificate/expired');
  await vi.waitUntil(() => receiver.got.length > 0, { timeout: 60_000, interval: 50 });
  expect(receiver.events()).toContain('raised certificate/expired');
});
