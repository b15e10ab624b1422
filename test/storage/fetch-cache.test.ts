import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CachedResponse } from '../../src/lib/network/fetch-cache.ts';
import { openFetchCache } from '../../src/storage/fetch-cache.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'magpie-cache-'));
  path = join(folder, 'cache.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function answer(text: string | Uint8Array, rest: Partial<CachedResponse> = {}): CachedResponse {
  return {
    status: 200,
    headers: new Headers({ 'content-type': 'text/plain', etag: '"1"' }),
    vary: {},
    requestedAt: 1,
    receivedAt: 2,
    body: Buffer.from(text),
    ...rest,
  };
}
const textOf = (found: readonly CachedResponse[]) => found.map(({ body }) => Buffer.from(body).toString());
/** Bytes that do not pack. */
function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
}

test('an answer is returned unchanged, also after a restart', async () => {
  const kept = answer('héllo', { status: 404, vary: { accept: null, 'accept-language': 'de' } });
  const first = openFetchCache({ folder, maxBytes: 1e6 });
  await first.put('a', 'http://x.example/', kept);
  await first.close();
  const second = openFetchCache({ folder, maxBytes: 1e6 });
  const [found] = await second.find('a', 'http://x.example/', 1e6);
  expect(found).toMatchObject({ status: 404, vary: kept.vary, requestedAt: 1, receivedAt: 2 });
  expect([...(found?.headers ?? [])]).toEqual([...kept.headers]);
  expect(Buffer.from(found?.body ?? []).toString()).toBe('héllo');
  await second.close();
});

test('answers are separated by scope and address, which are in the file as hashes only', async () => {
  const cache = openFetchCache({ folder, maxBytes: 1e6 });
  await cache.put('alice', 'http://x.example/', answer('one'));
  expect(await cache.find('bob', 'http://x.example/', 1e6)).toEqual([]);
  expect(await cache.find('alice', 'http://x.example/y', 1e6)).toEqual([]);
  await cache.close();
  for (const secret of ['alice', 'x.example']) expect(readFileSync(path, 'latin1')).not.toContain(secret);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a variant replaces the same variant; the newest come first, and only a few are kept', async () => {
  const cache = openFetchCache({ folder, maxBytes: 1e6 });
  for (let i = 0; i < 6; i++)
    await cache.put('a', 'u', answer(`v${i}`, { vary: { accept: `${i}` }, receivedAt: i }));
  await cache.put('a', 'u', answer('again', { vary: { accept: '3' }, receivedAt: 9 }));
  expect(textOf(await cache.find('a', 'u', 1e6))).toEqual(['again', 'v5', 'v4', 'v2']);
  await cache.close();
});

test('an answer longer than requested is not returned, and one that is too large is not stored', async () => {
  const cache = openFetchCache({ folder, maxBytes: 100_000 });
  await cache.put('a', 'u', answer('x'.repeat(2000)));
  expect(await cache.find('a', 'u', 1999)).toEqual([]);
  expect(await cache.find('a', 'u', 2000)).toHaveLength(1);
  await cache.put('a', 'large', answer(noise(30_000)));
  expect(await cache.find('a', 'large', 1e6)).toEqual([]);
  await cache.close();
});

test('the bytes are limited; recently used answers stay', async () => {
  const cache = openFetchCache({ folder, maxBytes: 100_000 });
  for (let i = 0; i < 9; i++) {
    await cache.put('a', `u${i}`, answer(noise(10_000)));
    await new Promise((resolve) => setTimeout(resolve, 2));
    await cache.find('a', 'u0', 1e6);
  }
  await cache.put('a', 'last', answer(noise(15_000)));
  const left = await Promise.all(
    ['u0', 'u1', 'u8', 'last'].map(async (url) => (await cache.find('a', url, 1e6)).length),
  );
  expect(left).toEqual([1, 0, 1, 1]);
  await cache.close();
  const raw = new DatabaseSync(path);
  expect(Number(raw.prepare('SELECT sum(size) AS n FROM answers').get()?.n)).toBeLessThanOrEqual(100_000);
  raw.close();
});

test('concurrent answers are limited too, and so are answers of another process', async () => {
  const bounds = { folder, maxBytes: 1e6, maxEntries: 10 };
  const [one, two] = [openFetchCache(bounds), openFetchCache(bounds)];
  const urls = Array.from({ length: 300 }, (_, at) => `u${at}`);
  await Promise.all(urls.map((url) => one.put('a', url, answer('x'))));
  for (const url of urls) await two.put('a', url, answer('y'));
  await one.put('a', 'last', answer('x'));
  const raw = new DatabaseSync(path);
  expect(Number(raw.prepare('SELECT count(*) AS n FROM answers').get()?.n)).toBeLessThanOrEqual(20);
  raw.close();
  expect(await one.find('a', 'last', 1e6)).toHaveLength(1);
  await one.close();
  await two.close();
});

