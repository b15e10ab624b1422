import { afterEach, expect, test, vi } from 'vitest';
import { createTakeoverCheck } from '../../../src/monitor/scheduling/takeover.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { monitorRoom } from '../../helpers/monitor-room.ts';
import { AUTHORITY, startTlsSite } from '../../helpers/tls-site.ts';

/** A process that leaves the work to another, and takes it over. */

const OWNER = 'ada';
const signal = new AbortController().signal;
const PATIENT = { timeout: 60_000, interval: 20 };
const endings: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

test('the process that takes over probes the targets of its own inventory', async () => {
  const { path: folder, remove } = temporaryFolder();
  endings.push(remove);
  const [one, two] = [
    await startTlsSite({ certificate: 'good' }),
    await startTlsSite({ certificate: 'good' }),
  ];
  endings.push(
    () => one.close(),
    () => two.close(),
  );
  const listed = (...urls: string[]) =>
    `infrastructure:\n  shop:\n    authority: ${AUTHORITY}\n    urls: ${JSON.stringify(urls)}\n`;
  const server = await monitorRoom({ folder, listed: listed(one.url), runner: 'here 1 server' });
  await server.startMonitor(OWNER, 'shop', { intervalMs: 100 }, signal);
  let isServed = true;
  const assistant = await monitorRoom({
    folder,
    listed: listed(one.url, two.url),
    runner: 'here 1 assistant',
  });
  endings.push(() => assistant.end());
  await assistant.startWorking(undefined, () => isServed);
  await server.startWorking();
  await vi.waitUntil(async () => (await server.getMonitor(OWNER, 'shop')).lastRun !== undefined, PATIENT);
  await server.end();
  // Its jobs are free, and no process probes the second.
  expect(two.asked).toEqual([]);
  isServed = false;
  await vi.waitUntil(() => two.asked.length > 0, PATIENT);
  expect((await assistant.getMonitor(OWNER, 'shop')).targets.map(({ name }) => name)).toEqual([
    one.url,
    two.url,
  ]);
});

test('the resume step runs at the start and at each takeover, and again after a failure', async () => {
  let left = false;
  let isBusy = true;
  let resumed = 0;
  const isOthers = createTakeoverCheck(
    () => left,
    async () => {
      if (isBusy) throw new Error('busy');
      resumed++;
    },
  );
  await expect(isOthers()).rejects.toThrow('busy');
  isBusy = false;
  expect([await isOthers(), await isOthers(), resumed]).toEqual([false, false, 1]);
  left = true;
  expect([await isOthers(), await isOthers(), resumed]).toEqual([true, true, 1]);
  left = false;
  expect([await isOthers(), await isOthers(), resumed]).toEqual([false, false, 2]);
});

test('simultaneous callers resume once, and a takeover in the meantime resumes again', async () => {
  let left = false;
  let resumed = 0;
  const ends: (() => void)[] = [];
  const isOthers = createTakeoverCheck(
    () => left,
    () => {
      resumed++;
      return new Promise<void>((resolve) => ends.push(resolve));
    },
  );
  const both = [isOthers(), isOthers()];
  expect(resumed).toBe(1);
  left = true;
  expect(await isOthers()).toBe(true);
  left = false;
  ends[0]?.();
  expect(await Promise.all(both)).toEqual([false, false]);
  const again = isOthers();
  expect(resumed).toBe(2);
  ends[1]?.();
  expect(await again).toBe(false);
});
