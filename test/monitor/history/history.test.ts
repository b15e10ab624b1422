import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readHistory } from '../../../src/monitor/history/history.ts';
import { computeCoveredTime, findResponseMs } from '../../../src/monitor/history/history-store.ts';
import {
  computePercentile,
  decodeLatency,
  encodeLatency,
  findLatencyBucket,
  mergeLatencies,
} from '../../../src/monitor/history/latency.ts';
import type { MonitorStores } from '../../../src/monitor/store.ts';
import { createMonitorStores } from '../../../src/monitor/stores/stores.ts';
import type { HistoryWindow } from '../../../src/monitor/types.ts';
import type { Database } from '../../../src/storage/sqlite.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';

/** Uptime and response times over the last hours and days, on a real store. */

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
const START = 20_000 * DAY;

let folder: ReturnType<typeof temporaryFolder>;
let db: Database;
let stores: MonitorStores;
let key: number;
beforeEach(async () => {
  folder = temporaryFolder();
  db = await openTestDatabase({ folder: folder.path });
  stores = createMonitorStores(db, 'here 1 x');
  key = (await stores.monitors.putMonitor('ada', 'shop', { threshold: 7, intervalMs: MINUTE }, START)).key;
});
afterEach(() => {
  db.close();
  folder.remove();
});

/** Looks as the room makes them, each told when the last one was. */
function looker(target = 't', into = stores) {
  let lastAt: number | undefined;
  return async (at: number, up: boolean, ms?: number) => {
    await into.history.recordProbe(key, target, { at, up, ms, ...computeCoveredTime(at, lastAt, MINUTE) });
    lastAt = at;
  };
}

const windowOf = (windows: readonly HistoryWindow[], name: string) =>
  windows.find((one) => one.name === name) as HistoryWindow;

describe('latency', () => {
  test('percentiles are within 4.5% of those of the times themselves', () => {
    for (const share of [0.5, 0.95, 0.99]) {
      const times = Array.from({ length: 5000 }, (_, at) => 2 * 1.0022 ** at);
      const kept = mergeLatencies(times.map((ms) => new Map([[findLatencyBucket(ms), 1]])));
      const exact = times.toSorted((a, b) => a - b)[Math.ceil(share * times.length) - 1] ?? 0;
      expect(Math.abs((computePercentile(kept, share) ?? 0) / exact - 1)).toBeLessThan(0.05);
    }
  });

  test('times beyond the scale go into its first or last bucket', () => {
    expect([findLatencyBucket(0), findLatencyBucket(-4), findLatencyBucket(Number.NaN)]).toEqual([0, 0, 136]);
    expect([findLatencyBucket(1e9), findLatencyBucket(Infinity)]).toEqual([136, 136]);
    expect(computePercentile(new Map(), 0.5)).toBeUndefined();
  });

  test('stored counts are read unchanged, and a truncated pair is dropped', () => {
    const times = new Map([
      [0, 1],
      [53, 127],
      [54, 128],
      [136, 3_000_000],
    ]);
    expect(decodeLatency(encodeLatency(times))).toEqual(times);
    expect(decodeLatency(Uint8Array.of(5, 1, 7, 200))).toEqual(new Map([[5, 1]]));
    expect(decodeLatency(new Uint8Array())).toEqual(new Map());
  });

  test('every kind of target has its response time', () => {
    expect(findResponseMs({ connect_ms: 4, total_ms: 9 })).toBe(9);
    expect(findResponseMs({ connect_ms: 4 })).toBe(4);
    expect(findResponseMs({ up: 1, server: 'x' })).toBeUndefined();
  });
});

