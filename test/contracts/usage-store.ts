import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { UsageEntry, UsageStore } from '../../src/access/usage-store.ts';

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

/** What every driver of UsageStore keeps to; `open` gives two stores of the same record, as two processes have them. */
export function usageStoreContract(
  name: string,
  open: () => Promise<{ store: UsageStore; other: UsageStore; close(): Promise<void> }>,
): void {
  describe(`${name} as UsageStore`, () => {
    let store: UsageStore;
    let other: UsageStore;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ store, other, close } = await open());
    });
    afterEach(() => close());

    test('keeps each call as it was, the newest first, and each by its own credential', () => {
      const odd = entry({ credential: `o'hara@https://i.example 🐦`, user: '%_', outcome: 'timeout' });
      store.add([entry(), entry({ at: NOON + 1, operation: 'insert' }), odd], TODAY, []);
      expect(other.newest('k1', 10)).toEqual([entry({ at: NOON + 1, operation: 'insert' }), entry()]);
      expect(other.newest('k1', 1)).toHaveLength(1);
      expect(other.newest(odd.credential, 10)).toEqual([odd]);
      expect(other.newest('k', 10)).toEqual([]);
    });

    test.each([1, 63, 64, 65, 200, 1000])('%i calls at once are all kept, in their order', (count) => {
      const calls = Array.from({ length: count }, (_, at) => entry({ at: NOON + at }));
      store.add(calls, TODAY, []);
      expect(store.newest('k1', count + 10)).toEqual(calls.toReversed());
      expect(store.days('k1', TODAY)).toEqual([
        { day: TODAY, operation: 'search', outcome: 'ok', calls: count },
      ]);
    });

    test('counts calls by day, operation and outcome, over writes and processes', () => {
      const late = entry({ at: NOON + DAY });
      store.add([entry(), entry(), entry({ outcome: 'timeout' }), late], TODAY, []);
      other.add([entry(), entry({ operation: 'insert' }), entry({ credential: 'k2' })], TODAY, []);
      expect(store.days('k1', TODAY)).toEqual([
        { day: TODAY, operation: 'insert', outcome: 'ok', calls: 1 },
        { day: TODAY, operation: 'search', outcome: 'ok', calls: 3 },
        { day: TODAY, operation: 'search', outcome: 'timeout', calls: 1 },
        { day: TODAY + 1, operation: 'search', outcome: 'ok', calls: 1 },
      ]);
      expect(store.days('k1', TODAY + 1)).toHaveLength(1);
      expect(store.days('k3', 0)).toEqual([]);
    });

    test('adds up counts of a day over processes, and gives the sum back', () => {
      const count = (subject: string, much: number) => ({ subject, what: 'fetches', count: much });
      expect(store.add([], TODAY, [count('key k1', 3)])).toEqual([count('key k1', 3)]);
      expect(other.add([], TODAY, [count('key k1', 2), count('key k2', 1)])).toEqual([
        count('key k1', 5),
        count('key k2', 1),
      ]);
      expect(store.counted(TODAY, 'key k1', 'fetches')).toBe(5);
      expect(store.counted(TODAY, 'key k1', 'inserts')).toBe(0);
      expect(store.counted(TODAY + 1, 'key k1', 'fetches')).toBe(0);
    });

    test('knows the networks of a credential, of which the first is none new', () => {
      expect(store.newNetwork('k1', '192.0.2.0/24', NOON)).toBe(false);
      expect(other.newNetwork('k1', '192.0.2.0/24', NOON)).toBe(false);
      expect(other.newNetwork('k1', '198.51.100.0/24', NOON)).toBe(true);
      expect(store.newNetwork('k1', '198.51.100.0/24', NOON)).toBe(false);
      expect(store.newNetwork('k2', '198.51.100.0/24', NOON)).toBe(false);
    });

    test('forgets what is older, and calls beyond the number of rows', () => {
      const early = entry({ at: NOON - 31 * DAY });
      store.add([early, ...Array.from({ length: 10 }, (_, at) => entry({ at: NOON + at }))], TODAY, []);
      store.prune(NOON - 30 * DAY, 100);
      expect(store.newest('k1', 100)).toHaveLength(10);
      expect(store.days('k1', 0)).toHaveLength(1);
      other.prune(0, 4);
      expect(store.newest('k1', 100).map(({ at }) => at - NOON)).toEqual([9, 8, 7, 6]);
    });
  });
}
