import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { generateAccessKey } from '../../../src/access/keys/key.ts';
import { createAccessKeys } from '../../../src/access/keys/keys.ts';
import { createKeyStore } from '../../../src/access/stores/keys.ts';
import type { AccessKeys } from '../../../src/access/types.ts';
import { type Database, openDatabase } from '../../../src/storage/sqlite.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';

/** Keys in the real database. */

const DAY = 86_400_000;
const secret = randomBytes(32);
let folder: ReturnType<typeof temporaryFolder>;
let db: Database;
let keys: AccessKeys;
let now: number;

beforeEach(async () => {
  folder = temporaryFolder();
  db = await openDatabase({ folder: folder.path });
  now = Date.UTC(2026, 10, 21);
  keys = createAccessKeys({ store: createKeyStore(db), secret, now: () => now });
});
afterEach(() => {
  db.close();
  folder.remove();
});

test('a key is found by its exact text only, and never stored in plain text', async () => {
  expect(await keys.hasKeys()).toBe(false);
  const { key, record } = await keys.createKey({ user: 'ada', name: 'laptop', scopes: ['scan', 'read'] });
  expect(await keys.hasKeys()).toBe(true);
  expect(await keys.findKey(key)).toEqual({ record, state: 'active' });
  expect(record).toMatchObject({ user: 'ada', name: 'laptop', scopes: ['read', 'scan'], createdAt: now });
  for (const wrong of [
    '',
    generateAccessKey(),
    key.slice(0, -1),
    `${key}x`,
    key.toLowerCase(),
    record.id,
    record.prefix,
  ]) {
    expect(await keys.findKey(wrong)).toBeUndefined();
  }
  expect(await keys.findKey('x'.repeat(16_000))).toBeUndefined();
  await db.read((sql) => sql.get('PRAGMA wal_checkpoint(TRUNCATE)'));
  const kept = readFileSync(join(folder.path, 'magpie.sqlite'));
  expect(kept.includes(record.prefix)).toBe(true);
  expect(kept.includes(key.slice(7, 30))).toBe(false);
});

test('a copy of the database without the secret accepts no key', async () => {
  const { key } = await keys.createKey({ user: 'ada', scopes: ['read'] });
  const elsewhere = createAccessKeys({ store: createKeyStore(db), secret: randomBytes(32) });
  expect(await elsewhere.findKey(key)).toBeUndefined();
  await expect(elsewhere.getKey(key)).rejects.toThrow('this key was not made here');
});

test('a key ends when it expires, and when it is revoked', async () => {
  const lasting = await keys.createKey({ user: 'ada', scopes: ['read'] });
  const short = await keys.createKey({ user: 'ada', scopes: ['read'], lifetimeMs: 30 * DAY });
  now += 30 * DAY - 1;
  expect((await keys.findKey(short.key))?.state).toBe('active');
  now += 1;
  expect((await keys.findKey(short.key))?.state).toBe('expired');
  expect((await keys.findKey(lasting.key))?.state).toBe('active');
  expect((await keys.revokeKey(lasting.record.id)).revokedAt).toBe(now);
  now += DAY;
  expect((await keys.revokeKey(lasting.record.id)).revokedAt).toBe(now - DAY);
  expect((await keys.findKey(lasting.key))?.state).toBe('revoked');
  expect(await keys.hasKeys()).toBe(true);
});

