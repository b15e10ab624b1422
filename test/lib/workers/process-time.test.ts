import { spawn } from 'node:child_process';
import { afterEach, expect, test, vi } from 'vitest';
import { groupProcessorMs, limitProcessGroup } from '../../../src/lib/workers/process-time.ts';

const PATIENT = { timeout: 60_000, interval: 20 };
const groups: number[] = [];
afterEach(() => {
  for (const group of groups.splice(0)) process.kill(-group, 'SIGKILL');
});

function start(script: string): number {
  const { pid } = spawn('sh', ['-c', script], { detached: true, stdio: 'ignore' });
  if (pid === undefined) throw new Error('sh did not start');
  groups.push(pid);
  return pid;
}

/** Endless where the system does not say. */
const timeOf = async (group: number) => (await groupProcessorMs(group)) ?? Infinity;

test('a waiting process group ends by the clock', async () => {
  const over = vi.fn();
  limitProcessGroup(start('sleep 300 & sleep 300'), 300, over);
  await vi.waitUntil(() => over.mock.calls.length > 0, PATIENT);
});

test('the time of a process group is that of all its processes', async () => {
  const group = start('sh -c "while :; do :; done" & wait');
  await vi.waitUntil(async () => (await timeOf(group)) > 100, PATIENT);
});

test('a computing process group ends by its own processor time', async () => {
  const group = start('while :; do :; done');
  let used: number | undefined;
  // Beside it others compute too, so that it has only a part of the clock.
  for (let more = 0; more < 2; more++) start('while :; do :; done');
  limitProcessGroup(group, 150, async () => {
    used = await timeOf(group);
  });
  await vi.waitUntil(() => used !== undefined, PATIENT);
  expect(used).toBeGreaterThanOrEqual(150);
});

test('a process group that mostly waits ends by the limit on the clock', async () => {
  // Some tenth of the clock: no reading finds it waiting, and its processor time takes ten times the limit.
  const group = start('while :; do timeout 0.01 sh -c "while :; do :; done"; sleep 0.05; done');
  let used: number | undefined;
  limitProcessGroup(
    group,
    500,
    async () => {
      used = await timeOf(group);
    },
    650,
  );
  await vi.waitUntil(() => used !== undefined, PATIENT);
  expect(used).toBeLessThan(500);
});
