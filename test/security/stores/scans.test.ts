import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createScanStore } from '../../../src/security/stores/scans.ts';
import type { Database } from '../../../src/storage/sqlite.ts';
import { describeScanStore, type ScanPlace } from '../../contracts/scan-store.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';

async function makeEmpty(): Promise<ScanPlace & { openDatabase(): Promise<Database> }> {
  const folder = await mkdtemp(join(tmpdir(), 'magpie-scans-'));
  const opened: Database[] = [];
  async function open() {
    const db = await openTestDatabase({ folder });
    opened.push(db);
    return db;
  }
  return {
    openDatabase: open,
    open: async () => createScanStore(await open()),
    async remove() {
      for (const db of opened) db.close();
      await rm(folder, { recursive: true });
    },
  };
}

describeScanStore('sqlite', makeEmpty);

test('a removed scan leaves no row in the database', async () => {
  const place = await makeEmpty();
  const db = await place.openDatabase();
  const store = createScanStore(db);
  const request = { repository: 'r', deep: false, dependencies: false };
  await store.insertScan('ann', { id: '1', request, runner: 'r', createdAt: 1 }, 10);
  const findings = [
    {
      id: 'rule',
      severity: 'low' as const,
      title: 't',
      description: 'd',
      fix: 'f',
      path: 'a',
      scanners: [],
      fingerprint: 'f',
    },
  ];
  const components = [{ ecosystem: 'npm', name: 'a', version: '1', path: 'p' }];
  const counts = { critical: 0, high: 0, medium: 0, low: 1, info: 0, suppressed: 0 };
  const report = { files: 1, bytes: 1, kept: 0, left: [], scanners: [] };
  await store.completeScan('1', 'r', { report, counts, findings, components }, 2);
  const rows = () =>
    db.read((sql) =>
      ['scans', 'scan_findings', 'scan_components'].map((t) => sql.all(`SELECT * FROM ${t}`).length),
    );
  expect(await rows()).toEqual([1, 1, 1]);
  await store.removeScan('ann', '1');
  expect(await rows()).toEqual([0, 0, 0]);
  await place.remove();
});
