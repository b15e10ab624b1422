import { expect, test } from 'vitest';
import { createGrantStore } from '../../../src/access/stores/grants.ts';
import { createKeyStore } from '../../../src/access/stores/keys.ts';
import { createMcpTaskStore } from '../../../src/access/stores/tasks.ts';
import { createUsageStore } from '../../../src/access/stores/usage.ts';
import { type Database, openDatabase } from '../../../src/storage/sqlite.ts';
import { describeGrantStore } from '../../contracts/grant-store.ts';
import { describeKeyStore } from '../../contracts/key-store.ts';
import { describeMcpTaskStore } from '../../contracts/mcp-task-store.ts';
import { describeUsageStore } from '../../contracts/usage-store.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';

/** A new database, and a connection for each opener. */
async function makeEmpty<Store>(make: (db: Database) => Store) {
  const folder = temporaryFolder();
  const opened: Database[] = [];
  return {
    async open() {
      const db = await openDatabase({ folder: folder.path });
      opened.push(db);
      return make(db);
    },
    async remove() {
      for (const db of opened) db.close();
      folder.remove();
    },
  };
}

describeKeyStore('SQLite', () => makeEmpty(createKeyStore));
describeUsageStore('SQLite', () => makeEmpty(createUsageStore));
describeMcpTaskStore('SQLite', () => makeEmpty(createMcpTaskStore));
describeGrantStore('SQLite', () =>
  makeEmpty((db) => ({ grants: createGrantStore(db), keys: createKeyStore(db) })),
);

test('an accepted call updates the last use of its key, and a refused call does not', async () => {
  const place = await makeEmpty((db) => ({
    keys: createKeyStore(db),
    usage: createUsageStore(db),
  }));
  const { keys, usage } = await place.open();
  const times = { expiresAt: undefined, revokedAt: undefined, replacedBy: undefined, usedAt: undefined };
  const key = {
    id: 'k1',
    user: 'ada',
    name: '',
    prefix: 'magpie_abcd',
    scopes: ['read'] as const,
    createdAt: 1,
  };
  await keys.insertKey({ ...key, ...times }, Buffer.alloc(32));
  const call = { credential: 'k1', user: 'ada', operation: 'list', ms: 1, address: '' };
  await usage.recordCalls([{ ...call, at: 7, outcome: 'ok' }], 0, []);
  await usage.recordCalls([{ ...call, at: 5, outcome: 'ok' }], 0, []);
  await usage.recordCalls([{ ...call, at: 9, outcome: 'unauthenticated' }], 0, []);
  expect((await keys.findById('k1'))?.usedAt).toBe(7);
  await place.remove();
});
