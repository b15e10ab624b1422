import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeKey } from '../../src/access/key.ts';
import { createKeys, type Keys } from '../../src/access/keys.ts';
import { createSqliteKeyStore } from '../../src/access/stores/sqlite.ts';
import { type Database, openDatabase } from '../../src/storage/sqlite.ts';
import { temporaryFolder } from '../helpers/magpie.ts';

/** Keys in the real database. */

const DAY = 86_400_000;
const secret = randomBytes(32);
let folder: ReturnType<typeof temporaryFolder>;
let db: Database;
let keys: Keys;
let now: number;

beforeEach(async () => {
  folder = temporaryFolder();
  db = await openDatabase({ folder: folder.path });
  now = Date.UTC(2026, 10, 21);
  keys = createKeys({ store: createSqliteKeyStore(db), secret, now: () => now });
});
afterEach(() => {
  db.close();
  folder.remove();
});

test('a key is found by itself, by nothing near it, and never kept as it is', () => {
  expect(keys.any()).toBe(false);
  const { key, record } = keys.create({ user: 'ada', name: 'laptop', scopes: ['scan', 'read'] });
  expect(keys.any()).toBe(true);
  expect(keys.find(key)).toEqual({ record, state: 'active' });
  expect(record).toMatchObject({ user: 'ada', name: 'laptop', scopes: ['read', 'scan'], createdAt: now });
  for (const wrong of [
    '',
    makeKey(),
    key.slice(0, -1),
    `${key}x`,
    key.toLowerCase(),
    record.id,
    record.prefix,
  ]) {
    expect(keys.find(wrong)).toBeUndefined();
  }
  expect(keys.find('x'.repeat(16_000))).toBeUndefined();
  db.run('PRAGMA wal_checkpoint(TRUNCATE)');
  const kept = readFileSync(join(folder.path, 'magpie.sqlite'));
  expect(kept.includes(record.prefix)).toBe(true);
  expect(kept.includes(key.slice(7, 30))).toBe(false);
});

test('a copy of the database without the secret takes no key', () => {
  const { key } = keys.create({ user: 'ada', scopes: ['read'] });
  const elsewhere = createKeys({ store: createSqliteKeyStore(db), secret: randomBytes(32) });
  expect(elsewhere.find(key)).toBeUndefined();
  expect(() => elsewhere.get(key)).toThrow('this key was not made here');
});

test('a key ends at its time, and when it is revoked', () => {
  const lasting = keys.create({ user: 'ada', scopes: ['read'] });
  const short = keys.create({ user: 'ada', scopes: ['read'], lasts: 30 * DAY });
  now += 30 * DAY - 1;
  expect(keys.find(short.key)?.state).toBe('active');
  now += 1;
  expect(keys.find(short.key)?.state).toBe('expired');
  expect(keys.find(lasting.key)?.state).toBe('active');
  expect(keys.revoke(lasting.record.id).revokedAt).toBe(now);
  now += DAY;
  expect(keys.revoke(lasting.record.id).revokedAt).toBe(now - DAY);
  expect(keys.find(lasting.key)?.state).toBe('revoked');
  expect(keys.any()).toBe(true);
});

test('revoke-all counts those that were not revoked', () => {
  const made = ['ada', 'bob', 'cyd'].map((user) => keys.create({ user, scopes: ['read'] }));
  keys.revoke(made[0]?.record.id ?? '');
  expect(keys.revokeAll()).toBe(2);
  expect(keys.revokeAll()).toBe(0);
  expect(keys.list().map(({ state }) => state)).toEqual(['revoked', 'revoked', 'revoked']);
  expect(keys.list('bob').map(({ record }) => record.user)).toEqual(['bob']);
});

test('rotation gives a key like the old one, which holds on for the overlap', () => {
  const old = keys.create({ user: 'ada', name: 'ci', scopes: ['read', 'write'], lasts: 90 * DAY });
  now += 80 * DAY;
  const next = keys.rotate(old.record.id, { overlap: DAY });
  expect(next.record).toMatchObject({ user: 'ada', name: 'ci', scopes: ['read', 'write'] });
  expect(next.record.expiresAt).toBe(now + 90 * DAY);
  expect(next.key).not.toBe(old.key);
  expect(keys.get(old.record.id).record).toMatchObject({ replacedBy: next.record.id, expiresAt: now + DAY });
  now += DAY - 1;
  expect([keys.find(old.key)?.state, keys.find(next.key)?.state]).toEqual(['active', 'active']);
  expect(() => keys.rotate(old.record.id, { overlap: 0 })).toThrow(`has been rotated to ${next.record.id}`);
  now += 1;
  expect([keys.find(old.key)?.state, keys.find(next.key)?.state]).toEqual(['expired', 'active']);
  expect(() => keys.rotate(old.record.id, { overlap: 0 })).toThrow('is expired');

  // An overlap never makes the old one last longer; without a term there is none for the new one.
  now += 89 * DAY - 1000;
  keys.rotate(next.record.id, { overlap: DAY });
  expect(keys.get(next.record.id).record.expiresAt).toBe(next.record.expiresAt);
  const endless = keys.create({ user: 'ada', scopes: ['read'] });
  expect(keys.rotate(endless.record.id, { overlap: 0, lasts: DAY }).record.expiresAt).toBe(now + DAY);
  expect(keys.find(endless.key)?.state).toBe('expired');
});

