import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseInventory } from '../../src/monitor/targets/inventory.ts';
import { createFixedInventorySource } from '../../src/monitor/targets/inventory-source.ts';
import { temporaryFolder } from '../helpers/magpie.ts';
import { monitorRoom } from '../helpers/monitor-room.ts';

/** What owners change of their monitors, while nothing probes. */

const OWNER = 'ada';
const signal = new AbortController().signal;
const LISTED =
  'infrastructure:\n  shop:\n    urls: ["https://shop.example/"]\n  post:\n    urls: ["https://post.example/"]\n';
const HOOK = 'https://93.184.216.34/hook';

let folder: ReturnType<typeof temporaryFolder>;
const endings: (() => Promise<void>)[] = [];
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
  folder.remove();
});

async function room(more: Partial<Parameters<typeof monitorRoom>[0]> = {}) {
  const made = await monitorRoom({ folder: folder.path, listed: LISTED, ...more });
  endings.push(() => made.end());
  return made;
}

test('a monitor over the maximum is refused, and another start of an existing monitor is not', async () => {
  const made = await room({ maxMonitors: 1 });
  await made.startMonitor(OWNER, 'shop', {}, signal);
  await expect(made.startMonitor(OWNER, 'post', {}, signal)).rejects.toMatchObject({
    code: 'too_large',
    message: 'you have 1 monitors, the most that are allowed: remove one first',
  });
  await made.startMonitor('eve', 'post', {}, signal);
  expect(await made.startMonitor(OWNER, 'shop', { threshold: 3 }, signal)).toMatchObject({ threshold: 3 });
});

test('a stopped monitor is shown as stopped, and a paused monitor as paused', async () => {
  const made = await room();
  await made.startMonitor(OWNER, 'shop', {}, signal);
  expect(await made.pauseMonitor(OWNER, 'shop')).toMatchObject({ state: 'paused' });
  expect(await made.getMonitor(OWNER, 'shop')).toMatchObject({ state: 'paused' });
  expect(await made.stopMonitor(OWNER, 'shop')).toMatchObject({ state: 'stopped' });
  expect(await made.getMonitor(OWNER, 'shop')).toMatchObject({ state: 'stopped' });
  expect(await made.resumeMonitor(OWNER, 'shop')).toMatchObject({ state: 'active' });
});

test('what is no longer in the inventory is not resumed', async () => {
  const made = await room();
  await made.startMonitor(OWNER, 'shop', {}, signal);
  await made.stopMonitor(OWNER, 'shop');
  const without = createFixedInventorySource(
    parseInventory('infrastructure:\n  post:\n    urls: ["https://post.example/"]\n', 'infrastructure.yaml'),
  );
  const later = await room({ listing: without, runner: 'later 1 x' });
  await expect(later.resumeMonitor(OWNER, 'shop')).rejects.toMatchObject({
    code: 'bad_request',
    message: 'shop is no longer in the inventory',
  });
  expect(await later.getMonitor(OWNER, 'shop')).toMatchObject({ state: 'stopped' });
});

test('an omitted webhook is kept, and null removes it', async () => {
  const made = await room();
  expect((await made.startMonitor(OWNER, 'shop', {}, signal)).webhook).toBeUndefined();
  const given = await made.startMonitor(OWNER, 'shop', { webhook: HOOK }, signal);
  expect(given.webhook).toBeDefined();
  expect((await made.startMonitor(OWNER, 'shop', { threshold: 3 }, signal)).webhook).toEqual(given.webhook);
  expect((await made.startMonitor(OWNER, 'shop', { webhook: null }, signal)).webhook).toBeUndefined();
});

test('without abandoned messages nothing is sent again, and a removed monitor is not found', async () => {
  const made = await room();
  await made.startMonitor(OWNER, 'shop', {}, signal);
  expect(await made.resendNotifications(OWNER, 'shop')).toEqual({ again: 0, outdated: 0 });
  await made.removeMonitor(OWNER, 'shop');
  await expect(made.resendNotifications(OWNER, 'shop')).rejects.toThrow('there is no monitor of "shop"');
});

test('a monitor of a job gets an address for its heartbeats once, and a new one when asked', async () => {
  const made = await room();
  const { heartbeatToken: first } = await made.startMonitor(OWNER, 'heartbeat:nightly', {}, signal);
  expect(first).toMatch(/\S{20}/);
  expect((await made.startMonitor(OWNER, 'heartbeat:nightly', {}, signal)).heartbeatToken).toBeUndefined();
  const again = await made.startMonitor(OWNER, 'heartbeat:nightly', { newToken: true }, signal);
  expect(again.heartbeatToken).toMatch(/\S{20}/);
  expect(again.heartbeatToken).not.toBe(first);
  expect((await made.startMonitor(OWNER, 'shop', { newToken: true }, signal)).heartbeatToken).toBeUndefined();
});

test('expectations that do not fit, past maintenance and mail without a mail server are refused', async () => {
  const made = await room();
  const start = (wanted: Parameters<typeof made.startMonitor>[2], id = 'shop') =>
    made.startMonitor(OWNER, id, wanted, signal);
  await expect(start({ probing: { expect: { responseMs: 5 } } }, 'heartbeat:nightly')).rejects.toMatchObject({
    code: 'bad_request',
  });
  await expect(start({ probing: { maintenance: [{ from: 2000, to: 1000 }] } })).rejects.toMatchObject({
    code: 'bad_request',
  });
  await expect(start({ webhook: 'mailto:ada@example.org' })).rejects.toMatchObject({ code: 'bad_request' });
});
