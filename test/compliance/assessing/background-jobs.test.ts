import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type BackgroundJobs,
  createBackgroundJobs,
  type JobFunction,
} from '../../../src/compliance/assessing/background-jobs.ts';
import type { ComplianceJobStore } from '../../../src/compliance/assessing/job.ts';
import { createJobStore } from '../../../src/compliance/stores/jobs.ts';
import { AppError } from '../../../src/errors.ts';
import { createLog } from '../../../src/log.ts';
import { type Database, openDatabase } from '../../../src/storage/sqlite.ts';

/** Checks in the background, on a real database. */

const LIMITS = { ownRunning: 100, allRunning: 100, kept: 50 };
const PATIENT = { timeout: 60_000 };

let folder: string;
let db: Database;
let store: ComplianceJobStore;
let background: BackgroundJobs;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'magpie-jobs-'));
  db = await openDatabase({ folder });
  store = createJobStore(db);
  background = createBackgroundJobs(store, createLog('silent'));
});
afterEach(async () => {
  await background.close();
  db.close();
  await rm(folder, { recursive: true, force: true });
});

const untilStopped: JobFunction = (signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

async function stateOf(owner: string, id: string) {
  return (await background.readJob(owner, id))?.state;
}

test('a job shows its progress, and is removed when it has succeeded', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun = await background.startJob('ann', '1', 'shop', async (_, progress) => {
    progress('searching');
    await promise;
  });
  expect(begun).toMatchObject({ id: '1', scope: 'shop', state: 'running' });
  await vi.waitUntil(async () => (await background.readJob('ann', '1'))?.progress === 'searching', PATIENT);
  expect(await background.readJob('bob', '1')).toBeUndefined();
  resolve();
  await vi.waitUntil(async () => (await background.readJob('ann', '1')) === undefined, PATIENT);
});

test('a failed job gives the reason, without the details of an internal error', async () => {
  await background.startJob('ann', '1', 'shop', async () => {
    throw new AppError('upstream', 'the server is down');
  });
  await background.startJob('ann', '2', 'shop', async () => {
    throw new TypeError('a secret of the code');
  });
  for (const id of ['1', '2'])
    await vi.waitUntil(async () => (await stateOf('ann', id)) === 'failed', PATIENT);
  expect((await background.readJob('ann', '1'))?.reason).toBe('the server is down');
  expect((await background.readJob('ann', '2'))?.reason).not.toContain('secret');
  expect(await background.removeJob('bob', '1')).toBe(false);
  expect(await background.removeJob('ann', '1')).toBe(true);
  expect(await background.readJob('ann', '1')).toBeUndefined();
});

test('a job whose end could not be recorded has failed once the store can be written, and uses no slot', async () => {
  let isFull = true;
  const failing: ComplianceJobStore = {
    ...store,
    async failJob(...given) {
      if (isFull) throw new AppError('unavailable', 'the disk is full');
      return store.failJob(...given);
    },
  };
  const room = createBackgroundJobs(failing, createLog('silent'));
  for (let at = 0; at < 5; at++) {
    await room.startJob('ann', String(at), 'shop', async () => {
      throw new AppError('upstream', 'the server is down');
    });
  }
  // It waits for those that run here.
  await room.close();
  isFull = false;
  expect(await room.readJob('ann', '0')).toMatchObject({
    state: 'failed',
    reason: 'its end could not be recorded; the log has the details',
  });
  expect(await room.startJob('ann', '5', 'shop', async () => {})).toMatchObject({ state: 'running' });
  expect(await room.startJob('ann', '6', 'shop', async () => {})).toMatchObject({ state: 'running' });
  await room.close();
});

test('one owner runs five jobs at most, even if many start at once, and a removed job frees its slot', async () => {
  const starts = Array.from({ length: 8 }, (_, id) =>
    background.startJob('ann', `${id}`, 'shop', untilStopped),
  );
  const outcomes = await Promise.allSettled(starts);
  expect(outcomes.map(({ status }) => status).filter((one) => one === 'fulfilled')).toHaveLength(5);
  const refused = outcomes.find((one) => one.status === 'rejected');
  expect(refused?.reason).toMatchObject({ code: 'rate_limited', retryAfter: 30 });
  expect(String(refused?.reason)).toMatch(/5 of your checks are under way/);
  await background.startJob('bob', 'b', 'shop', untilStopped);
  await background.removeJob('ann', '3');
  await background.startJob('ann', 'again', 'shop', untilStopped);
});

test('the limits apply over processes, and jobs of a dead process do not count', async () => {
  const at = Date.now();
  for (const id of ['1', '2', '3', '4', '5']) {
    await store.insertJob('ann', { id, scope: 'shop', createdAt: at, runner: 'elsewhere 1 abc' }, LIMITS);
  }
  await expect(background.startJob('ann', '6', 'shop', untilStopped)).rejects.toThrow(/5 of your checks/);
  await store.removeJob('ann', '5');
  const old = { id: '5', scope: 'shop', createdAt: at - 3_600_000, runner: 'elsewhere 1 abc' };
  await store.insertJob('ann', old, LIMITS);
  await background.startJob('ann', '6', 'shop', untilStopped);
  expect(await stateOf('ann', '5')).toBe('failed');
});

test('a running job fails when Magpie ends, even if it ignores its signal, and the next start reports it', async () => {
  await background.startJob('ann', '1', 'shop', untilStopped);
  await background.startJob('ann', '2', 'shop', () => new Promise(() => {}));
  await background.close();
  const next = createBackgroundJobs(store, createLog('silent'));
  for (const id of ['1', '2']) {
    expect(await next.readJob('ann', id)).toMatchObject({
      state: 'failed',
      reason: 'Magpie was stopped while it ran',
    });
  }
});

test('a job that starts while Magpie ends fails too, and close() waits for it', async () => {
  let begun = false;
  const starting = background.startJob('ann', '1', 'shop', async () => {
    begun = true;
  });
  await background.close();
  await starting;
  expect(begun).toBe(false);
  expect(await background.readJob('ann', '1')).toMatchObject({ reason: 'Magpie was stopped while it ran' });
});

test('a job of a killed process has failed; a job of another living process continues', async () => {
  const at = Date.now();
  const runner = 'elsewhere 1 abc';
  await store.insertJob('ann', { id: '1', scope: 'shop', createdAt: at, runner }, LIMITS);
  await store.insertJob('ann', { id: '2', scope: 'shop', createdAt: at - 3_600_000, runner }, LIMITS);
  expect(await stateOf('ann', '1')).toBe('running');
  expect(await background.readJob('ann', '2')).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/process .* was stopped/),
  });
});

test('a job that another process removes is stopped in its own process', async () => {
  let said: (message: string) => void = () => {};
  let stopped: unknown;
  await background.startJob('ann', '1', 'shop', (signal, progress) => {
    said = progress;
    signal.addEventListener('abort', () => {
      stopped = signal.reason;
    });
    return new Promise(() => {});
  });
  await createJobStore(db).removeJob('ann', '1');
  said('reading');
  await vi.waitUntil(() => stopped !== undefined, PATIENT);
  expect(stopped).toMatchObject({ message: 'the check was removed' });
});