test('a key may be named by itself, and a typing error is told from an unknown one', () => {
  const { key, record } = keys.create({ user: 'ada', scopes: ['read'] });
  expect(keys.get(key).record.id).toBe(record.id);
  expect(keys.get(record.id).record.id).toBe(record.id);
  const mistyped = `${key.slice(0, 20)}${key[20] === 'a' ? 'b' : 'a'}${key.slice(21)}`;
  expect(() => keys.get(mistyped)).toThrow('its checksum is wrong');
  expect(() => keys.get(makeKey())).toThrow('this key was not made here');
  expect(() => keys.revoke('knothing')).toThrow('there is no key "knothing"');
});

test.each([
  [{ user: '', scopes: ['read'] }, 'the user ""'],
  [{ user: 'a\nb', scopes: ['read'] }, 'the user "a\\nb"'],
  [{ user: '\ud800', scopes: ['read'] }, 'the user'],
  [{ user: 'x'.repeat(201), scopes: ['read'] }, '1 to 200 characters'],
  [{ user: 'ada', name: 'a\u001b[31m', scopes: ['read'] }, 'the name'],
  [{ user: 'ada', scopes: [] }, 'read, write, scan, monitor'],
] as const)('what cannot be kept is refused: %#', (wanted, words) => {
  expect(() => keys.create(wanted)).toThrow(words);
  expect(keys.any()).toBe(false);
});

test('whatever is wrong with a credential, it is the same work: one look-up by one hash', async () => {
  const looked: number[] = [];
  const store = createSqliteKeyStore(db);
  const counted = {
    ...store,
    byHash(hash: Buffer) {
      looked.push(hash.length);
      return store.byHash(hash);
    },
  };
  const room = createKeys({ store: counted, secret, now: () => now });
  const [ended, revoked] = [
    room.create({ user: 'ada', scopes: ['read'], lasts: 1 }),
    room.create({ user: 'ada', scopes: ['read'] }),
  ];
  now += 1;
  room.revoke(revoked.record.id);
  for (const wrong of [
    ended.key,
    revoked.key,
    makeKey(),
    revoked.key.slice(0, -1),
    `${revoked.key}x`,
    '',
    'x'.repeat(16_000),
  ]) {
    for (let again = 0; again < 2; again++) {
      looked.length = 0;
      expect(room.find(wrong)?.state).not.toBe('active');
      expect(looked).toEqual([32]);
    }
  }
});

test('another process sees each change once its maker says that it is done', async () => {
  const other = await openDatabase({ folder: folder.path });
  const theirs = createKeys({ store: createSqliteKeyStore(other), secret, now: () => now });
  expect(theirs.any()).toBe(false);
  const { key, record } = keys.create({ user: 'ada', scopes: ['read'] });
  await keys.heeded();
  expect(theirs.any()).toBe(true);
  // Both have looked, and remember: what either changes holds for the other with its next look.
  expect([keys.find(key)?.state, theirs.find(key)?.state]).toEqual(['active', 'active']);
  theirs.revoke(record.id);
  expect(theirs.find(key)?.state).toBe('revoked');
  await theirs.heeded();
  expect(keys.find(key)?.state).toBe('revoked');
  const next = keys.create({ user: 'ada', scopes: ['read'] });
  expect(theirs.find(next.key)?.state).toBe('active');
  keys.revokeAll();
  expect(keys.find(next.key)?.state).toBe('revoked');
  await keys.heeded();
  expect(theirs.find(next.key)?.state).toBe('revoked');
  other.close();
});

test('many requests at once are one look at the database, and a change of this process needs none', () => {
  let looks = 0;
  const store = createSqliteKeyStore(db);
  const counted = {
    ...store,
    version() {
      looks++;
      return store.version();
    },
  };
  const room = createKeys({ store: counted, secret });
  const { key, record } = room.create({ user: 'ada', scopes: ['read'] });
  const began = performance.now();
  for (let request = 0; request < 500; request++) expect(room.find(key)?.state).toBe('active');
  expect(looks).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - began) / 10));
  room.revoke(record.id);
  expect(room.find(key)?.state).toBe('revoked');
});