test('a key is known to a process from its first use until any key changes, by whichever process', async () => {
  const [used, other] = [
    await keys.createKey({ user: 'ada', scopes: ['read'], lifetimeMs: DAY }),
    await keys.createKey({ user: 'bob', scopes: ['read'] }),
  ];
  const unknown = generateAccessKey();
  const known = () => [used.key, other.key, unknown, ''].map(keys.isKnown);
  const use = () => Promise.all([keys.findKey(used.key), keys.findKey(unknown)]);
  expect(known()).toEqual([false, false, false, false]);
  await use();
  expect(known()).toEqual([true, false, false, false]);
  await keys.revokeKey(other.record.id);
  expect(known()).toEqual([false, false, false, false]);
  await use();
  expect(known()).toEqual([true, false, false, false]);
  const second = await openDatabase({ folder: folder.path });
  const elsewhere = createAccessKeys({ store: createKeyStore(second), secret, now: () => now });
  await elsewhere.revokeKey(used.record.id);
  await keys.whenApplied();
  second.close();
  await use();
  expect(known()).toEqual([false, false, false, false]);
  now += 2 * DAY;
  const expired = await keys.createKey({ user: 'ada', scopes: ['read'], lifetimeMs: 1 });
  now += 1;
  await keys.findKey(expired.key);
  expect(keys.isKnown(expired.key)).toBe(false);
});

test('revoke-all counts the newly revoked keys', async () => {
  const made = await Promise.all(
    ['ada', 'bob', 'cyd'].map((user) => keys.createKey({ user, scopes: ['read'] })),
  );
  await keys.revokeKey(made[0]?.record.id ?? '');
  expect(await keys.revokeAllKeys()).toBe(2);
  expect(await keys.revokeAllKeys()).toBe(0);
  expect((await keys.listKeys()).map(({ state }) => state)).toEqual(['revoked', 'revoked', 'revoked']);
  expect((await keys.listKeys('bob')).map(({ record }) => record.user)).toEqual(['bob']);
});

test('rotation creates a key like the old one, which stays valid for the overlap', async () => {
  const old = await keys.createKey({
    user: 'ada',
    name: 'ci',
    scopes: ['read', 'write'],
    lifetimeMs: 90 * DAY,
  });
  now += 80 * DAY;
  const next = await keys.rotateKey(old.record.id, { overlapMs: DAY });
  expect(next.record).toMatchObject({ user: 'ada', name: 'ci', scopes: ['read', 'write'] });
  expect(next.record.expiresAt).toBe(now + 90 * DAY);
  expect(next.key).not.toBe(old.key);
  expect((await keys.getKey(old.record.id)).record).toMatchObject({
    replacedBy: next.record.id,
    expiresAt: now + DAY,
  });
  now += DAY - 1;
  expect([(await keys.findKey(old.key))?.state, (await keys.findKey(next.key))?.state]).toEqual([
    'active',
    'active',
  ]);
  await expect(keys.rotateKey(old.record.id, { overlapMs: 0 })).rejects.toThrow(
    `has been rotated to ${next.record.id}`,
  );
  now += 1;
  expect([(await keys.findKey(old.key))?.state, (await keys.findKey(next.key))?.state]).toEqual([
    'expired',
    'active',
  ]);
  await expect(keys.rotateKey(old.record.id, { overlapMs: 0 })).rejects.toThrow('is expired');

  // An overlap never makes the old one last longer; without a term there is none for the new one.
  now += 89 * DAY - 1000;
  await keys.rotateKey(next.record.id, { overlapMs: DAY });
  expect((await keys.getKey(next.record.id)).record.expiresAt).toBe(next.record.expiresAt);
  const endless = await keys.createKey({ user: 'ada', scopes: ['read'] });
  expect((await keys.rotateKey(endless.record.id, { overlapMs: 0, lifetimeMs: DAY })).record.expiresAt).toBe(
    now + DAY,
  );
  expect((await keys.findKey(endless.key))?.state).toBe('expired');
});

test('a key can be identified by its text, and a typing error differs from an unknown key', async () => {
  const { key, record } = await keys.createKey({ user: 'ada', scopes: ['read'] });
  expect((await keys.getKey(key)).record.id).toBe(record.id);
  expect((await keys.getKey(record.id)).record.id).toBe(record.id);
  const mistyped = `${key.slice(0, 20)}${key[20] === 'a' ? 'b' : 'a'}${key.slice(21)}`;
  await expect(keys.getKey(mistyped)).rejects.toMatchObject({
    code: 'bad_request',
    message: 'invalid API key: checksum mismatch (a character is missing or mistyped)',
  });
  await expect(keys.getKey(generateAccessKey())).rejects.toMatchObject({
    code: 'not_found',
    message: 'this key was not made here; magpie key list shows all keys',
  });
  await expect(keys.revokeKey('knothing')).rejects.toThrow('there is no key "knothing"');
});

