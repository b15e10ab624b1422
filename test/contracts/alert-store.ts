import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MonitorStores } from '../../src/monitor/store.ts';
import type { MonitorFinding } from '../../src/monitor/types.ts';
import { type MonitorStoresPlace, OPTIONS } from './monitor-store.ts';

const finding = (fingerprint: string, target = 't') =>
  ({ id: 'reachability/down', title: `it's "down" 🐦`, target, fingerprint }) as MonitorFinding;

/** What every driver of AlertStore does. */
export function describeAlertStore(name: string, makeEmpty: () => Promise<MonitorStoresPlace>): void {
  describe(`${name} as AlertStore`, () => {
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

    const insert = (fingerprint: string, at: number, check = 'c', flapping = false) =>
      stores.alerts.insertAlert(key, check, finding(fingerprint), flapping, at);

    test('returns an alert as it was inserted and changed, to every opener', async () => {
      const id = await insert('f', 5, 'c', true);
      const open = { id, fingerprint: 'f', good: 0, flapping: true };
      expect(await other.alerts.findAlert(id)).toEqual({ ...open, finding: finding('f'), raisedAt: 5 });
      await other.alerts.setGood(id, 3);
      expect(await stores.alerts.listOpenAt(key, 't', 'c')).toEqual([{ ...open, good: 3 }]);
      await stores.alerts.clearAlert(id, 9, 'below_threshold');
      expect(await other.alerts.findAlert(id)).toMatchObject({ clearedAt: 9, reason: 'below_threshold' });
      expect(await other.alerts.listOpenAt(key, 't', 'c')).toEqual([]);
      expect(await other.alerts.findAlert(id + 1)).toBeUndefined();
    });

    test('one problem has one open alert at a time', async () => {
      const first = await insert('f', 1);
      await expect(insert('f', 2)).rejects.toThrow();
      await stores.alerts.clearAlert(first, 3, 'recovered');
      expect(await insert('f', 4)).toBeGreaterThan(first);
    });

    test('lists the open alerts by target and check, and all alerts of a monitor in order', async () => {
      const { key: another } = await stores.monitors.putMonitor('bob', 'shop', OPTIONS, 1);
      const [one, two] = [await insert('a', 1), await insert('b', 1, 'd')];
      await stores.alerts.insertAlert(another, 'c', finding('a'), false, 1);
      const ended = await insert('c', 1);
      await stores.alerts.clearAlert(ended, 2, 'recovered');
      expect((await other.alerts.listOpenAt(key, 't', 'c')).map(({ id }) => id)).toEqual([one]);
      expect(await other.alerts.listOpenAt(key, 'u', 'c')).toEqual([]);
      expect(await other.alerts.listOpen(key)).toEqual([
        { id: one, target: 't', check: 'c' },
        { id: two, target: 't', check: 'd' },
      ]);
      expect([await other.alerts.countOpen(key), await other.alerts.countOpen(another)]).toEqual([2, 1]);
    });

    test('an open alert is listed before ended alerts, however many alerts came after it', async () => {
      const open = await insert('f1', 1);
      for (let at = 2; at < 10; at++) {
        await stores.alerts.clearAlert(await insert(`f${at}`, at), at + 1, 'recovered');
      }
      const later = await insert('f5', 5);
      const listed = await other.alerts.listAlerts(key, 4);
      expect(listed.slice(0, 2).map(({ id }) => id)).toEqual([later, open]);
      expect(listed.slice(2).map(({ raisedAt }) => raisedAt)).toEqual([9, 8]);
    });

    test('counts the raised alerts since a time, without alerts that ended while the problem persisted', async () => {
      for (const [at, reason] of [
        [1, 'recovered'],
        [2, 'recovered'],
        [3, 'monitor_stopped'],
        [4, 'below_threshold'],
      ] as const) {
        await stores.alerts.clearAlert(await insert('f', at), at, reason);
      }
      await insert('f', 5);
      await insert('g', 5);
      const count = (since: number, ...fingerprints: string[]) =>
        other.alerts.countRaised(key, fingerprints, since);
      expect(await count(1, 'f', 'g', 'h')).toEqual(
        new Map([
          ['f', 3],
          ['g', 1],
        ]),
      );
      expect(await count(2, 'f')).toEqual(new Map([['f', 2]]));
      expect(await count(1)).toEqual(new Map());
    });

    test('keeps the newest thousand alerts and every open alert', async () => {
      const open = await insert('open', 0);
      await stores.transaction([{ owner: 'ada' }], async (tx) => {
        for (let at = 1; at <= 1010; at++) {
          const id = await tx.alerts.insertAlert(key, 'c', finding(`f${at}`), false, at);
          await tx.alerts.clearAlert(id, at, 'recovered');
        }
      });
      const kept = await stores.alerts.listAlerts(key, 5000);
      expect(kept.length).toBeLessThanOrEqual(1002);
      expect(kept[0]?.id).toBe(open);
      expect(kept[1]?.raisedAt).toBe(1010);
    });
  });
}
