import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AppGrant, GrantStore, GrantToken } from '../../src/access/grants/grant-store.ts';
import type { KeyStore } from '../../src/access/keys/key-store.ts';

const AT = 1_800_000_000_000;

const grant = (id: string, more: Partial<AppGrant> = {}): AppGrant => ({
  id,
  user: 'ada',
  keyId: 'k1',
  clientId: 'https://app.example/client.json',
  clientName: `it's "an app" 🐦`,
  redirectUri: 'https://app.example/back?x=1',
  challenge: 'c'.repeat(43),
  scopes: ['read', 'write'],
  createdAt: AT,
  usedAt: AT,
  expiresAt: AT + 60_000,
  ...more,
});

const token = (hash: string, kind: GrantToken['kind'], expiresAt = AT + 60_000) => ({
  hash,
  kind,
  expiresAt,
});
const code = (id: string) => token(`code of ${id}`, 'code');
const next = (name: string, at = AT) => [
  token(`access ${name}`, 'access', at + 3_600_000),
  token(`refresh ${name}`, 'refresh', at + 86_400_000),
];

export interface GrantStores {
  readonly grants: GrantStore;
  readonly keys: KeyStore;
}

/** An empty store; `open` opens it once more, as another process does. */
export interface GrantPlace {
  open(): Promise<GrantStores>;
  remove(): Promise<void>;
}