describe('history', () => {
  test('a window covers its period: a bad hour of yesterday is in 7 days and not in 24 hours', async () => {
    await stores.transaction([{ owner: 'ada' }], async (bound) => {
      const look = looker('t', bound);
      for (let at = START; at < START + 2 * DAY; at += MINUTE) {
        const isBad = at >= START + 10 * HOUR && at < START + 11 * HOUR;
        await look(at, !isBad, 100);
      }
    });
    const now = START + 2 * DAY - SECOND;
    const { windows, days, incidents } = await readHistory(stores.history, key, ['t'], now);
    expect(windowOf(windows, '24h')).toMatchObject({ uptime: 1, looks: 1440 });
    expect(windowOf(windows, '7d').uptime).toBeCloseTo(47 / 48, 3);
    expect(windowOf(windows, '7d').known).toBeCloseTo(2 / 7, 1);
    expect(windowOf(windows, '90d').uptime).toBeCloseTo(47 / 48, 3);
    expect(windowOf(windows, '90d').known).toBeCloseTo(2 / 90, 2);
    expect(windowOf(windows, '30d')).toMatchObject({ p50: 99, p99: 99, looks: 2880 });
    expect(days).toMatchObject([{ start: START }, { start: START + DAY, uptime: 1 }]);
    expect(incidents).toMatchObject([{ from: START + 10 * HOUR, to: START + 11 * HOUR }]);
  });

  test('time without probes counts neither as up nor as down', async () => {
    const look = looker();
    for (let at = START; at < START + HOUR; at += MINUTE) await look(at, true, 50);
    // The machine is off for ten hours; the site is down when it is back.
    for (let at = START + 11 * HOUR; at < START + 12 * HOUR; at += MINUTE) await look(at, false);
    const { windows } = await readHistory(stores.history, key, ['t'], START + 12 * HOUR);
    expect(windowOf(windows, '24h').uptime).toBeCloseTo(0.5, 1);
    // Two of the 23 hours that the window has so far.
    expect(windowOf(windows, '24h').known).toBeCloseTo(2 / 23, 2);
    const { uptime } = windowOf(windows, '24h');
    expect(uptime).toBeLessThan(0.5);
  });

  test('a probe covers at most one and a half intervals, and the first probe a second', () => {
    expect(computeCoveredTime(START, undefined, MINUTE)).toEqual({ forMs: SECOND });
    expect(computeCoveredTime(START + MINUTE, START, MINUTE)).toEqual({ forMs: MINUTE });
    expect(computeCoveredTime(START + DAY, START, MINUTE)).toEqual({ forMs: 1.5 * MINUTE, lostAt: START });
    // The clock was set back.
    expect(computeCoveredTime(START - DAY, START, MINUTE)).toEqual({ forMs: 0 });
  });

  test('a monitor combines its targets, and a target without data has no figure', async () => {
    const [good, bad] = [looker('good'), looker('bad')];
    for (let at = START; at < START + HOUR; at += MINUTE) {
      await good(at, true, 10);
      await bad(at, false);
    }
    const now = START + HOUR - SECOND;
    const { windows, targets } = await readHistory(stores.history, key, ['good', 'bad', 'new'], now);
    expect(windowOf(windows, '24h')).toMatchObject({ uptime: 0.5, looks: 120, p95: 10 });
    expect(targets.map((one) => windowOf(one.windows, '24h').uptime)).toEqual([1, 0, undefined]);
    expect(targets.map(({ days }) => days.length)).toEqual([1, 1, 0]);
  });

  test('the median response times of 24 hours are given by hour over all targets, without empty hours', async () => {
    const [first, second] = [looker('first'), looker('second')];
    for (let at = START; at < START + 30 * HOUR; at += 10 * MINUTE) {
      const hour = Math.floor((at - START) / HOUR);
      if (hour !== 27) await first(at, true, 10 * (hour + 1));
      if (hour === 29) for (let more = 0; more < 9; more++) await second(at + more, true, 64);
    }
    const { hours } = await readHistory(stores.history, key, ['first', 'second'], START + 30 * HOUR - SECOND);
    expect(hours.map(({ start }) => (start - START) / HOUR)).toEqual(
      Array.from({ length: 24 }, (_, at) => at + 6).filter((hour) => hour !== 27),
    );
    expect(Math.abs((hours[0]?.p50 ?? 0) / 70 - 1)).toBeLessThan(0.05);
    expect(hours.at(-1)?.p50).toBe(64);
  });

  test('history survives a restart, and 90 days of a target probed every five minutes take under 60 kB', async () => {
    const used = () =>
      db.read((sql) => {
        const of = (what: string) =>
          Object.values(sql.get<Record<string, number>>(`PRAGMA ${what}`) ?? {})[0] ?? 0;
        return of('page_size') * (of('page_count') - of('freelist_count'));
      });
    const before = await used();
    await db.transaction(async (inner) => {
      const bound = createMonitorStores(inner, 'here 1 x');
      for (let at = START; at < START + 92 * DAY; at += 5 * MINUTE) {
        const ms = 80 + ((at / MINUTE) % 97);
        await bound.history.recordProbe(key, 'https://shop.example/some/path', {
          at,
          up: true,
          forMs: 5 * MINUTE,
          ms,
        });
      }
    });
    const size = (await used()) - before;
    db.close();
    expect(size).toBeGreaterThan(10_000);
    expect(size).toBeLessThan(60_000);
    db = await openTestDatabase({ folder: folder.path });
    stores = createMonitorStores(db, 'here 1 y');
    const now = START + 92 * DAY - SECOND;
    const { windows, days } = await readHistory(stores.history, key, ['https://shop.example/some/path'], now);
    expect(windows.map(({ uptime, known }) => [uptime, known > 0.99])).toEqual(windows.map(() => [1, true]));
    expect(days).toHaveLength(90);
  });
});
