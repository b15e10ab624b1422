import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProbeObservation } from '../../src/monitor/history/history-store.ts';
import { KEPT_DAYS, KEPT_HOURS, MAX_INCIDENTS_PER_MONITOR } from '../../src/monitor/history/history-store.ts';
import { computePercentile } from '../../src/monitor/history/latency.ts';
import type { MonitorStores } from '../../src/monitor/store.ts';
import { type MonitorStoresPlace, OPTIONS } from './monitor-store.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
/** The beginning of a day. */
const DAY_NUMBER = 20_000;
const START = DAY_NUMBER * DAY;

/** What every driver of UptimeStore does. */
export function describeHistoryStore(name: string, makeEmpty: () => Promise<MonitorStoresPlace>): void {
  describe(`${name} as UptimeStore`, () => {
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

    const look = (at: number, change: Partial<ProbeObservation> = {}, target = 't') =>
      stores.history.recordProbe(key, target, { at, up: true, forMs: MINUTE, ...change });

    test('sums probes by hour and by day for each target', async () => {
      await look(START, { ms: 100 });
      await look(START + MINUTE, { up: false, ms: 9 });
      await other.history.recordProbe(key, 't', { at: START + HOUR, up: true, forMs: 30_000, ms: 200 });
      await look(START + HOUR, {}, 'u');
      expect(await other.history.listHours(key, 0, 't')).toMatchObject([
        { target: 't', at: 24 * DAY_NUMBER, looks: 2, upMs: MINUTE, downMs: MINUTE },
        { at: 24 * DAY_NUMBER + 1, looks: 1, upMs: 30_000, downMs: 0 },
      ]);
      const days = await other.history.listDays(key, 0);
      expect(days).toMatchObject([
        { target: 't', at: DAY_NUMBER, looks: 3, upMs: 90_000, downMs: MINUTE },
        { target: 'u', at: DAY_NUMBER, looks: 1 },
      ]);
      expect(await stores.history.listUptime(key, DAY_NUMBER)).toEqual([
        { target: 't', upMs: 90_000, downMs: MINUTE },
        { target: 'u', upMs: MINUTE, downMs: 0 },
      ]);
      expect(await stores.history.listUptime(key, DAY_NUMBER + 1)).toEqual([]);
      expect(await stores.history.listHours(key, 24 * DAY_NUMBER + 1, 't')).toHaveLength(1);
    });

    test('counts response times of successful probes; a past day keeps the counts of its hours', async () => {
      for (const [at, ms] of [100, 100, 100, 5000].entries()) await look(START + at * 6 * HOUR, { ms });
      await look(START + 2 * HOUR, { up: false, ms: 60_000 });
      const [today] = await stores.history.listDays(key, 0);
      expect(today?.times.size).toBe(0);
      await look(START + DAY + 5, { ms: 7 });
      const [over, next] = await other.history.listDays(key, 0);
      expect([...(over?.times.values() ?? [])].reduce((sum, count) => sum + count, 0)).toBe(4);
      expect(computePercentile(over?.times ?? new Map(), 0.5)).toBeCloseTo(100, -1);
      expect(computePercentile(over?.times ?? new Map(), 0.99)).toBeGreaterThan(4700);
      expect(next?.times.size).toBe(0);
    });

    test('the next probe closes a day, however long there was no probe', async () => {
      await look(START, { ms: 100 });
      await look(START + 30 * DAY, { ms: 300 });
      const [first] = await stores.history.listDays(key, 0);
      expect(computePercentile(first?.times ?? new Map(), 1)).toBe(99);
      expect(await stores.history.listHours(key, 0)).toHaveLength(1);
    });

    test('keeps a bounded number of hours and days', async () => {
      for (let hour = 0; hour < KEPT_HOURS + 30; hour += 1) await look(START + hour * HOUR, { ms: hour });
      expect(await stores.history.listHours(key, 0)).toHaveLength(KEPT_HOURS);
      for (let day = 10; day < KEPT_DAYS + 20; day += 1) await look(START + day * DAY);
      const days = await stores.history.listDays(key, 0);
      expect(days).toHaveLength(KEPT_DAYS);
      expect(days.at(-1)?.at).toBe(DAY_NUMBER + KEPT_DAYS + 19);
    });

    test('begins and ends incidents, and keeps a bounded number of incidents', async () => {
      await look(START, { up: false, why: 'it refuses\0 the connection' });
      await look(START + 1, { up: false, why: 'another reason' });
      await look(START + 1, { up: false, why: 'x'.repeat(999) }, 'u');
      expect(await other.history.listOpenIncidents(key)).toEqual(['t', 'u']);
      await look(START + 5);
      const [, ended] = await other.history.listIncidents(key, 9);
      expect(ended).toMatchObject({
        target: 't',
        from: START,
        to: START + 5,
        why: 'it refuses the connection',
      });
      expect(await stores.history.listOpenIncidents(key)).toEqual(['u']);
      await stores.transaction([{ owner: 'ada' }], async ({ history }) => {
        for (let at = 0; at < MAX_INCIDENTS_PER_MONITOR + 5; at += 1) {
          await history.recordProbe(key, 't', { at: START + 10 + 2 * at, up: false, forMs: 1 });
          await history.recordProbe(key, 't', { at: START + 11 + 2 * at, up: true, forMs: 1 });
        }
      });
      const all = await stores.history.listIncidents(key, 9999);
      expect(all).toHaveLength(MAX_INCIDENTS_PER_MONITOR + 1);
      expect(all.find(({ target }) => target === 'u')).toMatchObject({ to: undefined });
      expect(await stores.history.listIncidents(key, 2)).toEqual(all.slice(0, 2));
    });

    test('an incident ends with the last probe before a long gap without probes', async () => {
      await look(START, { up: false });
      await look(START + MINUTE, { up: false });
      await look(START + DAY, { lostAt: START + MINUTE });
      expect(await stores.history.listIncidents(key, 9)).toMatchObject([{ to: START + MINUTE }]);
    });

    test('ends the incidents of targets that are no longer monitored', async () => {
      await look(START, { up: false });
      await look(START, { up: false }, 'u');
      await stores.history.endIncidents(key, START + 9, ['u']);
      expect(await stores.history.listOpenIncidents(key)).toEqual(['t']);
      await stores.history.endIncidents(key, START - 9);
      expect(await stores.history.listIncidents(key, 9)).toMatchObject([{ to: START + 9 }, { to: START }]);
    });

    test('the history is removed with its monitor', async () => {
      const bank = (await stores.monitors.putMonitor('ada', 'bank', OPTIONS, 1)).key;
      await look(START, { up: false });
      await stores.history.recordProbe(bank, 't', { at: START, up: false, forMs: 1 });
      await stores.monitors.removeMonitor(key);
      const left = async (of: number) => [
        (await stores.history.listHours(of, 0)).length,
        (await stores.history.listDays(of, 0)).length,
        (await stores.history.listIncidents(of, 9)).length,
      ];
      expect([await left(key), await left(bank)]).toEqual([
        [0, 0, 0],
        [1, 1, 1],
      ]);
    });
  });
}
