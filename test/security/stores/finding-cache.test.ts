import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFindingCache } from '../../../src/security/stores/finding-cache.ts';
import type { Database } from '../../../src/storage/sqlite.ts';
import { describeKeptStore } from '../../contracts/kept-store.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';

describeKeptStore('sqlite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'magpie-kept-'));
  const opened: Database[] = [];
  return {
    async open(bounds) {
      const db = await openTestDatabase({ folder });
      opened.push(db);
      return createFindingCache(db, bounds);
    },
    async remove() {
      for (const db of opened) db.close();
      await rm(folder, { recursive: true });
    },
  };
});
