import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ComplianceJobStore, NewJob } from '../../src/compliance/assessing/job.ts';

const RUNNER = 'host 1 abc';
const LIMITS = { ownRunning: 3, allRunning: 5, kept: 50 };

function job(id: string, change: Partial<NewJob> = {}): NewJob {
  return { id, scope: 'shop', createdAt: 1000, runner: RUNNER, ...change };
}

/** An empty store; `open` opens it once more, as another process does. */
export interface JobPlace {
  open(): Promise<ComplianceJobStore>;
  remove(): Promise<void>;
}

/** What every driver of ComplianceJobStore does. */
export function describeJobStore(name: string, makeEmpty: () => Promise<JobPlace>): void {
  describe(`${name} as ComplianceJobStore`, () => {
    let place: JobPlace;
    let store: ComplianceJobStore;
    let other: ComplianceJobStore;
    beforeEach(async () => {
      place = await makeEmpty();
      [store, other] = [await place.open(), await place.open()];
    });
    afterEach(() => place.remove());

    test('returns a job as it was inserted, to every opener, and to its owner only', async () => {
      const insertion = await store.insertJob('ann', job('1', { scope: `o'hara 🐦` }), LIMITS);
      expect(insertion).toEqual({ inserted: true, ownRunning: 0, allRunning: 0 });
      const stored = {
        id: '1',
        scope: `o'hara 🐦`,
        createdAt: 1000,
        beatAt: 1000,
        runner: RUNNER,
        isShared: false,
        progress: '',
        state: 'running',
      };
      expect(await store.readJob('ann', '1')).toEqual(stored);
      expect(await other.readJob('ann', '1')).toEqual(stored);
      expect(await store.readJob('bob', '1')).toBeUndefined();
      expect(await store.removeJob('bob', '1')).toBe(false);
      expect(await store.readJob('ann', '1')).toEqual(stored);
    });

    test('a job that any process may run is run by the process that took it last, and by no other', async () => {
      await store.insertJob('ann', job('1', { terms: '{"a":1}' }), LIMITS);
      await store.insertJob('ann', job('2'), LIMITS);
      expect(await other.readTerms('1')).toEqual({ id: '1', owner: 'ann', scope: 'shop', terms: '{"a":1}' });
      expect([await other.readTerms('2'), await other.readTerms('none')]).toEqual([undefined, undefined]);
      expect(await other.takeJob('1', 'host 2 x', 2000)).toBe(true);
      expect(await store.readJob('ann', '1')).toMatchObject({
        runner: 'host 2 x',
        beatAt: 2000,
        isShared: true,
      });
      expect(await store.recordProgress('1', RUNNER, 'late', 3000)).toBe(false);
      expect(await store.failJob('1', 'late', { runner: RUNNER })).toBe(false);
      expect(await other.recordProgress('1', 'host 2 x', 'reading', 3000)).toBe(true);
      expect(await other.failJob('1', 'it failed', { runner: 'host 2 x' })).toBe(true);
      expect(await store.takeJob('1', RUNNER, 4000)).toBe(false);
      expect(await store.readTerms('1')).toBeUndefined();
    });

    test('lists the jobs of an owner, newest first', async () => {
      await store.insertJob('ann', job('1', { createdAt: 1000 }), LIMITS);
      await store.insertJob('ann', job('2', { createdAt: 2000 }), LIMITS);
      await store.insertJob('bob', job('3', { createdAt: 3000 }), LIMITS);
      await store.failJob('1', 'it ended');
      expect((await other.listJobs('ann')).map(({ id, state, reason }) => [id, state, reason])).toEqual([
        ['2', 'running', undefined],
        ['1', 'failed', 'it ended'],
      ]);
      expect(await other.listJobs('eve')).toEqual([]);
    });

    test('inserts no more running jobs than the limits of an owner and of all owners allow', async () => {
      for (const id of ['a1', 'a2', 'a3']) await store.insertJob('ann', job(id), LIMITS);
      expect(await other.insertJob('ann', job('a4'), LIMITS)).toEqual({
        inserted: false,
        ownRunning: 3,
        allRunning: 3,
      });
      expect(await store.readJob('ann', 'a4')).toBeUndefined();
      for (const id of ['b1', 'b2']) await other.insertJob('bob', job(id), LIMITS);
      expect(await other.insertJob('bob', job('b3'), LIMITS)).toEqual({
        inserted: false,
        ownRunning: 2,
        allRunning: 5,
      });
      await store.failJob('a1', 'it failed');
      await store.removeJob('ann', 'a2');
      expect((await store.insertJob('ann', job('a5'), LIMITS)).inserted).toBe(true);
    });

    test('two openers that start many jobs at once stay within the limits', async () => {
      const starts = Array.from({ length: 20 }, (_, at) =>
        (at % 2 ? store : other).insertJob(at % 3 ? 'ann' : 'bob', job(`${at}`), LIMITS),
      );
      const inserted = (await Promise.all(starts)).filter((one) => one.inserted);
      expect(inserted).toHaveLength(5);
      expect(await store.listRunning()).toHaveLength(5);
    });

    test('renews the lease of a running job, with its progress', async () => {
      await store.insertJob('ann', job('1'), LIMITS);
      expect(await store.recordProgress('1', RUNNER, 'reading', 2000)).toBe(true);
      expect(await other.readJob('ann', '1')).toMatchObject({ progress: 'reading', beatAt: 2000 });
      await other.failJob('1', 'it failed');
      expect(await store.recordProgress('1', RUNNER, 'late', 3000)).toBe(false);
      expect(await store.readJob('ann', '1')).toMatchObject({ progress: 'reading', beatAt: 2000 });
      expect(await store.recordProgress('unknown', RUNNER, 'late', 3000)).toBe(false);
    });

    test('a job fails once, and keeps the reason', async () => {
      await store.insertJob('ann', job('1'), LIMITS);
      const outcomes = await Promise.all([store.failJob('1', 'first'), other.failJob('1', 'second')]);
      expect(outcomes.toSorted()).toEqual([false, true]);
      const reason = outcomes[0] ? 'first' : 'second';
      expect(await other.readJob('ann', '1')).toMatchObject({ state: 'failed', reason });
      expect(await store.failJob('unknown', 'why')).toBe(false);
    });

    test('a job whose lease was renewed in between is not treated as abandoned', async () => {
      await store.insertJob('ann', job('1'), LIMITS);
      const seen = await other.readJob('ann', '1');
      await store.recordProgress('1', RUNNER, 'reading', 2000);
      expect(await other.failJob('1', 'abandoned', { beatAt: seen?.beatAt ?? 0 })).toBe(false);
      expect(await other.readJob('ann', '1')).toMatchObject({ state: 'running' });
      expect(await other.failJob('1', 'abandoned', { beatAt: 2000 })).toBe(true);
    });

    test('lists the running jobs of all owners with their leases, the oldest first', async () => {
      await store.insertJob('ann', job('1', { createdAt: 3 }), LIMITS);
      await store.insertJob('bob', job('2', { createdAt: 2, runner: 'elsewhere 2 def' }), LIMITS);
      await store.insertJob('bob', job('3', { createdAt: 1 }), LIMITS);
      await store.failJob('3', 'it failed');
      await store.recordProgress('1', RUNNER, 'reading', 9);
      expect(await other.listRunning()).toEqual([
        { id: '2', runner: 'elsewhere 2 def', beatAt: 2, isShared: false },
        { id: '1', runner: 'host 1 abc', beatAt: 9, isShared: false },
      ]);
    });

    test('keeps the newest failed jobs of each owner, and all running jobs', async () => {
      const limits = { ...LIMITS, kept: 3 };
      await store.insertJob('ann', job('running', { createdAt: 0 }), limits);
      for (let at = 1; at <= 6; at++) {
        await store.insertJob('ann', job(`a${at}`, { createdAt: at }), limits);
        await store.failJob(`a${at}`, 'it failed');
      }
      await store.insertJob('bob', job('b', { createdAt: 1 }), limits);
      const ids = ['running', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6'];
      const kept = (await Promise.all(ids.map((id) => store.readJob('ann', id)))).map((one) => one?.id);
      expect(kept.filter(Boolean)).toEqual(['running', 'a4', 'a5', 'a6']);
      expect(await store.readJob('bob', 'b')).toBeDefined();
    });

    test('removes a job once', async () => {
      await store.insertJob('ann', job('1'), LIMITS);
      const outcomes = await Promise.all([store.removeJob('ann', '1'), other.removeJob('ann', '1')]);
      expect(outcomes.sort()).toEqual([false, true]);
    });

    test('a crash leaves a running job with its last lease, which the next opener can mark as failed', async () => {
      await store.insertJob('ann', job('1'), LIMITS);
      await store.recordProgress('1', RUNNER, 'reading', 2000);
      const next = await place.open();
      const [left] = await next.listRunning();
      expect(left).toEqual({ id: '1', runner: 'host 1 abc', beatAt: 2000, isShared: false });
      expect(await next.failJob('1', 'its process is gone', { beatAt: left?.beatAt ?? 0 })).toBe(true);
      expect(await next.readJob('ann', '1')).toMatchObject({ state: 'failed', progress: 'reading' });
    });
  });
}
