import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { monitorRoom } from '../../helpers/monitor-room.ts';
import { AUTHORITY, startTlsSite, type TlsSite } from '../../helpers/tls-site.ts';

/** A start shows what the first probe found, by whichever process it is made. */

const signal = new AbortController().signal;
const endings: (() => Promise<void>)[] = [];
let folder: ReturnType<typeof temporaryFolder>;
let [one, two]: TlsSite[] = [];

beforeEach(async () => {
  folder = temporaryFolder();
  [one, two] = [await startTlsSite({ certificate: 'expired' }), await startTlsSite({ certificate: 'good' })];
});
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end().catch(() => {});
  await Promise.all([one?.close(), two?.close()]);
  folder.remove();
});

async function room(runner?: string) {
  const listed = `infrastructure:\n  shop: { authority: ${AUTHORITY}, urls: ['${one?.url}', '${two?.url}'] }\n`;
  const made = await monitorRoom({ folder: folder.path, listed, ...(runner !== undefined && { runner }) });
  endings.push(() => made.end());
  return made;
}

const quiet = { signal, progress() {} };

test.each(['this process', 'another node'])('the caller waits for the first probe of %s', async (who) => {
  const made = await room();
  const works = who === 'this process' ? made : await room('elsewhere 1 x');
  await works.startWorking();
  await made.startMonitor('ada', 'shop', {}, signal);
  const reported: string[] = [];
  const watch = { signal, progress: (message: string) => void reported.push(message) };
  const { targets, findings, score } = await made.waitForFirstProbe('ada', 'shop', watch);
  expect(targets.map(({ up }) => up)).toEqual([true, true]);
  expect(findings.map(({ id }) => id)).toContain('certificate/expired');
  expect(score).toBeLessThan(100);
  for (const message of reported) expect(message).toMatch(/^probed 1 of 2 targets$/);
  // What is known is not waited for.
  await works.end();
  endings.pop();
  const later = who === 'this process' ? await room() : made;
  await later.startMonitor('ada', 'shop', { threshold: 5 }, signal);
  expect((await later.waitForFirstProbe('ada', 'shop', quiet)).targets).toHaveLength(2);
});

test('without a probing process the wait for the first probe is short', async () => {
  const made = await room();
  await made.startMonitor('ada', 'shop', {}, signal);
  const { lastRun, targets } = await made.waitForFirstProbe('ada', 'shop', quiet);
  expect(lastRun).toBeUndefined();
  expect(targets).toHaveLength(2);
});

test('the wait for the first probe ends with a cancellation', async () => {
  const made = await room();
  await made.startMonitor('ada', 'shop', {}, signal);
  const stop = new AbortController();
  const waiting = made.waitForFirstProbe('ada', 'shop', { ...quiet, signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow();
  expect((await made.getMonitor('ada', 'shop')).state).toBe('active');
});
