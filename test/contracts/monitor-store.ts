import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MonitorStores, StoredResult } from '../../src/monitor/store.ts';
import type { MonitorFinding } from '../../src/monitor/types.ts';

/** Stores of the monitor room on empty data; each `open` opens the same data, as another process does. */
export interface MonitorStoresPlace {
  /** `runner` is which process it is: `host pid word`. One that is never closed was killed. */
  open(runner: string): Promise<MonitorStores>;
  remove(): Promise<void>;
}

export const OPTIONS = { threshold: 7, intervalMs: 1000 };

const finding = (id: string): MonitorFinding => ({
  id,
  severity: 'high',
  score: 8,
  title: `it's "down" 🐦`,
  description: '%_',
  fix: 'Mend it.',
  target: 't',
  fingerprint: `f ${id}`,
});

function result(target: string, check: string, change: Partial<StoredResult> = {}): StoredResult {
  return { target, check, at: 5, findings: [], measures: {}, points: {}, ...change };
}

/** What every driver of MonitorStore does, and of transactions over all stores. */
export function describeMonitorStore(name: string, makeEmpty: () => Promise<MonitorStoresPlace>): void {
  describe(`${name} as MonitorStore`, () => {
    let place: MonitorStoresPlace;
    let stores: MonitorStores;
    let other: MonitorStores;
    beforeEach(async () => {
      place = await makeEmpty();
      [stores, other] = [await place.open('here 1 x'), await place.open('elsewhere 2 y')];
    });
    afterEach(() => place.remove());

    const put = (owner: string, id: string, at = 1) => stores.monitors.putMonitor(owner, id, OPTIONS, at);

    test('inserts a monitor, changes its options, and keeps the monitors of owners apart', async () => {
      const made = await put('ada', 'shop');
      expect(made).toMatchObject({ owner: 'ada', id: 'shop', state: 'active', startedAt: 1, ...OPTIONS });
      await put('bob', 'shop', 2);
      await put('ada', 'bank', 3);
      const webhook = 'https://hook.example/';
      const probing = { expect: { status: '404', contains: ["it's"] } };
      const changed = await other.monitors.putMonitor('ada', 'shop', { ...OPTIONS, webhook, probing }, 9);
      expect(changed).toMatchObject({ key: made.key, startedAt: 1, webhook, probing });
      expect((await stores.monitors.listMonitors('ada')).map(({ id }) => id)).toEqual(['bank', 'shop']);
      expect(await stores.monitors.listMonitors('eve')).toEqual([]);
      expect(await stores.monitors.findMonitor('bob', 'bank')).toBeUndefined();
      expect(await stores.monitors.findByKey(made.key)).toEqual(changed);
      expect([
        await stores.monitors.countMonitors('ada'),
        await stores.monitors.countMonitors('eve'),
      ]).toEqual([2, 0]);
    });

    test('lists the active monitors of all owners; a resumed monitor begins again', async () => {
      const [one, two] = [await put('ada', 'shop'), await put('bob', 'bank')];
      await stores.monitors.setTrouble(one.key, 'no longer there');
      await stores.monitors.setState(one.key, 'paused');
      expect((await other.monitors.listActive()).map(({ key }) => key)).toEqual([two.key]);
      expect(await other.monitors.findByKey(one.key)).toMatchObject({
        state: 'paused',
        trouble: 'no longer there',
      });
      expect(await put('ada', 'shop', 7)).toMatchObject({
        state: 'active',
        startedAt: 7,
        trouble: undefined,
      });
      expect((await stores.monitors.listActive()).map(({ key }) => key)).toEqual([one.key, two.key]);
    });

    test('the change number never falls, and increases with a removal', async () => {
      const [one, two] = [(await put('ada', 'one')).key, (await put('ada', 'two')).key];
      const since = (mark: number) => other.monitors.changedSince(mark);
      const { mark } = await since(0);
      expect(await other.monitors.newestMark()).toBe(mark);
      await stores.monitors.markChanged(two);
      expect((await since(mark)).changes).toEqual([{ owner: 'ada', id: 'two' }]);
      const before = (await since(mark)).mark;
      await stores.monitors.removeMonitor(two);
      const removed = await since(before);
      expect(removed.changes).toEqual([{ owner: 'ada', id: 'two' }]);
      expect(removed.mark).toBeGreaterThan(before);
      await stores.monitors.markChanged(one);
      expect((await since(removed.mark)).changes).toEqual([{ owner: 'ada', id: 'one' }]);
      const newest = await stores.monitors.newestMark();
      expect(await since(newest)).toEqual({ mark: newest, changes: [] });
    });

    test('keeps the last result of each check for each target until it is removed', async () => {
      const { key } = await put('ada', 'shop');
      const { key: another } = await put('ada', 'bank');
      const whole = result('t', 'headers', {
        seenAt: 4,
        unseen: `a 'gap'`,
        trouble: 'failed 🐦',
        findings: [finding('headers/csp-missing')],
        measures: { status: 200, zone: 'a' },
        points: { cookies: -5 },
      });
      await stores.monitors.putResult(key, result('t', 'headers'));
      await stores.monitors.putResult(key, whole);
      await stores.monitors.putResult(key, result('t', 'cookies', { at: 9 }));
      await stores.monitors.putResult(another, result('t', 'headers'));
      expect(await other.monitors.findResult(key, 't', 'headers')).toEqual(whole);
      expect(await other.monitors.findResult(key, 't', 'cors')).toBeUndefined();
      expect((await other.monitors.listResults(key)).map(({ check }) => check)).toEqual([
        'cookies',
        'headers',
      ]);
      expect(await other.monitors.listTried(key, 6)).toEqual([{ target: 't', check: 'cookies' }]);
      await stores.monitors.removeResults(key, [{ target: 't', check: 'headers' }]);
      expect(await other.monitors.listTried(key, 0)).toEqual([{ target: 't', check: 'cookies' }]);
      expect(await other.monitors.listTried(another, 0)).toHaveLength(1);
    });

    test('accepts text with a NUL and half a character', async () => {
      const { key } = await put('ada', 'shop');
      await stores.monitors.putResult(key, result('t', 'c', { trouble: 'a\0b', unseen: 'c\ud800' }));
      expect(await stores.monitors.findResult(key, 't', 'c')).toMatchObject({
        trouble: 'ab',
        unseen: 'c\ufffd',
      });
    });

    test('the state of a watched page stays where a result has none, and no list of results has it', async () => {
      const { key } = await stores.monitors.putMonitor('ada', 'page:https://a.example/', OPTIONS, 1);
      await stores.monitors.putResult(key, result('t', 'page'));
      expect(await other.monitors.findResult(key, 't', 'page')).not.toHaveProperty('watched');
      await stores.monitors.putResult(key, result('t', 'page', { watched: '{"known":"ä"}' }));
      await other.monitors.putResult(key, result('t', 'page', { at: 9, unseen: 'it does not answer' }));
      expect(await stores.monitors.findResult(key, 't', 'page')).toMatchObject({
        at: 9,
        watched: '{"known":"ä"}',
      });
      expect((await stores.monitors.listResults(key))[0]).not.toHaveProperty('watched');
    });

    test('a removal deletes everything of a monitor, and nothing of other monitors', async () => {
      const [one, two] = [await put('ada', 'shop'), await put('ada', 'bank')];
      for (const { key } of [one, two]) {
        await stores.monitors.putResult(key, result('t', 'c'));
        await stores.alerts.insertAlert(key, 'c', finding('c/x'), false, 1);
        await stores.schedule.planJobs(key, [
          { target: 't', sort: 'watch', everyMs: 1000, origin: 0, firstAt: 0 },
        ]);
      }
      await other.monitors.removeMonitor(one.key);
      expect(await stores.monitors.findMonitor('ada', 'shop')).toBeUndefined();
      const left = async (key: number) => [
        (await stores.monitors.listResults(key)).length,
        await stores.alerts.countOpen(key),
        (await stores.schedule.listUpcoming(key)).length,
      ];
      expect([await left(one.key), await left(two.key)]).toEqual([
        [0, 0, 0],
        [1, 1, 1],
      ]);
    });

    test('other openers see a transaction whole or not at all, and a failed transaction leaves nothing', async () => {
      const insert = async (tx: MonitorStores) => {
        const { key } = await tx.monitors.putMonitor('ada', 'shop', OPTIONS, 1);
        await tx.transaction([{ owner: 'ada' }], (inner) =>
          inner.alerts.insertAlert(key, 'c', finding('c/x'), false, 1),
        );
        return key;
      };
      const counts = async () => {
        const made = await other.monitors.findMonitor('ada', 'shop');
        return made ? other.alerts.countOpen(made.key) : undefined;
      };
      let meanwhile: Promise<number | undefined> | undefined;
      const failing = stores.transaction([{ owner: 'ada' }], async (tx) => {
        await insert(tx);
        // A driver may have it wait for the end of the transaction.
        meanwhile = counts();
        throw new Error('enough');
      });
      await expect(failing).rejects.toThrow('enough');
      expect([await meanwhile, await counts()]).toEqual([undefined, undefined]);
      await stores.transaction([{ owner: 'ada' }], async (tx) => {
        await insert(tx);
        meanwhile = counts();
      });
      expect([undefined, 1]).toContain(await meanwhile);
      expect(await counts()).toBe(1);
    });

    test('transactions of two openers at once run one after the other', async () => {
      const addIfFew = (from: MonitorStores, id: string) =>
        from.transaction([{ owner: 'ada' }], async (tx) => {
          if ((await tx.monitors.countMonitors('ada')) >= 3) return false;
          await tx.monitors.putMonitor('ada', id, OPTIONS, 1);
          return true;
        });
      const added = await Promise.all(
        Array.from({ length: 8 }, (_, at) => addIfFew(at % 2 ? stores : other, `m${at}`)),
      );
      expect(added.filter(Boolean)).toHaveLength(3);
      expect(await stores.monitors.countMonitors('ada')).toBe(3);
    });

    test('a resolved step stays stored when its process is killed', async () => {
      await put('ada', 'shop');
      const next = await place.open('next 3 z');
      expect(await next.monitors.findMonitor('ada', 'shop')).toMatchObject(OPTIONS);
    });
  });
}
