import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MonitorStores, PlannedProbe, ProbeJob, TakeJobsOptions } from '../../src/monitor/store.ts';
import { type MonitorStoresPlace, OPTIONS } from './monitor-store.ts';

const LEASE_MS = { watch: 100, survey: 1000, scan: 10_000 };
const NOW = 1_800_000_000_000;

const plan = (target: string, change: Partial<PlannedProbe> = {}): PlannedProbe => ({
  target,
  sort: 'watch',
  everyMs: 1000,
  origin: NOW,
  firstAt: NOW,
  ...change,
});

/** What every driver of ProbeScheduleStore does. */
export function describeScheduleStore(name: string, makeEmpty: () => Promise<MonitorStoresPlace>): void {
  describe(`${name} as ProbeScheduleStore`, () => {
    let place: MonitorStoresPlace;
    let stores: MonitorStores;
    let other: MonitorStores;
    let key: number;
    beforeEach(async () => {
      place = await makeEmpty();
      [stores, other] = [await place.open('here 1 x'), await place.open('elsewhere 2 y')];
      key = (await stores.monitors.putMonitor('ada', 'shop', OPTIONS, 1)).key;
    });
    afterEach(() => place.remove());

    const take = (from: MonitorStores, change: Partial<TakeJobsOptions> = {}) =>
      from.schedule.takeDue({ limit: 9, now: NOW, leaseMs: LEASE_MS, except: [], finished: [], ...change });
    const names = (jobs: readonly { readonly target: string }[]) => jobs.map(({ target }) => target);
    const done = (jobs: readonly ProbeJob[], nextAt: number) => jobs.map((job) => ({ job, nextAt }));

    test('leases due jobs, the longest due first, to one of two openers', async () => {
      const late = { firstAt: NOW - 5 };
      await stores.schedule.planJobs(key, [
        plan('a'),
        plan('b', late),
        plan('c', { firstAt: NOW + 1 }),
        plan('a', { sort: 'scan' }),
      ]);
      const [first] = await take(stores, { limit: 1 });
      expect(first).toEqual({
        id: first?.id,
        monitor: key,
        dueAt: NOW - 5,
        ...plan('b'),
        firstAt: undefined,
      });
      const rest = await take(other);
      expect(rest.map(({ target, sort }) => `${target} ${sort}`)).toEqual(['a watch', 'a scan']);
      expect([await take(stores), await take(other)]).toEqual([[], []]);
      expect(names(await take(stores, { now: NOW + 1 }))).toEqual(['c']);
    });

    test('a batch keeps its limit, the longest due first, and leases each job for the time of its kind', async () => {
      const jobs = Array.from({ length: 40 }, (_, at) =>
        plan(`t${at}`, { firstAt: NOW - at, sort: at % 2 === 0 ? 'watch' : 'scan' }),
      );
      await stores.schedule.planJobs(key, jobs);
      const first = await take(stores, { limit: 15 });
      expect(names(first)).toEqual(Array.from({ length: 15 }, (_, at) => `t${39 - at}`));
      const second = await take(other, { limit: 30 });
      expect(names(second)).toEqual(Array.from({ length: 25 }, (_, at) => `t${24 - at}`));
      // After the time of `watch` only those fall free; after that of `scan` the others.
      await stores.schedule.releaseExpired('here 1 x', NOW + LEASE_MS.watch + 1);
      const watched = first.filter(({ sort }) => sort === 'watch');
      expect(names(await take(other, { limit: 40 }))).toEqual(names(watched));
      await stores.schedule.releaseExpired('here 1 x', NOW + LEASE_MS.scan + 1);
      expect(names(await take(other, { limit: 40 }))).toEqual(
        names(first.filter(({ sort }) => sort === 'scan')),
      );
    });

    test('after the clock was set back, a job due in hours becomes due within an interval, on its grid', async () => {
      const away = NOW + 7_200_000;
      await stores.schedule.planJobs(key, [
        plan('far', { firstAt: away + 300 }),
        plan('near', { firstAt: NOW + 1400 }),
        plan('slow', { everyMs: 86_400_000, firstAt: away }),
      ]);
      await stores.schedule.bringForward(NOW);
      const upcoming = await stores.schedule.listUpcoming(key);
      expect(upcoming.map(({ target, dueAt }) => `${target} ${dueAt - NOW}`)).toEqual([
        'far 300',
        'near 1400',
        'slow 7200000',
      ]);
    });

    test('openers that lease at once never lease a job twice', async () => {
      await stores.schedule.planJobs(
        key,
        Array.from({ length: 40 }, (_, at) => plan(`t${at}`)),
      );
      const takes = Array.from({ length: 20 }, (_, at) => take(at % 2 ? stores : other, { limit: 3 }));
      const taken = names((await Promise.all(takes)).flat());
      expect(taken).toHaveLength(40);
      expect(new Set(taken).size).toBe(40);
    });

    test('jobs of monitors that are left to other processes are neither taken nor waited for', async () => {
      const { key: another } = await stores.monitors.putMonitor('bob', 'shop', OPTIONS, 1);
      await stores.schedule.planJobs(key, [plan('a')]);
      await stores.schedule.planJobs(another, [plan('b', { firstAt: NOW + 7 })]);
      expect(await take(stores, { except: [key] })).toEqual([]);
      expect(await stores.schedule.nextDueAt([key])).toBe(NOW + 7);
      expect(await stores.schedule.nextDueAt([])).toBe(NOW);
      expect(await stores.schedule.nextDueAt([key, another])).toBeUndefined();
    });

    test('a finished job is due at its next time, recorded alone or with the next lease', async () => {
      await stores.schedule.planJobs(key, [plan('a'), plan('b')]);
      const [a, b] = (await take(stores)) as [ProbeJob, ProbeJob];
      expect(await stores.schedule.nextDueAt([])).toBeUndefined();
      await stores.schedule.finishJobs(done([a], NOW + 1000));
      expect(await take(stores, { now: NOW + 500, finished: done([b], NOW + 400) })).toMatchObject([
        { target: 'b', dueAt: NOW + 400 },
      ]);
      expect(await stores.schedule.listUpcoming(key)).toEqual([
        { target: 'b', sort: 'watch', dueAt: NOW + 400 },
        { target: 'a', sort: 'watch', dueAt: NOW + 1000 },
      ]);
    });

    test('an unchanged plan keeps its time; another interval has another grid; a removed job is deleted', async () => {
      await stores.schedule.planJobs(key, [plan('a'), plan('b'), plan('c')]);
      const moved = { firstAt: NOW + 9, origin: NOW + 9 };
      await other.schedule.planJobs(key, [plan('a', moved), plan('b', { ...moved, everyMs: 2000 })]);
      expect(await stores.schedule.listUpcoming(key)).toEqual([
        { target: 'a', sort: 'watch', dueAt: NOW },
        { target: 'b', sort: 'watch', dueAt: NOW + 9 },
      ]);
      await stores.schedule.planJobs(key, []);
      expect(await stores.schedule.listUpcoming(key)).toEqual([]);
      expect(await take(stores, { now: NOW + 99 })).toEqual([]);
    });

    test('a job that is planned again during its lease is not leased before its end', async () => {
      await stores.schedule.planJobs(key, [plan('a')]);
      const leased = await take(stores);
      await other.schedule.planJobs(key, []);
      expect(await stores.schedule.listUpcoming(key)).toEqual([]);
      const again = { firstAt: NOW + 3, origin: NOW + 3 };
      await other.schedule.planJobs(key, [plan('a', again)]);
      expect(await take(other, { now: NOW + 50 })).toEqual([]);
      await stores.schedule.finishJobs(done(leased, NOW + 1000));
      // Its own next time is that of a plan that has gone.
      expect(names(await take(other, { now: NOW + 50 }))).toEqual(['a']);
    });

    test('a job that is no longer planned is deleted when it ends', async () => {
      await stores.schedule.planJobs(key, [plan('a'), plan('b')]);
      const leased = await take(stores);
      await stores.schedule.planJobs(key, []);
      await stores.schedule.finishJobs(done(leased, NOW + 1000));
      expect(await take(other, { now: NOW + 5000 })).toEqual([]);
      expect(await stores.schedule.listHolders()).toEqual([]);
    });

    test('an expired lease goes to the next process; a late end of the first then changes nothing', async () => {
      await stores.schedule.planJobs(key, [plan('a'), plan('b', { sort: 'survey' })]);
      const leased = await take(stores);
      expect(await other.schedule.listHolders()).toEqual([{ runner: 'here 1 x', until: NOW + 100 }]);
      expect([await other.schedule.hasLeases(NOW + 99), await other.schedule.hasLeases(NOW + 1000)]).toEqual([
        true,
        false,
      ]);
      await other.schedule.releaseExpired('here 1 x', NOW + 101);
      expect(names(await take(other, { now: NOW + 101 }))).toEqual(['a']);
      await stores.schedule.finishJobs(done(leased, NOW + 1000));
      expect(await other.schedule.listHolders()).toEqual([{ runner: 'elsewhere 2 y', until: NOW + 201 }]);
    });

    test('a process frees its own leases when it ends, and not those of other processes', async () => {
      await stores.schedule.planJobs(key, [plan('a'), plan('b')]);
      await take(stores, { limit: 1 });
      await take(other);
      await stores.schedule.releaseLeases();
      expect((await stores.schedule.listHolders()).map(({ runner }) => runner)).toEqual(['elsewhere 2 y']);
      expect(names(await take(other))).toEqual(['a']);
    });

    test('leases that a process does not know of are freed, and jobs that were no longer planned are deleted', async () => {
      await stores.schedule.planJobs(key, [plan('a'), plan('b'), plan('c')]);
      const [known] = await take(stores, { limit: 1 });
      await take(stores);
      await stores.schedule.planJobs(key, [plan('a'), plan('b')]);
      await stores.schedule.releaseLost([known?.id ?? 0]);
      expect(names(await take(other))).toEqual(['a', 'b'].filter((target) => target !== known?.target));
      expect((await stores.schedule.listHolders()).map(({ runner }) => runner).sort()).toEqual([
        'elsewhere 2 y',
        'here 1 x',
      ]);
      expect(await stores.schedule.listUpcoming(key)).toHaveLength(2);
    });

    test('leases of a killed process are freed by another, and jobs that were no longer planned are deleted', async () => {
      const killed = await place.open('killed 3 z');
      await stores.schedule.planJobs(key, [plan('a'), plan('b')]);
      await take(killed);
      await stores.schedule.planJobs(key, [plan('a')]);
      const next = await place.open('next 4 z');
      await next.schedule.releaseLeases('killed 3 z');
      expect(names(await take(next))).toEqual(['a']);
      expect(await next.schedule.listUpcoming(key)).toHaveLength(1);
      expect((await next.schedule.listHolders()).map(({ runner }) => runner)).toEqual(['next 4 z']);
    });
  });
}
