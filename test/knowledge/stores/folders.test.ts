import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolderStore } from '../../../src/knowledge/stores/folders.ts';
import { describeFolderStore } from '../../contracts/folder-store.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';

describeFolderStore('sqlite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-folders-'));
  const opened = [await openTestDatabase({ folder })];
  return {
    store: createFolderStore(opened[0] as (typeof opened)[0]),
    async openAnother() {
      const db = await openTestDatabase({ folder });
      opened.push(db);
      return createFolderStore(db);
    },
    async close() {
      for (const db of opened) db.close();
      rmSync(folder, { recursive: true });
    },
  };
});