test('an answer that is replaced repeatedly does not remove others', async () => {
  const cache = openFetchCache({ folder, maxBytes: 1e6, maxEntries: 10 });
  await cache.put('a', 'other', answer('x'));
  for (let at = 0; at < 40; at++) await cache.put('a', 'u', answer(`${at}`));
  expect(await cache.find('a', 'other', 1e6)).toHaveLength(1);
  await cache.close();
});

test('the number of entries is limited', async () => {
  const cache = openFetchCache({ folder, maxBytes: 1e6, maxEntries: 10 });
  for (let i = 0; i < 40; i++) await cache.put('a', `u${i}`, answer('x'));
  await cache.close();
  const raw = new DatabaseSync(path);
  expect(Number(raw.prepare('SELECT count(*) AS n FROM answers').get()?.n)).toBeLessThanOrEqual(10);
  raw.close();
});

test.each([
  ['no database', () => writeFileSync(path, 'this is no database'.repeat(100))],
  [
    'one of another layout',
    () => {
      const raw = new DatabaseSync(path);
      raw.exec('CREATE TABLE answers (a TEXT); INSERT INTO answers VALUES (1); PRAGMA user_version = 99');
      raw.close();
    },
  ],
])('a file that is %s is rebuilt', async (_what, spoil) => {
  spoil();
  const troubles: unknown[] = [];
  const cache = openFetchCache({ folder, maxBytes: 1e6, trouble: (error) => troubles.push(error) });
  await cache.put('a', 'u', answer('one'));
  expect(textOf(await cache.find('a', 'u', 1e6))).toEqual(['one']);
  expect(troubles).toEqual([]);
  await cache.close();
});

test('a file damaged in use is rebuilt, and its answers are not found', async () => {
  const before = openFetchCache({ folder, maxBytes: 1e7 });
  for (let i = 0; i < 20; i++) await before.put('a', `u${i}`, answer(noise(20_000)));
  await before.close();
  const bytes = readFileSync(path);
  writeFileSync(path, Buffer.concat([bytes.subarray(0, 4096), noise(bytes.length - 4096)]));
  const cache = openFetchCache({ folder, maxBytes: 1e7 });
  expect(await cache.find('a', 'u1', 1e6)).toEqual([]);
  await cache.put('a', 'new', answer('kept'));
  expect(textOf(await cache.find('a', 'new', 1e6))).toEqual(['kept']);
  await cache.close();
});

test('a body that differs from the stored one is not returned', async () => {
  const cache = openFetchCache({ folder, maxBytes: 1e6 });
  await cache.put('a', 'u', answer('one'));
  const raw = new DatabaseSync(path);
  raw.exec("UPDATE answers SET body = x'28b52ffd00'");
  raw.close();
  expect(await cache.find('a', 'u', 1e6)).toEqual([]);
  await cache.close();
});

test('where no file can be created nothing is stored, and the log reports it once', async () => {
  const troubles: unknown[] = [];
  mkdirSync(path);
  const cache = openFetchCache({ folder, maxBytes: 1e6, trouble: (error) => troubles.push(error) });
  await cache.put('a', 'u', answer('one'));
  expect(await cache.find('a', 'u', 1e6)).toEqual([]);
  await cache.close();
  expect(troubles).toHaveLength(1);
});

test('two processes share a file, and a writer does not block the other', async () => {
  const [one, two] = [openFetchCache({ folder, maxBytes: 1e6 }), openFetchCache({ folder, maxBytes: 1e6 })];
  await one.put('a', 'u', answer('one'));
  expect(textOf(await two.find('a', 'u', 1e6))).toEqual(['one']);
  const raw = new DatabaseSync(path);
  raw.exec('BEGIN IMMEDIATE');
  await two.put('a', 'v', answer('two'));
  expect(textOf(await two.find('a', 'u', 1e6))).toEqual(['one']);
  raw.exec('COMMIT');
  raw.close();
  expect(await one.find('a', 'v', 1e6)).toEqual([]);
  await one.close();
  await two.close();
  expect(existsSync(path)).toBe(true);
});

test('closing waits for running writes, and calls after it have no effect', async () => {
  const cache = openFetchCache({ folder, maxBytes: 1e6 });
  void cache.put('a', 'u', answer('one'));
  await cache.close();
  expect(await cache.find('a', 'u', 1e6)).toEqual([]);
  const again = openFetchCache({ folder, maxBytes: 1e6 });
  expect(await again.find('a', 'u', 1e6)).toHaveLength(1);
  await again.close();
});
