import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { UsageEntry } from '../../src/access/types.ts';
import type { UsageStore } from '../../src/access/usage/usage-store.ts';

const DAY = 86_400_000;
const NOON = Date.UTC(2026, 10, 21, 12);
const TODAY = Math.floor(NOON / DAY);

const entry = (more: Partial<UsageEntry> = {}): UsageEntry => ({
  at: NOON,
  credential: 'k1',
  user: 'ada',
  operation: 'search',
  outcome: 'ok',
  ms: 12,
  address: '192.0.2.1',
  ...more,
});

/** An empty store; `open` opens it once more, as another process does. */
export interface UsagePlace {
  open(): Promise<UsageStore>;
  remove(): Promise<void>;
}

/** What every driver of UsageStore does. */
export function describeUsageStore(name: string, makeEmpty: () => Promise<UsagePlace>): void {
  describe(`${name} as UsageStore`, () => {
    let place: UsagePlace;
    let store: UsageStore;
    let other: UsageStore;
    beforeEach(async () => {
      place = await makeEmpty();
      [store, other] = [await place.open(), await place.open()];
    });
    afterEach(() => place.remove());

    test('returns each call as it was, newest first, by its own credential', async () => {
      const odd = entry({ credential: `o'hara@https://i.example 🐦`, user: '%_', outcome: 'timeout' });
      await store.recordCalls([entry(), entry({ at: NOON + 1, operation: 'insert' }), odd], TODAY, []);
      expect(await other.listNewestCalls('k1', 10)).toEqual([
        entry({ at: NOON + 1, operation: 'insert' }),
        entry(),
      ]);
      expect(await other.listNewestCalls('k1', 1)).toHaveLength(1);
      expect(await other.listNewestCalls(odd.credential, 10)).toEqual([odd]);
      expect(await other.listNewestCalls('k', 10)).toEqual([]);
    });

    test.each([1, 63, 64, 65, 200, 1000])('%i calls at once are all stored, in order', async (count) => {
      const calls = Array.from({ length: count }, (_, at) => entry({ at: NOON + at }));
      await store.recordCalls(calls, TODAY, []);
      expect(await store.listNewestCalls('k1', count + 10)).toEqual(calls.toReversed());
      expect(await store.listDays('k1', TODAY)).toEqual([
        { day: TODAY, operation: 'search', outcome: 'ok', calls: count },
      ]);
    });

    test('counts calls by day, operation and outcome, over writes and openers', async () => {
      const late = entry({ at: NOON + DAY });
      await store.recordCalls([entry(), entry(), entry({ outcome: 'timeout' }), late], TODAY, []);
      await other.recordCalls(
        [entry(), entry({ operation: 'insert' }), entry({ credential: 'k2' })],
        TODAY,
        [],
      );
      expect(await store.listDays('k1', TODAY)).toEqual([
        { day: TODAY, operation: 'insert', outcome: 'ok', calls: 1 },
        { day: TODAY, operation: 'search', outcome: 'ok', calls: 3 },
        { day: TODAY, operation: 'search', outcome: 'timeout', calls: 1 },
        { day: TODAY + 1, operation: 'search', outcome: 'ok', calls: 1 },
      ]);
      expect(await store.listDays('k1', TODAY + 1)).toHaveLength(1);
      expect(await store.listDays('k3', 0)).toEqual([]);
    });

    test('adds up the counts of a day over openers, and returns the sum', async () => {
      const count = (subject: string, much: number) => ({ subject, what: 'fetches', count: much });
      expect(await store.recordCalls([], TODAY, [count('key k1', 3)])).toEqual([count('key k1', 3)]);
      expect(await other.recordCalls([], TODAY, [count('key k1', 2), count('key k2', 1)])).toEqual([
        count('key k1', 5),
        count('key k2', 1),
      ]);
      expect(await store.readCount(TODAY, 'key k1', 'fetches')).toBe(5);
      expect(await store.readCount(TODAY, 'key k1', 'inserts')).toBe(0);
      expect(await store.readCount(TODAY + 1, 'key k1', 'fetches')).toBe(0);
    });

    test('counts within quotas over openers, for all of them or for none', async () => {
      const quotas = (key: number, address: number) => [
        { subject: 'key k1', what: 'fetches', max: key },
        { subject: 'address 192.0.2.1', what: 'fetches', max: address },
      ];
      const counted = await Promise.all(
        Array.from({ length: 10 }, (_, at) => (at % 2 ? store : other).countWithin(TODAY, quotas(7, 9))),
      );
      expect(counted.filter((full) => full === undefined)).toHaveLength(7);
      expect(counted.filter((full) => full?.subject === 'key k1')).toHaveLength(3);
      expect(await store.readCount(TODAY, 'key k1', 'fetches')).toBe(7);
      expect(await store.readCount(TODAY, 'address 192.0.2.1', 'fetches')).toBe(7);
      expect(await other.countWithin(TODAY, quotas(8, 7))).toMatchObject({ subject: 'address 192.0.2.1' });
      expect(await store.readCount(TODAY, 'key k1', 'fetches')).toBe(7);
      expect(await other.countWithin(TODAY + 1, quotas(7, 9))).toBeUndefined();
    });

    test('knows the networks of a credential, the first of which is not new', async () => {
      expect(await store.rememberNetwork('k1', '192.0.2.0/24', NOON)).toBe(false);
      expect(await other.rememberNetwork('k1', '192.0.2.0/24', NOON)).toBe(false);
      expect(await other.rememberNetwork('k1', '198.51.100.0/24', NOON)).toBe(true);
      expect(await store.rememberNetwork('k1', '198.51.100.0/24', NOON)).toBe(false);
      expect(await store.rememberNetwork('k2', '198.51.100.0/24', NOON)).toBe(false);
    });

    test('deletes older calls, and calls beyond the number of rows', async () => {
      const early = entry({ at: NOON - 31 * DAY });
      await store.recordCalls(
        [early, ...Array.from({ length: 10 }, (_, at) => entry({ at: NOON + at }))],
        TODAY,
        [],
      );
      await store.deleteOldUsage(NOON - 30 * DAY, 100);
      expect(await store.listNewestCalls('k1', 100)).toHaveLength(10);
      expect(await store.listDays('k1', 0)).toHaveLength(1);
      await other.deleteOldUsage(0, 4);
      expect((await store.listNewestCalls('k1', 100)).map(({ at }) => at - NOON)).toEqual([9, 8, 7, 6]);
    });

    test('when several openers see a new network at once, one of them reports it', async () => {
      await store.rememberNetwork('k1', '192.0.2.0/24', NOON);
      const reports = await Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          (at % 2 ? store : other).rememberNetwork('k1', '198.51.100.0/24', NOON + at),
        ),
      );
      expect(reports.filter(Boolean)).toHaveLength(1);
    });

    test('openers that write at once lose no call and count every call', async () => {
      const counts = [{ subject: 'key k1', what: 'fetches', count: 1 }];
      const totals = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          (at % 2 ? store : other).recordCalls([entry({ at: NOON + at })], TODAY, counts),
        ),
      );
      expect(totals.map(([total]) => total?.count).sort((a = 0, b = 0) => a - b)).toEqual(
        Array.from({ length: 20 }, (_, at) => at + 1),
      );
      expect(await store.listNewestCalls('k1', 100)).toHaveLength(20);
      expect((await other.listDays('k1', TODAY))[0]?.calls).toBe(20);
    });

    test('stored calls remain when their writer exits without closing', async () => {
      await store.recordCalls([entry()], TODAY, [{ subject: 'key k1', what: 'inserts', count: 2 }]);
      await store.rememberNetwork('k1', '192.0.2.0/24', NOON);
      const later = await place.open();
      expect(await later.listNewestCalls('k1', 10)).toEqual([entry()]);
      expect(await later.readCount(TODAY, 'key k1', 'inserts')).toBe(2);
      expect(await later.rememberNetwork('k1', '192.0.2.0/24', NOON)).toBe(false);
      expect(await later.rememberNetwork('k1', '198.51.100.0/24', NOON)).toBe(true);
    });
  });
}
