import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAssessmentStore } from '../../../src/compliance/stores/assessments.ts';
import { createAttestationStore } from '../../../src/compliance/stores/attestations.ts';
import { createJobStore } from '../../../src/compliance/stores/jobs.ts';
import type { Database } from '../../../src/storage/sqlite.ts';
import { describeAssessmentStore } from '../../contracts/assessment-store.ts';
import { describeAttestationStore } from '../../contracts/attestation-store.ts';
import { describeJobStore } from '../../contracts/job-store.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';

/** An empty data folder that is opened as often as a test likes. */
async function makePlace<Store>(createStore: (db: Database) => Store) {
  const folder = await mkdtemp(join(tmpdir(), 'magpie-compliance-stores-'));
  const opened: Database[] = [];
  return {
    async open() {
      const db = await openTestDatabase({ folder });
      opened.push(db);
      return createStore(db);
    },
    async remove() {
      for (const db of opened) db.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

describeAssessmentStore('sqlite', () => makePlace(createAssessmentStore));
describeJobStore('sqlite', () => makePlace(createJobStore));
describeAttestationStore('sqlite', () => makePlace(createAttestationStore));
