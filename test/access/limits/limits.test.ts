import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createDailyQuotaCounter,
  type DailyQuotaCounter,
} from '../../../src/access/limits/daily-quota-counter.ts';
import {
  type CallerLimiter,
  createCallerLimiter,
  type LimitRules,
} from '../../../src/access/limits/limits.ts';
import { networkOf } from '../../../src/access/limits/network.ts';
import { createRateLimiter } from '../../../src/access/limits/rate-limiter.ts';
import { createUsageStore } from '../../../src/access/stores/usage.ts';
import { createCallUsageLog } from '../../../src/access/usage/usage.ts';
import type { UsageStore } from '../../../src/access/usage/usage-store.ts';
import type { Caller } from '../../../src/caller.ts';
import { createLog } from '../../../src/log.ts';
import { type Database, openDatabase } from '../../../src/storage/sqlite.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';

/** Limits, with a clock of the test's own. */

const NOON = Date.UTC(2026, 10, 21, 12);
const log = createLog('silent');
let folder: ReturnType<typeof temporaryFolder>;
let db: Database;
let store: UsageStore;
let days: DailyQuotaCounter;
const { signal } = new AbortController();
let now = NOON;
let stored = 0;

beforeEach(async () => {
  folder = temporaryFolder();
  db = await openDatabase({ folder: folder.path });
  store = createUsageStore(db);
  [now, stored] = [NOON, 0];
  days = createDailyQuotaCounter(store, () => now);
});
afterEach(() => {
  db.close();
  folder.remove();
});

function limits(rules: Partial<LimitRules>): CallerLimiter {
  const none = { requests: 0, concurrent: 0, fetches: 0, inserts: 0, bytes: 0 };
  return createCallerLimiter({
    rules: { ...none, ...rules },
    days,
    readStoredBytes: async () => stored,
    now: () => now,
    processorCount: 4,
  });
}
const caller = (credential: string, address = '198.51.100.7'): Caller => {
  return { id: 'ada', via: 'http', scopes: new Set(['read']), credential, address };
};
const READ = { name: 'list', effect: 'read', openWorld: false } as const;
const FETCH = { name: 'search', effect: 'read', openWorld: true } as const;
const INSERT = { name: 'insert', effect: 'write', openWorld: false } as const;

test('a bucket accepts its quota at once, and then at its refill rate', () => {
  const rate = createRateLimiter({ quota: 5, windowMs: 1000, now: () => now });
  const first = Array.from({ length: 6 }, () => rate.countRequest('a'));
  expect(first.map(({ ok, remaining }) => [ok, remaining])).toEqual([
    [true, 4],
    [true, 3],
    [true, 2],
    [true, 1],
    [true, 0],
    [false, 0],
  ]);
  expect(first[5]).toEqual({ ok: false, remaining: 0, resetMs: 1000, waitMs: 200 });
  expect(rate.countRequest('b').ok).toBe(true);
  now += 199;
  expect(rate.countRequest('a')).toMatchObject({ ok: false, waitMs: 1 });
  now += 1;
  expect([rate.countRequest('a').ok, rate.countRequest('a').ok]).toEqual([true, false]);
  now += 1000;
  expect(rate.countRequest('a')).toEqual({ ok: true, remaining: 4, resetMs: 200, waitMs: 0 });
});

test.each([3, 7, 60, 3000])('a quota of %i allows exactly that number despite rounding', (quota) => {
  const rate = createRateLimiter({ quota, windowMs: 60_000, now: () => now });
  const accepted = Array.from({ length: quota + 5 }, () => rate.countRequest('a')).filter(({ ok }) => ok);
  expect(accepted).toHaveLength(quota);
});

test('a rate limit remembers a bounded number of subjects, the most recent ones', () => {
  const rate = createRateLimiter({ quota: 1, windowMs: 1000, maxSubjects: 3, now: () => now });
  for (const subject of ['a', 'b', 'c']) rate.countRequest(subject);
  expect(rate.countRequest('b').ok).toBe(false);
  rate.countRequest('d');
  expect([rate.countRequest('b').ok, rate.countRequest('c').ok, rate.countRequest('d').ok]).toEqual([
    false,
    false,
    false,
  ]);
  expect(rate.countRequest('a').ok).toBe(true);
});

test('a returning subject is remembered longer than subjects in between', () => {
  const rate = createRateLimiter({ quota: 2, windowMs: 1000, maxSubjects: 3, now: () => now });
  for (const subject of ['a', 'b', 'c', 'a', 'a', 'd']) rate.countRequest(subject);
  expect(['c', 'd', 'a', 'b'].map((subject) => rate.countRequest(subject).remaining)).toEqual([0, 0, 0, 1]);
});