/** What every driver of GrantStore does. */
export function describeGrantStore(name: string, makeEmpty: () => Promise<GrantPlace>): void {
  describe(`${name} as GrantStore`, () => {
    let place: GrantPlace;
    let keys: KeyStore;
    let store: GrantStore;
    let other: GrantStore;
    beforeEach(async () => {
      place = await makeEmpty();
      ({ keys, grants: store } = await place.open());
      ({ grants: other } = await place.open());
      for (const [id, user] of [
        ['k1', 'ada'],
        ['k2', 'bob'],
      ] as const)
        await insertKey(id, user);
    });
    afterEach(() => place.remove());

    const insertKey = (id: string, user: string, expiresAt?: number) =>
      keys.insertKey(
        {
          ...{
            id,
            user,
            name: '',
            prefix: 'magpie_abcd',
            scopes: ['read'] as const,
            createdAt: AT,
            expiresAt,
          },
          ...{ revokedAt: undefined, replacedBy: undefined, usedAt: undefined },
        },
        Buffer.from(id.padEnd(32)),
      );
    const insert = (one: AppGrant, most = 10) => store.insertGrant(one, code(one.id), most);
    const redeem = (hash: string, id: string, made: readonly GrantToken[], at = AT, graceMs = 0, most = 10) =>
      store.redeemToken(hash, id, { at, graceMs, tokens: made, most });
    const listed = async (user: string, at = AT, from = store) =>
      (await from.listGrants(user, at)).map(({ id }) => id);

    test('returns a grant as it was inserted, by the hashes of its tokens, to both openers', async () => {
      await insert(grant('g1'));
      expect(await redeem('code of g1', 'g1', next('a'))).toBe('done');
      for (const either of [store, other]) {
        expect(await either.findToken('code of g1', AT)).toMatchObject({ token: code('g1') });
        const found = await either.findToken('access a', AT);
        expect(found?.token).toEqual(token('access a', 'access', AT + 3_600_000));
        expect(found?.grant).toEqual(grant('g1', { usedAt: AT, expiresAt: AT + 86_400_000 }));
        expect(await either.findToken('access b', AT)).toBeUndefined();
        expect(await either.hasGrant('g1', AT)).toBe(true);
        expect(await either.hasGrant('g1', AT + 86_400_000)).toBe(false);
        expect(await either.hasGrant('g2', AT)).toBe(false);
      }
    });

    test('a grant is listed for its user from its first redemption until it expires', async () => {
      await insert(grant('g1'));
      expect(await listed('ada')).toEqual([]);
      await redeem('code of g1', 'g1', next('a'));
      await insert(grant('g0', { createdAt: AT + 1 }));
      await redeem('code of g0', 'g0', next('b'));
      expect(await listed('ada', AT, other)).toEqual(['g1', 'g0']);
      expect([await listed('bob'), await listed('ada', AT + 86_400_000)]).toEqual([[], []]);
    });

    test('a token is redeemed once, or again within the grace, also by two openers at once', async () => {
      await insert(grant('g1'));
      const both = await Promise.all(
        [store, other].map((one, at) =>
          one.redeemToken('code of g1', 'g1', { at: AT, graceMs: 0, tokens: next(`${at}`), most: 10 }),
        ),
      );
      expect(both.toSorted()).toEqual(['done', 'used']);
      const [won] = both[0] === 'done' ? ['0'] : ['1'];
      const again = async (made: string, at: number) =>
        redeem(`refresh ${won}`, 'g1', next(made, at), at, 1000);
      expect(await again('b', AT + 5)).toBe('done');
      expect(await again('c', AT + 1004)).toBe('done');
      expect(await again('d', AT + 1005)).toBe('used');
      expect(await store.findToken('access d', AT)).toBeUndefined();
      expect(await redeem(`refresh ${won}`, 'g2', next('e'))).toBe('used');
    });

    test('a grant with many access tokens that are valid gets no more', async () => {
      await insert(grant('g1'));
      await redeem('code of g1', 'g1', next('a'), AT, 0, 1);
      expect(await redeem('refresh a', 'g1', next('b'), AT, 0, 1)).toBe('busy');
      expect(await store.findToken('refresh b', AT)).toBeUndefined();
      expect(await redeem('refresh a', 'g1', next('b', AT + 3_600_000), AT + 3_600_000, 0, 1)).toBe('done');
    });

    test('the key of a grant ends it, by its expiry or its revocation, and no other grant', async () => {
      await insertKey('k3', 'ada', AT + 10);
      for (const one of [
        grant('g1'),
        grant('g2', { keyId: 'k2', user: 'bob' }),
        grant('g3', { keyId: 'k3' }),
      ]) {
        await insert(one);
        await redeem(`code of ${one.id}`, one.id, next(one.id));
      }
      const isThere = async (id: string, at = AT) => [
        await store.hasGrant(id, at),
        (await store.findToken(`access ${id}`, at)) !== undefined,
      ];
      expect([await isThere('g3', AT + 9), await isThere('g3', AT + 10)]).toEqual([
        [true, true],
        [false, false],
      ]);
      await keys.revokeKey('k1', AT);
      expect([await isThere('g1'), await isThere('g2')]).toEqual([
        [false, false],
        [true, true],
      ]);
      expect([await listed('ada', AT + 10), await listed('bob')]).toEqual([[], ['g2']]);
    });

    test('a grant that is deleted takes its tokens along, and only its user can delete it', async () => {
      await insert(grant('g1'));
      await redeem('code of g1', 'g1', next('a'));
      expect(await store.deleteGrant('g1', 'bob')).toBe(false);
      expect(await other.hasGrant('g1', AT)).toBe(true);
      expect(await other.deleteGrant('g1', 'ada')).toBe(true);
      expect(await store.deleteGrant('g1')).toBe(false);
      expect(await store.findToken('access a', AT)).toBeUndefined();
      expect(await redeem('refresh a', 'g1', next('b'))).toBe('used');
    });

    test('a user with too many grants loses those that were unused longest', async () => {
      await insert(grant('g0', { user: 'bob', keyId: 'k2', usedAt: AT - 9 }), 2);
      for (const [id, usedAt] of [
        ['g1', AT - 1],
        ['g2', AT - 3],
        ['g3', AT - 2],
      ] as const)
        await insert(grant(id, { usedAt }), 2);
      const there = [];
      for (const id of ['g0', 'g1', 'g2', 'g3']) there.push(await store.hasGrant(id, AT));
      expect(there).toEqual([true, true, false, true]);
    });

    test('what expired is deleted, and what is valid stays', async () => {
      await insert(grant('g1'));
      await redeem('code of g1', 'g1', next('a'));
      await insert(grant('g2'));
      await store.deleteExpired(AT + 60_001);
      expect(await store.findToken('code of g1', AT)).toBeUndefined();
      expect([await store.hasGrant('g1', AT), await store.hasGrant('g2', AT)]).toEqual([true, false]);
      expect(await store.findToken('access a', AT)).toBeDefined();
    });
  });
}
