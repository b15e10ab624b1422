import { expect } from 'vitest';
import { createSqlitePageStore } from '../../../../src/search/stores/pages.ts';
import { toAnyDatabase } from '../../../../src/storage/any-database.ts';
import { describePageRenewal, describeWordRenewal } from '../../../contracts/word-renewal.ts';
import { temporaryFolder } from '../../../helpers/magpie.ts';
import { openTestDatabase } from '../../../helpers/test-database.ts';

const make = async () => {
  const folder = temporaryFolder();
  const opened: { close(): void }[] = [];
  return {
    async open() {
      const db = await openTestDatabase({ folder: folder.path });
      opened.push(db);
      return toAnyDatabase(db);
    },
    async remove() {
      for (const db of opened) db.close();
      folder.remove();
    },
  };
};

describeWordRenewal('SQLite', make);
describePageRenewal('SQLite', make, (db) =>
  createSqlitePageStore(db.embedded ?? expect.unreachable(), { maxPages: 100, maxBytes: 1e9 }),
);