test.each([
  [{ user: '', scopes: ['read'] }, 'the user ""'],
  [{ user: 'a\nb', scopes: ['read'] }, 'the user "a\\nb"'],
  [{ user: '\ud800', scopes: ['read'] }, 'the user'],
  [{ user: 'x'.repeat(201), scopes: ['read'] }, '1 to 200 characters'],
  [{ user: 'ada', name: 'a\u001b[31m', scopes: ['read'] }, 'the name'],
  [{ user: 'ada', scopes: [] }, 'read, write, scan, monitor'],
] as const)('an invalid key request is refused: %#', async (wanted, words) => {
  await expect(keys.createKey(wanted)).rejects.toThrow(words);
  expect(await keys.hasKeys()).toBe(false);
});

test('every invalid credential takes the same work: one query by one hash', async () => {
  const hashes: number[] = [];
  const store = createKeyStore(db);
  const counted = {
    ...store,
    findByHash(hash: Buffer) {
      hashes.push(hash.length);
      return store.findByHash(hash);
    },
  };
  const room = createAccessKeys({ store: counted, secret, now: () => now });
  const [ended, revoked] = [
    await room.createKey({ user: 'ada', scopes: ['read'], lifetimeMs: 1 }),
    await room.createKey({ user: 'ada', scopes: ['read'] }),
  ];
  now += 1;
  await room.revokeKey(revoked.record.id);
  for (const wrong of [
    ended.key,
    revoked.key,
    generateAccessKey(),
    revoked.key.slice(0, -1),
    `${revoked.key}x`,
    '',
    'x'.repeat(16_000),
  ]) {
    for (let again = 0; again < 2; again++) {
      hashes.length = 0;
      expect((await room.findKey(wrong))?.state).not.toBe('active');
      expect(hashes).toEqual([32]);
    }
  }
});

test('another process sees each change once the change is reported as done', async () => {
  const other = await openDatabase({ folder: folder.path });
  const theirs = createAccessKeys({ store: createKeyStore(other), secret, now: () => now });
  expect(await theirs.hasKeys()).toBe(false);
  const { key, record } = await keys.createKey({ user: 'ada', scopes: ['read'] });
  await keys.whenApplied();
  expect(await theirs.hasKeys()).toBe(true);
  // Both remember the key by now: what either changes applies to the other with its next read of the version.
  expect([(await keys.findKey(key))?.state, (await theirs.findKey(key))?.state]).toEqual([
    'active',
    'active',
  ]);
  await theirs.revokeKey(record.id);
  expect((await theirs.findKey(key))?.state).toBe('revoked');
  await theirs.whenApplied();
  expect((await keys.findKey(key))?.state).toBe('revoked');
  const next = await keys.createKey({ user: 'ada', scopes: ['read'] });
  expect((await theirs.findKey(next.key))?.state).toBe('active');
  await keys.revokeAllKeys();
  expect((await keys.findKey(next.key))?.state).toBe('revoked');
  await keys.whenApplied();
  expect((await theirs.findKey(next.key))?.state).toBe('revoked');
  other.close();
});

test('many requests in a row take one read of the version, and a change by this process takes none', async () => {
  let reads = 0;
  const store = createKeyStore(db);
  const counted = {
    ...store,
    readVersion() {
      reads++;
      return store.readVersion();
    },
  };
  const room = createAccessKeys({ store: counted, secret });
  const { key, record } = await room.createKey({ user: 'ada', scopes: ['read'] });
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    for (let request = 0; request < 500; request++) expect((await room.findKey(key))?.state).toBe('active');
  } finally {
    vi.useRealTimers();
  }
  expect(reads).toBeLessThanOrEqual(1);
  await room.revokeKey(record.id);
  expect((await room.findKey(key))?.state).toBe('revoked');
});

