import { afterEach, expect, test } from 'vitest';
import { createSqliteKeyStore } from '../../../src/access/stores/sqlite.ts';
import { createSqliteUsageStore } from '../../../src/access/stores/usage.ts';
import { type Database, openDatabase } from '../../../src/storage/sqlite.ts';
import { keyStoreContract } from '../../contracts/key-store.ts';
import { usageStoreContract } from '../../contracts/usage-store.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';

/** Two connections to one database. */
async function openTwice<Store>(make: (db: Database) => Store) {
  const folder = temporaryFolder();
  const [mine, theirs] = [
    await openDatabase({ folder: folder.path }),
    await openDatabase({ folder: folder.path }),
  ];
  return {
    db: mine,
    store: make(mine),
    other: make(theirs),
    async close() {
      mine.close();
      theirs.close();
      folder.remove();
    },
  };
}

keyStoreContract('SQLite', () => openTwice(createSqliteKeyStore));
usageStoreContract('SQLite', () => openTwice(createSqliteUsageStore));

let close: (() => Promise<void>) | undefined;
afterEach(() => close?.());

test('a call is also the time at which its key was last good, and a refused one is not', async () => {
  const opened = await openTwice((db) => ({
    keys: createSqliteKeyStore(db),
    usage: createSqliteUsageStore(db),
  }));
  close = opened.close;
  const { keys, usage } = opened.store;
  const times = { expiresAt: undefined, revokedAt: undefined, replacedBy: undefined, usedAt: undefined };
  const key = {
    id: 'k1',
    user: 'ada',
    name: '',
    prefix: 'magpie_abcd',
    scopes: ['read'] as const,
    createdAt: 1,
  };
  keys.add({ ...key, ...times }, Buffer.alloc(32));
  const call = { credential: 'k1', user: 'ada', operation: 'list', ms: 1, address: '' };
  usage.add([{ ...call, at: 7, outcome: 'ok' }], 0, []);
  usage.add([{ ...call, at: 5, outcome: 'ok' }], 0, []);
  usage.add([{ ...call, at: 9, outcome: 'unauthenticated' }], 0, []);
  expect(keys.byId('k1')?.usedAt).toBe(7);
});
