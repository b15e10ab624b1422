import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createDailyQuotaCounter,
  type DailyQuotaCounter,
} from '../../src/access/limits/daily-quota-counter.ts';
import type { CallUsageLog, UsageEntry } from '../../src/access/types.ts';
import { createCallUsageLog } from '../../src/access/usage/usage.ts';
import type { QuotaCount } from '../../src/access/usage/usage-store.ts';
import { createLog } from '../../src/log.ts';

/** When calls are written, and what becomes of those that cannot be; by a clock of the test's own. */

const HOUR = 3_600_000;
const START = Date.UTC(2026, 10, 21, 12);
/** Times of the calls of each write. */
let writes: number[][];
/** What was asked to be deleted: what is older, and beyond how many. */
let deletions: [number, number][];
let asked: unknown[][];
let logged: Record<string, unknown>[];
let fails: { write: boolean; delete: boolean };
let counts: DailyQuotaCounter;
let usage: CallUsageLog;

function start(writeIntervalMs?: number): void {
  const log = createLog('info', (line) => logged.push(JSON.parse(line)));
  const store = {
    async recordCalls(entries: readonly UsageEntry[], _day: number, added: readonly QuotaCount[]) {
      if (fails.write) throw new Error('full');
      writes.push(entries.map(({ at }) => at));
      return [...added];
    },
    async countWithin() {
      return undefined;
    },
    async readCount() {
      return 0;
    },
    async listDays(...wanted: unknown[]) {
      asked.push(wanted);
      return [];
    },
    async listNewestCalls() {
      return [];
    },
    async rememberNetwork() {
      return false;
    },
    async deleteOldUsage(before: number, rows: number) {
      deletions.push([before - Date.now(), rows]);
      if (fails.delete) throw new Error('locked');
    },
  };
  counts = createDailyQuotaCounter(store, Date.now);
  usage = createCallUsageLog({
    store,
    counts,
    keepDays: 30,
    log,
    now: Date.now,
    ...(writeIntervalMs !== undefined && { writeIntervalMs }),
  });
}

beforeEach(() => {
  vi.useFakeTimers({ now: START, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  [writes, deletions, asked, logged] = [[], [], [], []];
  fails = { write: false, delete: false };
  start();
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
function call(at: number): void {
  const who = { credential: 'k1', user: 'ada', address: '' };
  usage.recordCall({ at, ...who, operation: 'list', outcome: 'ok', ms: 1 });
}

test('calls are written together a second after the first, and nothing is written without calls', async () => {
  await pass(5000);
  await usage.flush();
  expect(writes).toEqual([]);
  call(1);
  await pass(600);
  call(2);
  await pass(399);
  expect(writes).toEqual([]);
  await pass(1);
  expect(writes).toEqual([[1, 2]]);
  await pass(5000);
  call(3);
  await pass(1000);
  expect(writes).toEqual([[1, 2], [3]]);
});

test('the interval can be set; a flush writes at once, and leaves nothing for the timer', async () => {
  start(50);
  call(1);
  await pass(10);
  await usage.flush();
  call(2);
  await pass(49);
  expect(writes).toEqual([[1]]);
  await pass(1);
  expect(writes).toEqual([[1], [2]]);
  call(3);
  await usage.close();
  expect(writes).toEqual([[1], [2], [3]]);
});

test('daily counts are written once, also without calls', async () => {
  await counts.countWithin([{ subject: 'k1', what: 'fetches', max: 9 }]);
  await usage.flush();
  await usage.flush();
  expect(writes).toEqual([[]]);
  expect(counts.pending().counts).toEqual([]);
});

test('records that cannot be written are written later, in order and with the counts', async () => {
  fails.write = true;
  await counts.countWithin([{ subject: 'k1', what: 'fetches', max: 9 }]);
  call(1);
  await usage.flush();
  expect(counts.pending().counts).toHaveLength(1);
  call(2);
  await usage.flush();
  const words = 'the record of use cannot be written; it is tried again';
  expect(logged).toMatchObject(Array(2).fill({ level: 'error', msg: words, err: { message: 'full' } }));
  expect(deletions).toEqual([]);
  fails.write = false;
  call(3);
  await usage.flush();
  expect([writes, logged.length]).toEqual([[[1, 2, 3]], 2]);
});

test('twenty thousand calls may wait; the log says once how many later ones are missing', async () => {
  for (let at = 0; at < 20_003; at++) call(at);
  fails.write = true;
  await usage.flush();
  for (let at = 0; at < 2; at++) call(50_000 + at);
  await usage.flush();
  fails.write = false;
  await usage.flush();
  expect(writes[0]).toHaveLength(20_000);
  expect([writes[0]?.[0], writes[0]?.at(-1)]).toEqual([0, 19_999]);
  const missing = () => logged.filter(({ lost }) => lost !== undefined);
  expect(missing()).toMatchObject([
    {
      level: 'error',
      lost: 5,
      msg: 'calls are missing in the record of use: more came than could be written',
    },
  ]);
  call(1);
  await usage.flush();
  expect(missing()).toHaveLength(1);
});

test('calls above the limit are missing even if the write succeeds', async () => {
  for (let at = 0; at < 20_003; at++) call(at);
  await usage.flush();
  expect(writes[0]).toHaveLength(20_000);
  expect(logged).toMatchObject([{ lost: 3 }]);
});

test('calls that arrive during a failing write count as missing above the limit', async () => {
  fails.write = true;
  for (let at = 0; at < 20_000; at++) call(at);
  const writing = usage.flush();
  await Promise.resolve();
  // The write has taken what was pending: there is room for these for now, but not once it has failed.
  for (let at = 0; at < 4; at++) call(90_000 + at);
  await writing;
  fails.write = false;
  await usage.flush();
  expect(writes[0]).toHaveLength(20_000);
  expect(logged.at(-1)).toMatchObject({ lost: 4 });
});

test('old calls are deleted with the first write, and then at most once an hour', async () => {
  const write = async () => {
    call(1);
    await usage.flush();
  };
  await write();
  expect(deletions).toEqual([[-30 * 86_400_000, 5_000_000]]);
  await pass(HOUR);
  await write();
  expect(deletions).toHaveLength(1);
  await pass(1);
  fails.delete = true;
  await write();
  expect(deletions).toHaveLength(2);
  expect(logged).toMatchObject([
    {
      level: 'error',
      msg: 'old records of use cannot be deleted; it is tried again',
      err: { message: 'locked' },
    },
  ]);
});

test('days are listed from the given number of days ago until today', async () => {
  await usage.listDays('k1', 1);
  await usage.listDays('k1', 30);
  const today = Math.floor(START / 86_400_000);
  expect(asked).toEqual([
    ['k1', today],
    ['k1', today - 29],
  ]);
});