/** A real store whose reads wait at a gate while it is shut. */
function gatedStore() {
  const store = createKeyStore(db);
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  const calls = { version: 0, hash: 0 };
  return {
    calls,
    shut() {
      gate = Promise.withResolvers<void>();
    },
    open: () => gate.resolve(),
    store: {
      ...store,
      async readVersion() {
        calls.version++;
        const version = await store.readVersion();
        await gate.promise;
        return version;
      },
      async findByHash(hash: Buffer) {
        calls.hash++;
        const found = await store.findByHash(hash);
        await gate.promise;
        return found;
      },
    },
  };
}

test('concurrent requests share one read of the version, and a cached key needs no other read', async () => {
  const { store, calls, shut, open } = gatedStore();
  const room = createAccessKeys({ store, secret });
  const { key } = await room.createKey({ user: 'ada', scopes: ['read'] });
  expect((await room.findKey(key))?.state).toBe('active');
  await wait(20);
  [calls.version, calls.hash] = [0, 0];
  shut();
  const asked = Array.from({ length: 100 }, () => room.findKey(key));
  expect(await Promise.race([Promise.all(asked), setImmediate('waits')])).toBe('waits');
  open();
  expect((await Promise.all(asked)).every((found) => found?.state === 'active')).toBe(true);
  expect(calls).toEqual({ version: 1, hash: 0 });
});

test('a change by this process takes effect at once, even during a read of the version', async () => {
  const { store, shut, open } = gatedStore();
  const room = createAccessKeys({ store, secret });
  const { key, record } = await room.createKey({ user: 'ada', scopes: ['read'] });
  await room.findKey(key);
  await wait(20);
  shut();
  const early = room.findKey(key);
  await setImmediate();
  // The version that is being read is the one before this change.
  const changed = room.revokeAllKeys();
  expect(await changed).toBe(1);
  const late = room.findKey(key);
  open();
  expect((await late)?.state).toBe('revoked');
  await early;
  expect((await room.findKey(key))?.state).toBe('revoked');
  expect((await room.findKey(key))?.record.id).toBe(record.id);
});

test('a record that was read before a revocation is not cached after it', async () => {
  const { store, shut, open } = gatedStore();
  const room = createAccessKeys({ store, secret });
  const { key, record } = await room.createKey({ user: 'ada', scopes: ['read'] });
  expect(await room.hasKeys()).toBe(true);
  shut();
  // Reads the active record, and is held up before it can remember it.
  const early = room.findKey(key);
  await setImmediate();
  const revoking = room.revokeKey(record.id);
  await setImmediate();
  open();
  await Promise.all([early, revoking]);
  expect((await room.findKey(key))?.state).toBe('revoked');
});

test('of two concurrent rotations of one key exactly one succeeds, in one process and in two', async () => {
  const other = await openDatabase({ folder: folder.path });
  const theirs = createAccessKeys({ store: createKeyStore(other), secret, now: () => now });
  for (const second of [keys, theirs]) {
    const { record } = await keys.createKey({ user: 'ada', scopes: ['read'] });
    const before = (await keys.listKeys()).length;
    const rotations = await Promise.allSettled([
      keys.rotateKey(record.id, { overlapMs: DAY }),
      second.rotateKey(record.id, { overlapMs: DAY }),
    ]);
    const [made] = rotations.filter((one) => one.status === 'fulfilled').map(({ value }) => value);
    const [refused] = rotations.filter((one) => one.status === 'rejected').map(({ reason }) => reason);
    expect(refused).toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining(`has been rotated to ${made?.record.id}`),
    });
    expect((await keys.getKey(record.id)).record.replacedBy).toBe(made?.record.id);
    expect(await keys.listKeys()).toHaveLength(before + 1);
  }
  other.close();
});
