import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { KeyRecord, KeyStore } from '../../src/access/key-store.ts';

const record = (id: string, more: Partial<KeyRecord> = {}): KeyRecord => ({
  id,
  user: 'ada',
  name: '',
  prefix: 'magpie_abcd',
  scopes: ['read'],
  createdAt: 1_800_000_000_000,
  expiresAt: undefined,
  revokedAt: undefined,
  replacedBy: undefined,
  usedAt: undefined,
  ...more,
});

/** What every driver of KeyStore keeps to; `open` gives two stores of the same keys, as two processes have them. */
export function keyStoreContract(
  name: string,
  open: () => Promise<{ store: KeyStore; other: KeyStore; close(): Promise<void> }>,
): void {
  describe(`${name} as KeyStore`, () => {
    let store: KeyStore;
    let other: KeyStore;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ store, other, close } = await open());
    });
    afterEach(() => close());

    test('gives back what was added, by hash and by id, in both processes', () => {
      expect([store.any(), other.any()]).toEqual([false, false]);
      const [first, second] = [randomBytes(32), randomBytes(32)];
      const full = record('k1', { name: `it's "CI" 🐦`, scopes: ['read', 'scan'], expiresAt: 2e12 });
      store.add(full, first);
      other.add(record('k2', { user: 'bob', createdAt: 1_900_000_000_000 }), second);
      for (const either of [store, other]) {
        expect(either.any()).toBe(true);
        expect(either.byHash(first)?.key).toEqual(full);
        expect(Buffer.from(either.byHash(first)?.hash ?? []).equals(first)).toBe(true);
        expect(either.byHash(randomBytes(32))).toBeUndefined();
        expect(either.byHash(first.subarray(0, 16))).toBeUndefined();
        expect(either.byId('k2')?.user).toBe('bob');
        expect(either.byId('k3')).toBeUndefined();
        expect(either.list().map(({ id }) => id)).toEqual(['k1', 'k2']);
        expect(either.list('bob').map(({ id }) => id)).toEqual(['k2']);
        expect(either.list('nobody')).toEqual([]);
      }
    });

    test('an id and a hash are there once', () => {
      const hash = randomBytes(32);
      store.add(record('k1'), hash);
      expect(() => store.add(record('k1'), randomBytes(32))).toThrow();
      expect(() => other.add(record('k2'), hash)).toThrow();
      expect(store.list()).toHaveLength(1);
    });

    test('changes what is named and leaves the rest', () => {
      store.add(record('k1', { expiresAt: 2e12 }), randomBytes(32));
      expect(other.change('k1', { revokedAt: 5 })).toBe(true);
      expect(store.byId('k1')).toEqual(record('k1', { expiresAt: 2e12, revokedAt: 5 }));
      expect(store.change('k1', { expiresAt: 7, replacedBy: 'k2' })).toBe(true);
      expect(other.byId('k1')).toMatchObject({ expiresAt: 7, revokedAt: 5, replacedBy: 'k2' });
      expect(store.change('k9', { revokedAt: 5 })).toBe(false);
    });

    test('adds a key and changes the one that it replaces, or does neither', () => {
      const hash = randomBytes(32);
      store.add(record('k1'), randomBytes(32));
      store.add(record('k2'), hash, { id: 'k1', change: { replacedBy: 'k2', expiresAt: 9 } });
      expect(store.byId('k1')).toMatchObject({ replacedBy: 'k2', expiresAt: 9 });
      const again = { id: 'k2', change: { replacedBy: 'k3', expiresAt: 9 } };
      expect(() => store.add(record('k3'), hash, again)).toThrow();
      expect(store.byId('k2')?.replacedBy).toBeUndefined();
      expect(store.byId('k3')).toBeUndefined();
    });

    test('revokes all that are not, and tells how many', () => {
      for (const id of ['k1', 'k2', 'k3']) store.add(record(id), randomBytes(32));
      store.change('k2', { revokedAt: 1 });
      expect(other.revokeAll(8)).toBe(2);
      expect(store.list().map(({ revokedAt }) => revokedAt)).toEqual([8, 1, 8]);
      expect([store.revokeAll(9), store.any()]).toEqual([0, true]);
    });

    test('has another version after each change, whoever made it, and the same without', () => {
      store.add(record('k1'), randomBytes(32));
      for (const change of [
        () => other.add(record('k2'), randomBytes(32)),
        () => other.change('k1', { expiresAt: 5 }),
        () => store.change('k1', { expiresAt: 6 }),
        () => other.revokeAll(7),
        () => store.add(record('k3'), randomBytes(32)),
      ]) {
        const before = store.version();
        store.byId('k1');
        expect(store.version()).toBe(before);
        change();
        expect(store.version()).not.toBe(before);
      }
    });
  });
}
