import { afterAll } from 'vitest';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import { createFolderStore } from '../../../src/knowledge/stores/folders.ts';
import { createPostgresPageStore } from '../../../src/search/stores/postgres/pages.ts';
import { describeEntryNames } from '../../contracts/entry-names.ts';
import { describeEntryStore } from '../../contracts/entry-store.ts';
import { describeEntryTrash } from '../../contracts/entry-trash.ts';
import { describeFolderStore } from '../../contracts/folder-store.ts';
import { describePageRenewal, describeWordRenewal } from '../../contracts/word-renewal.ts';
import type { StoreClock } from '../../helpers/entry-stores.ts';
import { dropPostgres, makePostgres } from '../../helpers/postgres.ts';

afterAll(dropPostgres);

async function makeEmpty(clock: StoreClock) {
  const { open, remove } = await makePostgres();
  return {
    async open() {
      const db = await open();
      return { store: createEntryStore(db, { now: () => clock.now }), drop: () => db.close() };
    },
    remove,
  };
}

describeEntryStore('PostgreSQL', makeEmpty);
describeEntryTrash('PostgreSQL', makeEmpty);
describeEntryNames('PostgreSQL', makeEmpty);

describeWordRenewal('PostgreSQL', makePostgres);
describePageRenewal('PostgreSQL', makePostgres, (db) =>
  createPostgresPageStore(db, { maxPages: 100, maxBytes: 1e9 }),
);

describeFolderStore('PostgreSQL', async () => {
  const { open, remove } = await makePostgres();
  const openAnother = async () => createFolderStore(await open());
  return { store: await openAnother(), openAnother, close: remove };
});
