import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { KeyStore } from '../../src/access/keys/key-store.ts';
import type { KeyRecord } from '../../src/access/types.ts';

const MADE_AT = 1_800_000_000_000;

const record = (id: string, more: Partial<KeyRecord> = {}): KeyRecord => ({
  id,
  user: 'ada',
  name: '',
  prefix: 'magpie_abcd',
  scopes: ['read'],
  createdAt: MADE_AT,
  expiresAt: undefined,
  revokedAt: undefined,
  replacedBy: undefined,
  usedAt: undefined,
  ...more,
});

/** An empty store; `open` opens it once more, as another process does. */
export interface KeyPlace {
  open(): Promise<KeyStore>;
  remove(): Promise<void>;
}

/** What every driver of KeyStore does. */
export function describeKeyStore(name: string, makeEmpty: () => Promise<KeyPlace>): void {
  describe(`${name} as KeyStore`, () => {
    let place: KeyPlace;
    let store: KeyStore;
    let other: KeyStore;
    beforeEach(async () => {
      place = await makeEmpty();
      [store, other] = [await place.open(), await place.open()];
    });
    afterEach(() => place.remove());

    const insert = (key: KeyRecord, to = store) => to.insertKey(key, randomBytes(32));
    const ids = async (user?: string, from = store) => (await from.listKeys(user)).map(({ id }) => id);

    test('returns keys as they were inserted, by hash and by id, to both openers', async () => {
      expect([await store.hasKeys(), await other.hasKeys()]).toEqual([false, false]);
      const [first, second] = [randomBytes(32), randomBytes(32)];
      const full = record('k1', { name: `it's "CI" 🐦`, scopes: ['read', 'scan'], expiresAt: 2e12 });
      await store.insertKey(full, first);
      await other.insertKey(record('k2', { user: 'bob', createdAt: MADE_AT + 1 }), second);
      for (const either of [store, other]) {
        expect(await either.hasKeys()).toBe(true);
        expect((await either.findByHash(first))?.key).toEqual(full);
        expect(Buffer.from((await either.findByHash(first))?.hash ?? []).equals(first)).toBe(true);
        expect(await either.findByHash(randomBytes(32))).toBeUndefined();
        expect(await either.findByHash(first.subarray(0, 16))).toBeUndefined();
        expect((await either.findById('k2'))?.user).toBe('bob');
        expect(await either.findById('k3')).toBeUndefined();
        expect(await ids(undefined, either)).toEqual(['k1', 'k2']);
        expect(await ids('bob', either)).toEqual(['k2']);
        expect(await ids('cyd', either)).toEqual([]);
      }
    });

    test('lists the oldest keys first, and keys of one moment by their ids', async () => {
      await insert(record('k3', { createdAt: MADE_AT + 1 }));
      await insert(record('k2', { createdAt: MADE_AT + 2, user: 'bob' }));
      await insert(record('k4'), other);
      await insert(record('k1', { createdAt: MADE_AT + 1 }), other);
      expect(await ids()).toEqual(['k4', 'k1', 'k3', 'k2']);
      expect(await ids('ada', other)).toEqual(['k4', 'k1', 'k3']);
    });

    test('an id and a hash are unique', async () => {
      const hash = randomBytes(32);
      await store.insertKey(record('k1'), hash);
      await expect(insert(record('k1'))).rejects.toThrow();
      await expect(other.insertKey(record('k2'), hash)).rejects.toThrow();
      expect(await ids()).toEqual(['k1']);
    });

    test('revokes one key once and leaves the other keys', async () => {
      await insert(record('k1', { expiresAt: 2e12 }));
      await insert(record('k2'));
      const revoked = record('k1', { expiresAt: 2e12, revokedAt: 5 });
      expect(await other.revokeKey('k1', 5)).toEqual(revoked);
      expect(await store.findById('k1')).toEqual(revoked);
      expect(await store.revokeKey('k1', 9)).toEqual(revoked);
      expect(await store.findById('k2')).toEqual(record('k2'));
      expect(await store.revokeKey('k9', 5)).toBeUndefined();
    });

    test('when one key is revoked several times at once, all calls report the same time', async () => {
      await insert(record('k1'));
      const both = await Promise.all([store.revokeKey('k1', 5), other.revokeKey('k1', 6)]);
      expect(both[0]?.revokedAt).toBe(both[1]?.revokedAt);
      expect([5, 6]).toContain((await store.findById('k1'))?.revokedAt);
    });

    test('replaces a key, which expires at the given time or at its own, whichever is sooner', async () => {
      await insert(record('k1'));
      const at = MADE_AT + 10;
      expect(await store.replaceKey(record('k2'), randomBytes(32), { id: 'k1', at, expiresAt: at + 5 })).toBe(
        true,
      );
      expect(await other.findById('k1')).toEqual(record('k1', { replacedBy: 'k2', expiresAt: at + 5 }));
      await insert(record('k3', { expiresAt: at + 3 }));
      expect(await other.replaceKey(record('k4'), randomBytes(32), { id: 'k3', at, expiresAt: at + 5 })).toBe(
        true,
      );
      expect(await store.findById('k3')).toEqual(record('k3', { replacedBy: 'k4', expiresAt: at + 3 }));
      expect(await ids()).toEqual(['k1', 'k2', 'k3', 'k4']);
    });

    test.each([
      ['revoked', { revokedAt: MADE_AT }],
      ['expired', { expiresAt: MADE_AT + 10 }],
      ['replaced', {}],
      ['unknown', undefined],
    ])('does not replace a key that is %s, and inserts no key', async (state, change) => {
      const at = MADE_AT + 10;
      if (change) await insert(record('k1', { expiresAt: MADE_AT + 100, ...change }));
      if (state === 'revoked') await store.revokeKey('k1', MADE_AT);
      if (state === 'replaced') {
        await store.replaceKey(record('k0'), randomBytes(32), { id: 'k1', at: MADE_AT, expiresAt: at + 50 });
      }
      const before = await store.listKeys();
      const old = { id: 'k1', at, expiresAt: at + 5 };
      expect(await other.replaceKey(record('k2'), randomBytes(32), old)).toBe(false);
      expect(await store.listKeys()).toEqual(before);
    });

    test('replaces and inserts together, or does neither', async () => {
      const hash = randomBytes(32);
      await store.insertKey(record('k1'), hash);
      const old = { id: 'k1', at: MADE_AT, expiresAt: MADE_AT + 9 };
      await expect(store.replaceKey(record('k2'), hash, old)).rejects.toThrow();
      expect(await other.listKeys()).toEqual([record('k1')]);
    });

    test('when one key is replaced many times at once, exactly one call succeeds', async () => {
      await insert(record('k0'));
      const old = { id: 'k0', at: MADE_AT, expiresAt: MADE_AT + 9 };
      const replaced = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          (at % 2 ? store : other).replaceKey(record(`k${at + 1}`), randomBytes(32), old),
        ),
      );
      expect(replaced.filter(Boolean)).toHaveLength(1);
      const winner = `k${replaced.indexOf(true) + 1}`;
      expect((await store.findById('k0'))?.replacedBy).toBe(winner);
      expect(await ids()).toEqual(['k0', winner]);
    });

    test('revokes all keys that are not revoked yet, and returns their number', async () => {
      for (const id of ['k1', 'k2', 'k3']) await insert(record(id));
      await store.revokeKey('k2', 1);
      expect(await other.revokeAllKeys(8)).toBe(2);
      expect((await store.listKeys()).map(({ revokedAt }) => revokedAt)).toEqual([8, 1, 8]);
      expect([await store.revokeAllKeys(9), await store.hasKeys()]).toEqual([0, true]);
    });

    test('the version changes with each change by any opener, and stays without a change', async () => {
      await insert(record('k1'));
      const old = { id: 'k1', at: MADE_AT, expiresAt: MADE_AT + 9 };
      for (const change of [
        () => insert(record('k2'), other),
        () => other.replaceKey(record('k4'), randomBytes(32), old),
        () => store.revokeKey('k1', 6),
        () => other.revokeAllKeys(7),
        () => insert(record('k3')),
      ]) {
        const before = await store.readVersion();
        await store.findById('k1');
        expect(await store.readVersion()).toBe(before);
        await change();
        expect(await store.readVersion()).not.toBe(before);
      }
    });

    test('a stored key remains when its writer exits without closing', async () => {
      const old = { id: 'k1', at: MADE_AT, expiresAt: MADE_AT + 9 };
      await insert(record('k1'));
      await store.replaceKey(record('k2'), randomBytes(32), old);
      await store.revokeKey('k2', 7);
      const later = await place.open();
      expect(await later.listKeys()).toEqual([
        record('k1', { replacedBy: 'k2', expiresAt: MADE_AT + 9 }),
        record('k2', { revokedAt: 7 }),
      ]);
      expect(await later.hasKeys()).toBe(true);
    });
  });
}