test('headers show the remaining requests, and a refusal says when to retry', async () => {
  const { countCredential, countAddress, isAddressSpent } = limits({ requests: 2 });
  const headers: Record<string, string> = {};
  const setHeader = (name: string, value: string) => {
    headers[name] = value;
  };
  const count = (credential: string, user = 'ada') => countCredential({ user, credential }, setHeader);
  await count('k1');
  expect(headers).toEqual({ 'RateLimit-Policy': '"key";q=2;w=60', RateLimit: '"key";r=1;t=30' });
  await count('k1');
  await expect(count('k1')).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfter: 30,
    message:
      'this key has used up its 2 requests a minute (a heavy one counts as several): try again in 30 s',
  });
  expect(headers.RateLimit).toBe('"key";r=0;t=60');
  // One user has four times as many over all keys, in which what was refused does not count.
  for (const key of ['k2', 'k3', 'k4']) for (let i = 0; i < 2; i++) await count(key);
  expect(headers['RateLimit-Policy']).toBe('"key";q=2;w=60');
  await expect(count('k5')).rejects.toThrow('this user has used up its 8 requests a minute');
  expect(headers['RateLimit-Policy']).toBe('"user";q=8;w=60');
  await count('k6', 'bob');
  // One address has four times as many without a valid key, and all of an IPv6 /64 are one.
  for (let i = 0; i < 8; i++) countAddress(`2001:db8::${i}`, setHeader);
  expect(headers['RateLimit-Policy']).toBe('"key";q=2;w=60');
  expect(isAddressSpent('2001:db8:0:0:ffff::1')).toBe(true);
  expect(() => countAddress('2001:db8:0:0:ffff::1', setHeader)).toThrow(
    'this address has used up its 8 requests a minute',
  );
  expect(headers['RateLimit-Policy']).toBe('"address";q=8;w=60');
  expect(isAddressSpent('2001:db8:0:1::1')).toBe(false);
  countAddress('2001:db8:0:1::1', setHeader);
});

test('concurrent calls are counted by key and by user, and released', async () => {
  const { enterCall } = limits({ concurrent: 2 });
  const first = await enterCall(caller('k1'), READ, signal);
  await enterCall(caller('k1'), READ, signal);
  await expect(enterCall(caller('k1'), READ, signal)).rejects.toThrow(
    '2 calls are running, which is the limit at once',
  );
  first();
  await enterCall(caller('k1'), READ, signal);
  for (const key of ['k2', 'k3', 'k4'])
    for (let i = 0; i < 2; i++) await enterCall(caller(key), READ, signal);
  await expect(enterCall(caller('k5', '198.51.100.8'), READ, signal)).rejects.toThrow('8 calls are running');
  await enterCall({ ...caller('k6'), id: 'bob' }, READ, signal);
});

test('daily fetches and inserts are counted over processes, and start again at midnight', async () => {
  const mine = limits({ fetches: 3, inserts: 1 });
  const usage = createCallUsageLog({ store, counts: days, keepDays: 90, log, now: () => now });
  const elsewhere = createDailyQuotaCounter(store, () => now);
  (await mine.enterCall(caller('k1'), FETCH, signal))();
  (await mine.enterCall(caller('k1'), FETCH, signal))();
  await usage.flush();
  expect(await elsewhere.readCount('key k1', 'fetches')).toBe(2);
  expect(await elsewhere.countWithin([{ subject: 'key k1', what: 'fetches', max: 9 }])).toBeUndefined();
  const pending = elsewhere.pending();
  elsewhere.markWritten(pending, await store.recordCalls([], pending.day, pending.counts));
  // What the other process counted is seen with the next write.
  (await mine.enterCall(caller('k1'), INSERT, signal))();
  await usage.flush();
  (await mine.enterCall(caller('k1'), READ, signal))();
  await expect(mine.enterCall(caller('k1'), INSERT, signal)).rejects.toThrow(
    '1 calls of today stored something',
  );
  (await mine.enterCall(caller('k1'), FETCH, signal))();
  await usage.flush();
  await expect(mine.enterCall(caller('k1'), FETCH, signal)).rejects.toMatchObject({ retryAfter: 12 * 3600 });
  await expect(mine.enterCall(caller('k1'), FETCH, signal)).rejects.toThrow('try again in 12 hours');
  now += 12 * 3_600_000;
  (await mine.enterCall(caller('k1'), FETCH, signal))();
});

test('a call that reads many pages counts each as a fetch, until the daily quota is used up', async () => {
  const { enterCall, countFetch } = limits({ fetches: 3 });
  (await enterCall(caller('k1'), FETCH, signal))();
  expect([await countFetch(caller('k1')), await countFetch(caller('k1'))]).toEqual([true, true]);
  expect(await countFetch(caller('k1'))).toBe(false);
  await expect(enterCall(caller('k1'), FETCH, signal)).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await countFetch(caller('k2'))).toBe(true);
  const local = { ...caller('k1'), credential: undefined };
  expect(await Promise.all([1, 2, 3, 4].map(() => countFetch(local)))).toEqual([true, true, true, true]);
});

