import { afterAll } from 'vitest';
import { createFindingCache } from '../../../src/security/stores/finding-cache.ts';
import { createScanStore } from '../../../src/security/stores/scans.ts';
import { describeKeptStore } from '../../contracts/kept-store.ts';
import { describeScanStore } from '../../contracts/scan-store.ts';
import { dropPostgres, emptyPostgres, makePostgres } from '../../helpers/postgres.ts';

afterAll(dropPostgres);

describeScanStore('PostgreSQL', () => emptyPostgres(createScanStore));
describeKeptStore('PostgreSQL', async () => {
  const place = await makePostgres();
  return { open: async (bounds) => createFindingCache(await place.open(), bounds), remove: place.remove };
});
