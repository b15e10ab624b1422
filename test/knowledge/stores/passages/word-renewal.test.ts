import { toAnyDatabase } from '../../../../src/storage/any-database.ts';
import { describeWordRenewal } from '../../../contracts/word-renewal.ts';
import { temporaryFolder } from '../../../helpers/magpie.ts';
import { openTestDatabase } from '../../../helpers/test-database.ts';

describeWordRenewal('SQLite', async () => {
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
});