test('a user over the storage quota cannot store, and can read', async () => {
  const { enterCall } = limits({ bytes: 1000, concurrent: 1 });
  stored = 1000;
  await expect(enterCall(caller('k1'), INSERT, signal)).rejects.toMatchObject({
    code: 'too_large',
    message: '1000 bytes are stored, and the limit is 1000: delete entries or files first',
  });
  (await enterCall(caller('k1'), READ, signal))();
  stored = 999;
  await enterCall(caller('k1'), INSERT, signal);
});

test('an open server has no limits', async () => {
  const { enterCall } = limits({ concurrent: 1, inserts: 1, bytes: 1 });
  const local: Caller = { id: 'ada', via: 'http', scopes: new Set(['read']) };
  for (let i = 0; i < 5; i++) await enterCall(local, INSERT, signal);
});

test.each([
  ['198.51.100.77', '198.51.100.77', '198.51.100.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:0DB8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['::1', '0:0:0:0::/64', '0:0:0::/48'],
  ['::1:2:3:4:5:6', '0:0:1:2::/64', '0:0:1::/48'],
  ['2001:db8::', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ['', '', ''],
])('%s belongs to %s as a client, and to %s as a site', (address, client, site) => {
  expect([networkOf(address, 'client'), networkOf(address, 'site')]).toEqual([client, site]);
});

test('networks stay right when more addresses arrive than are remembered', () => {
  for (let at = 0; at < 10_050; at++) networkOf(`10.1.${at >> 8}.${at & 255}`, 'site');
  expect(networkOf('10.1.0.7', 'site')).toBe('10.1.0.0/24');
  expect(networkOf('10.1.39.200', 'site')).toBe('10.1.39.0/24');
  expect(networkOf('not an address', 'site')).toBe('not an address');
});

test('calls that are counted during a write are written with the next one, and never counted twice', async () => {
  const quota = { subject: 'key k1', what: 'fetches', max: 4 };
  await days.countWithin([quota]);
  const first = days.pending();
  await days.countWithin([quota]);
  days.markWritten(first, await store.recordCalls([], first.day, first.counts));
  expect(await days.readCount('key k1', 'fetches')).toBe(2);
  const second = days.pending();
  expect(second.counts).toEqual([{ subject: 'key k1', what: 'fetches', count: 1 }]);
  // A write that began before midnight says nothing about the new day.
  now += 12 * 3_600_000;
  await days.countWithin([quota]);
  days.markWritten(second, await store.recordCalls([], second.day, second.counts));
  expect(await days.readCount('key k1', 'fetches')).toBe(1);
  expect(await store.readCount(second.day, 'key k1', 'fetches')).toBe(2);
});

test('concurrent calls do not exceed a daily quota that is read from the database', async () => {
  const today = Math.floor(NOON / 86_400_000);
  await store.recordCalls([], today, [{ subject: 'key k1', what: 'fetches', count: 7 }]);
  const { enterCall } = limits({ fetches: 10 });
  const entered = await Promise.allSettled(
    Array.from({ length: 8 }, () => enterCall(caller('k1'), FETCH, signal)),
  );
  expect(entered.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
});

test('without a daily limit any number is accepted, and nothing is counted', async () => {
  const { enterCall } = limits({ concurrent: 9 });
  for (const operation of [FETCH, INSERT]) {
    for (let at = 0; at < 3; at++) (await enterCall(caller('k1'), operation, signal))();
  }
  expect(days.pending().counts).toEqual([]);
});

test.each([
  [1000, '1 s', 1],
  [119_000, '119 s', 119],
  [120_000, '2 minutes', 120],
  [121_000, '3 minutes', 121],
  [7_199_000, '120 minutes', 7199],
  [7_200_000, '2 hours', 7200],
  [7_201_000, '3 hours', 7201],
])(
  '%i ms before midnight a call that the daily quota refuses may be retried in %s',
  async (left, words, seconds) => {
    now = NOON + 12 * 3_600_000 - left;
    const { enterCall } = limits({ inserts: 1 });
    (await enterCall(caller('k1'), INSERT, signal))();
    await expect(enterCall(caller('k1'), INSERT, signal)).rejects.toMatchObject({
      message: `1 calls of today stored something, which is the limit for one day (in UTC): try again in ${words}`,
      retryAfter: seconds,
    });
  },
);

test('a call that the daily quota refuses releases its slot', async () => {
  const { enterCall } = limits({ fetches: 1, concurrent: 1 });
  (await enterCall(caller('k1'), FETCH, signal))();
  await expect(enterCall(caller('k1'), FETCH, signal)).rejects.toThrow(
    '1 calls of today fetched from the web',
  );
  (await enterCall(caller('k1'), READ, signal))();
});
