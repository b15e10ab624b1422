import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createKeyCache } from '../../../src/access/keys/keys.ts';
import type { KeyRecord } from '../../../src/access/types.ts';

/** When the store is asked, and what is forgotten when; by a clock of the test's own. */

let version: string;
let made: boolean;
let asked: string[];
/** What a read of the version waits for. */
let gate: Promise<void>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  [version, made, asked] = ['1', false, []];
  gate = Promise.resolve();
});
afterEach(() => {
  vi.useRealTimers();
});

const create = () =>
  createKeyCache({
    async readVersion() {
      asked.push('version');
      const read = version;
      await gate;
      return read;
    },
    async hasKeys() {
      asked.push('keys');
      return made;
    },
  });
const record = (id: string) => ({ id }) as KeyRecord;
const active = () => true;
const later = (ms: number) => vi.advanceTimersByTime(ms);

test('the version is read again after ten milliseconds, by one read for all concurrent requests', async () => {
  const cache = create();
  await Promise.all([cache.refresh(), cache.refresh()]);
  expect(asked).toEqual(['version', 'keys']);
  later(9);
  expect(cache.refresh()).toBeUndefined();
  later(1);
  await cache.refresh();
  later(10);
  await cache.refresh();
  expect(asked).toEqual(['version', 'keys', 'version', 'version']);
});

test('the existence of any key is read with each new version, until a key exists', async () => {
  const cache = create();
  await cache.refresh();
  expect(cache.anyMade()).toBe(false);
  [version, made] = ['2', true];
  later(10);
  await cache.refresh();
  expect(cache.anyMade()).toBe(true);
  version = '3';
  later(10);
  await cache.refresh();
  expect(asked.filter((what) => what === 'keys')).toHaveLength(2);
});

test('the cache is cleared with a new version, and with a change by this process, failed or not', async () => {
  const cache = create();
  await cache.refresh();
  const load = () => cache.load('a', async () => ({ key: record('k1') }), active);
  await load();
  later(10);
  await cache.refresh();
  expect(cache.get('a')?.id).toBe('k1');
  version = '2';
  later(10);
  await cache.refresh();
  expect(cache.get('a')).toBeUndefined();
  await load();
  expect(await cache.change(async () => 7)).toBe(7);
  expect(cache.get('a')).toBeUndefined();
  await load();
  await expect(cache.change(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  expect(cache.get('a')).toBeUndefined();
  // The version is read at once after a change, however new the last read is.
  asked.length = 0;
  await cache.refresh();
  expect(asked).toEqual(['version']);
});

test('only active records are cached, and none that was read before a change', async () => {
  const cache = create();
  const found = { key: record('k1') };
  expect(
    await cache.load(
      'ended',
      async () => found,
      () => false,
    ),
  ).toBe(found);
  expect(await cache.load('none', async () => undefined, active)).toBeUndefined();
  const slow = Promise.withResolvers<typeof found>();
  const loading = cache.load('late', () => slow.promise, active);
  await cache.change(async () => {});
  slow.resolve(found);
  expect(await loading).toBe(found);
  expect(['ended', 'none', 'late'].map((name) => cache.get(name))).toEqual([undefined, undefined, undefined]);
});

test('a version that was being read during a change is not used', async () => {
  const cache = create();
  const held = Promise.withResolvers<void>();
  gate = held.promise;
  const early = cache.refresh();
  await cache.change(async () => {
    version = '2';
  });
  gate = Promise.resolve();
  held.resolve();
  await early;
  await cache.load('a', async () => ({ key: record('k1') }), active);
  // Read again at once, and not mistaken for the one before.
  asked.length = 0;
  await cache.refresh();
  expect(asked).toContain('version');
  await cache.load('a', async () => ({ key: record('k1') }), active);
  later(10);
  await cache.refresh();
  expect(cache.get('a')?.id).toBe('k1');
});

test('ten thousand keys are cached; beyond that the cache is cleared at the next read of the version', async () => {
  const cache = create();
  await cache.refresh();
  const fill = async (from: number, to: number) => {
    for (let at = from; at < to; at++) await cache.load(`${at}`, async () => ({ key: record('k') }), active);
    later(10);
    await cache.refresh();
  };
  await fill(0, 9999);
  expect(cache.get('0')?.id).toBe('k');
  await fill(9999, 10_000);
  expect(cache.get('0')).toBeUndefined();
});
