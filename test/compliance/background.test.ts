import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Background, createBackground, type Work } from '../../src/compliance/background.ts';
import type { JobStore } from '../../src/compliance/job.ts';
import { createSqliteJobStore } from '../../src/compliance/stores/jobs.ts';
import { AppError } from '../../src/errors.ts';
import { createLog } from '../../src/log.ts';
import { COMPLIANCE_JOBS } from '../../src/storage/migrations/compliance.ts';
import { type Database, openDatabase } from '../../src/storage/sqlite.ts';

/** Checks that nobody waits for, on a real database. */

let folder: string;
let db: Database;
let store: JobStore;
let background: Background;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'magpie-jobs-'));
  db = await openDatabase({ folder, migrations: [COMPLIANCE_JOBS] });
  store = createSqliteJobStore(db);
  background = createBackground(store, createLog('silent'));
});
afterEach(async () => {
  await background.close();
  db.close();
  await rm(folder, { recursive: true, force: true });
});

const untilStopped: Work = (signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

function state(owner: string, id: string) {
  return background.get(owner, id)?.state;
}

test('a job tells how far it is, and is there no more when it has ended well', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun = background.start('ann', '1', 'shop', async (_, progress) => {
    progress('searching');
    await promise;
  });
  expect(begun).toMatchObject({ id: '1', scope: 'shop', state: 'running' });
  await vi.waitUntil(() => background.get('ann', '1')?.progress === 'searching', { timeout: 10_000 });
  expect(background.get('bob', '1')).toBeUndefined();
  resolve();
  await vi.waitUntil(() => background.get('ann', '1') === undefined, { timeout: 10_000 });
});

test('one that fails says why, and faults of our own are not shown', async () => {
  background.start('ann', '1', 'shop', async () => {
    throw new AppError('upstream', 'the server is down');
  });
  background.start('ann', '2', 'shop', async () => {
    throw new TypeError('a secret of the code');
  });
  await vi.waitUntil(() => state('ann', '1') === 'failed' && state('ann', '2') === 'failed', {
    timeout: 10_000,
  });
  expect(background.get('ann', '1')?.reason).toBe('the server is down');
  expect(background.get('ann', '2')?.reason).not.toContain('secret');
  expect(background.remove('bob', '1')).toBe(false);
  expect(background.remove('ann', '1')).toBe(true);
  expect(background.get('ann', '1')).toBeUndefined();
});

test('of one owner five are under way at most, and one that is removed ends', async () => {
  for (const id of ['1', '2', '3', '4', '5']) background.start('ann', id, 'shop', untilStopped);
  expect(() => background.start('ann', '6', 'shop', untilStopped)).toThrow(/5 of your checks are under way/);
  background.start('bob', '7', 'shop', untilStopped);
  background.remove('ann', '3');
  const again = () => background.start('ann', '8', 'shop', untilStopped);
  await vi.waitFor(() => expect(again).not.toThrow(), { timeout: 10_000 });
});

test('what runs when Magpie ends has failed, heed it its signal or not, and says so after the next start', async () => {
  background.start('ann', '1', 'shop', untilStopped);
  background.start('ann', '2', 'shop', () => new Promise(() => {}));
  await background.close();
  const next = createBackground(store, createLog('silent'));
  for (const id of ['1', '2']) {
    expect(next.get('ann', id)).toMatchObject({ state: 'failed', reason: 'Magpie was ended while it ran' });
  }
});

test('what a killed process had in hand has failed; what another one has in hand runs on', async () => {
  const at = Date.now();
  store.add('ann', { id: '1', scope: 'shop', createdAt: at, runner: 'elsewhere 1 abc' }, 50);
  store.add('ann', { id: '2', scope: 'shop', createdAt: at - 3_600_000, runner: 'elsewhere 1 abc' }, 50);
  expect(state('ann', '1')).toBe('running');
  expect(background.get('ann', '2')).toMatchObject({ state: 'failed', reason: /process .* was ended/ });
});

test('of jobs that failed the newest are kept, each owner for itself', () => {
  for (let id = 0; id < 6; id++) {
    store.add('ann', { id: `a${id}`, scope: 'shop', createdAt: id, runner: 'r' }, 3);
    store.fail(`a${id}`, 'no');
  }
  store.add('bob', { id: 'b', scope: 'shop', createdAt: 0, runner: 'r' }, 3);
  const kept = Array.from({ length: 6 }, (_, id) => store.get('ann', `a${id}`)?.id).filter(Boolean);
  expect(kept).toEqual(['a3', 'a4', 'a5']);
});
