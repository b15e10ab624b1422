import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDailyQuotaCounter } from '../../src/access/limits/daily-quota-counter.ts';
import { createCallerLimiter } from '../../src/access/limits/limits.ts';
import { createRateLimiter } from '../../src/access/limits/rate-limiter.ts';
import { createUsageStore } from '../../src/access/stores/usage.ts';
import { type Database, openDatabase } from '../../src/storage/sqlite.ts';
import { temporaryFolder } from '../helpers/magpie.ts';

/** What requests cost beyond themselves: bytes, members, processor time, memory. */

const MINUTE_MS = 60_000;
let folder: ReturnType<typeof temporaryFolder>;
let db: Database;
let now: number;

beforeEach(async () => {
  folder = temporaryFolder();
  db = await openDatabase({ folder: folder.path });
  now = 1_000_000_000;
});
afterEach(() => {
  db.close();
  folder.remove();
});

function limitsOf(requests: number, processors = 4) {
  const rules = { requests, concurrent: 0, fetches: 0, inserts: 0, bytes: 0 };
  const days = createDailyQuotaCounter(createUsageStore(db), () => now);
  const limits = createCallerLimiter({
    rules,
    days,
    readStoredBytes: async () => 0,
    now: () => now,
    processorCount: processors,
  });
  const headers = new Map<string, string>();
  const setHeader = (name: string, value: string) => headers.set(name, value);
  const left = () => Number(/r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1]);
  return { limits, headers, setHeader, left };
}
const caller = (credential: string, user = 'ada') => ({ user, credential });

describe('a rate', () => {
  const rateOf = (quota: number) => createRateLimiter({ quota, windowMs: 1000, now: () => now });

  test('counts several requests at once, all or none, and never more than the quota', () => {
    const rate = rateOf(10);
    expect(rate.countRequest('a', 4)).toMatchObject({ ok: true, remaining: 6, resetMs: 400 });
    expect(rate.countRequest('a', 7)).toMatchObject({ ok: false, waitMs: 100 });
    expect(rate.countRequest('a', 6)).toMatchObject({ ok: true, remaining: 0 });
    expect(rate.countRequest('b', 1000)).toMatchObject({ ok: true, remaining: 0, resetMs: 1000 });
  });

  test('a cost is always counted, also in parts, and at most a whole quota is owed', () => {
    const rate = rateOf(10);
    expect(rate.addCost('a', 0.5)).toMatchObject({ remaining: 9, resetMs: 50 });
    expect(rate.addCost('a', 12)).toMatchObject({ ok: true, remaining: 0, resetMs: 1250 });
    expect(rate.countRequest('a')).toMatchObject({ ok: false, waitMs: 350 });
    expect(rate.addCost('a', 1e9)).toMatchObject({ resetMs: 2000 });
    now += 1100;
    expect(rate.countRequest('a')).toMatchObject({ ok: true, remaining: 0 });
    expect(rate.countRequest('a').ok).toBe(false);
  });
});

describe('limits', () => {
  test('a request counts once more for each 100 kB and each 1,000 members of its body, and for each message of a batch', async () => {
    const { limits, headers, setHeader, left } = limitsOf(100);
    limits.countWork(caller('k1'), { bytes: 99_999 }, setHeader);
    expect(headers.size).toBe(0);
    await limits.countCredential(caller('k1'), setHeader);
    expect(left()).toBe(99);
    limits.countWork(caller('k1'), { bytes: 99_999, members: 999 }, setHeader);
    expect(left()).toBe(99);
    limits.countWork(caller('k1'), { bytes: 350_000, members: 2500 }, setHeader);
    expect(left()).toBe(94);
    limits.countWork(caller('k1'), { requests: 4 }, setHeader);
    expect(left()).toBe(90);
    expect(() => limits.countWork(caller('k1'), { bytes: 9_900_000 }, setHeader)).toThrow(
      'this key has used up its 100 requests a minute (a heavy one counts as several): try again in 6 s',
    );
    limits.countWork(caller('k2'), { bytes: 350_000 }, setHeader);
    expect(left()).toBe(97);
  });

  test('the work of all keys of a user counts for the user, and for no other one', async () => {
    const { limits, setHeader } = limitsOf(10);
    for (const key of ['a', 'b', 'c', 'd']) limits.countWork(caller(key), { bytes: 1_000_000 }, setHeader);
    await expect(limits.countCredential(caller('e'), setHeader)).rejects.toThrow(
      'this user has used up its 40 requests',
    );
    await limits.countCredential(caller('f', 'bob'), setHeader);
  });

  test('half of the processors for a minute equal a quota, and the headers show it', async () => {
    const { limits, headers, setHeader, left } = limitsOf(100);
    const meter = limits.createMeter(caller('k1'), 'key', setHeader);
    // Four processors: two of them for a minute are 120 s, of which a hundredth is 1.2 s.
    meter(1200);
    expect([left(), headers.get('RateLimit-Policy')]).toEqual([99, '"key";q=100;w=60']);
    meter(600);
    meter(600);
    expect(left()).toBe(98);
    await limits.countCredential(caller('k1'), setHeader);
    expect(left()).toBe(97);
    const single = limitsOf(100, 1);
    single.limits.createMeter(caller('k1'), 'key', single.setHeader)(6000);
    expect(single.left()).toBe(90);
  });

  test('the memory held for a request counts beside its processor time', () => {
    const { limits, setHeader, left } = limitsOf(100);
    limits.createMeter(caller('k1'), 'key', setHeader)(1200, 500_000_000);
    expect(left()).toBe(97);
  });

  test('one request counts as half a quota at most; after several larger ones the caller waits', async () => {
    const { limits, setHeader, left } = limitsOf(100);
    limits.createMeter(caller('k1'), 'key', setHeader)(100 * MINUTE_MS);
    expect(left()).toBe(50);
    const meter = limits.createMeter(caller('k2'), 'key', setHeader);
    for (let at = 0; at < 3; at++) meter(48_000);
    expect(left()).toBe(50);
    limits.createMeter(caller('k1'), 'key', setHeader)(0);
    await limits.countCredential(caller('k1'), setHeader);
    for (let at = 0; at < 2; at++) limits.createMeter(caller('k1'), 'key', setHeader)(100 * MINUTE_MS);
    expect(left()).toBe(0);
    await expect(limits.countCredential(caller('k1'), setHeader)).rejects.toThrow('try again in 32 s');
    now += 40_000;
    await limits.countCredential(caller('k1'), setHeader);
  });

  test('a user at the upload page has a separate quota, and without limits nothing is counted', () => {
    const { limits, headers, setHeader } = limitsOf(100);
    limits.createMeter(caller('page:ada'), 'page', setHeader)(1200);
    expect(headers.get('RateLimit')).toBe('"page";r=99;t=1');
    limits.countPageUser('ada', setHeader);
    expect(headers.get('RateLimit')).toBe('"page";r=98;t=2');
    for (let at = 0; at < 98; at++) limits.countPageUser('ada', setHeader);
    expect(() => limits.countPageUser('ada', setHeader)).toThrow('this page has used up its 100 requests');
    limits.countPageUser('bob', setHeader);
    const without = limitsOf(0);
    without.limits.createMeter(caller('k1'), 'key', without.setHeader)(1e9);
    without.limits.countWork(caller('k1'), { bytes: 1e9 }, without.setHeader);
    expect(without.headers.size).toBe(0);
  });
});
