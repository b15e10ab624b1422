import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MonitorStores } from '../../src/monitor/store.ts';
import { type MonitorStoresPlace, OPTIONS } from './monitor-store.ts';

/** What every driver of BeatStore does. */
export function describeBeatStore(name: string, makeEmpty: () => Promise<MonitorStoresPlace>): void {
  describe(`${name} as BeatStore`, () => {
    let place: MonitorStoresPlace;
    let stores: MonitorStores;
    let other: MonitorStores;
    let key: number;
    beforeEach(async () => {
      place = await makeEmpty();
      [stores, other] = [await place.open('here 1 x'), await place.open('elsewhere 2 y')];
      key = (await stores.monitors.putMonitor('ada', 'heartbeat:nightly', OPTIONS, 1)).key;
    });
    afterEach(() => place.remove());

    test('a token belongs to one monitor, and a new token replaces the previous one', async () => {
      expect(await stores.beats.hasToken(key)).toBe(false);
      await stores.beats.putToken(key, 'one');
      expect(await other.beats.hasToken(key)).toBe(true);
      expect(await other.beats.recordSignal('one', 1000, 'success')).toEqual({ hash: 'one', key });
      await other.beats.putToken(key, 'two');
      expect(await stores.beats.recordSignal('one', 2000, 'success')).toBeUndefined();
      expect(await stores.beats.recordSignal('two', 3000, 'success')).toEqual({ hash: 'two', key });
      expect(await stores.beats.recordSignal('', 4000, 'fail')).toBeUndefined();
      expect(await other.beats.findBeat(key)).toMatchObject({ at: 3000 });
    });

    test('records starts, successes and failures, and the duration of a job', async () => {
      const none = { at: undefined, failedAt: undefined, beganAt: undefined, tookMs: undefined };
      expect(await stores.beats.findBeat(key)).toEqual(none);
      await stores.beats.putToken(key, 'one');
      expect(await stores.beats.findBeat(key)).toEqual(none);
      await stores.beats.recordSignal('one', 1000, 'start');
      expect(await other.beats.findBeat(key)).toEqual({ ...none, beganAt: 1000 });
      await other.beats.recordSignal('one', 3500, 'fail');
      expect(await stores.beats.findBeat(key)).toEqual({ ...none, failedAt: 3500, tookMs: 2500 });
      await stores.beats.recordSignal('one', 4000, 'start');
      expect(await other.beats.findBeat(key)).toMatchObject({ failedAt: 3500, beganAt: 4000, tookMs: 2500 });
      await stores.beats.recordSignal('one', 4010, 'success');
      expect(await other.beats.findBeat(key)).toEqual({ ...none, at: 4010, tookMs: 10 });
      await stores.beats.recordSignal('one', 5000, 'success');
      expect(await other.beats.findBeat(key)).toEqual({ ...none, at: 5000 });
    });

    test('an end before its start, after the clock was set back, has an unknown duration', async () => {
      await stores.beats.putToken(key, 'one');
      await stores.beats.recordSignal('one', 9000, 'start');
      await stores.beats.recordSignal('one', 8000, 'success');
      expect(await stores.beats.findBeat(key)).toMatchObject({
        at: 8000,
        beganAt: undefined,
        tookMs: undefined,
      });
    });

    test('an end is evaluated at once, and a start is not', async () => {
      await stores.beats.putToken(key, 'one');
      const plan = {
        target: 'heartbeat:nightly',
        sort: 'watch',
        everyMs: 60_000,
        origin: 0,
        firstAt: 1_000_000,
      } as const;
      await stores.schedule.planJobs(key, [plan]);
      const next = async () => (await other.schedule.listUpcoming(key)).map(({ dueAt }) => dueAt);
      await stores.beats.recordSignal('one', 2000, 'start');
      expect(await next()).toEqual([1_000_000]);
      await stores.beats.recordSignal('one', 3000, 'fail');
      expect(await next()).toEqual([3000]);
    });

    test('beats are removed with their monitor', async () => {
      await stores.beats.putToken(key, 'one');
      await stores.monitors.removeMonitor(key);
      expect(await other.beats.hasToken(key)).toBe(false);
      expect(await other.beats.recordSignal('one', 1, 'success')).toBeUndefined();
    });
  });
}
