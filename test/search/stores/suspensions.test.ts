import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemorySuspensionStore } from '../../../src/search/asking/suspension-store.ts';
import { createSuspensionStore } from '../../../src/search/stores/suspensions.ts';
import type { Database } from '../../../src/storage/sqlite.ts';
import { describeSuspensionStore } from '../../contracts/suspension-store.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';

describeSuspensionStore('memory', async () => ({
  store: createMemorySuspensionStore(),
  close: async () => {},
}));

describeSuspensionStore('sqlite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-suspensions-'));
  const opened: Database[] = [];
  const openAnother = async () => {
    const db = await openTestDatabase({ folder });
    opened.push(db);
    return createSuspensionStore(db);
  };
  return {
    store: await openAnother(),
    openAnother,
    async close() {
      for (const db of opened) db.close();
      rmSync(folder, { recursive: true });
    },
  };
});
