import { CATALOGUES } from '../compliance/catalogues/list.ts';
import { createCompliance } from '../compliance/compliance.ts';
import { FORMS } from '../compliance/reports/list.ts';
import { createSealer } from '../compliance/seal.ts';
import { createSqliteAssessmentStore } from '../compliance/stores/assessments.ts';
import { createSqliteJobStore } from '../compliance/stores/jobs.ts';
import type { Compliance } from '../compliance/types.ts';
import type { Logger } from '../log.ts';
import { loadSecret } from '../storage/secret.ts';
import type { Database } from '../storage/sqlite.ts';
import { VERSION } from '../version.ts';

/** Checks kept for one owner. */
const KEPT_CHECKS = 200;

/**
 * The room with all its standards and forms of reports; `folder` is the data folder, whose secret reports are sealed
 * by. AppError `unavailable` where that cannot be read.
 */
export async function openCompliance(folder: string, db: Database, log: Logger): Promise<Compliance> {
  return createCompliance({
    catalogues: CATALOGUES,
    forms: FORMS,
    store: createSqliteAssessmentStore(db),
    jobs: createSqliteJobStore(db),
    log,
    sealer: createSealer(await loadSecret(folder)),
    version: VERSION,
    keptChecks: KEPT_CHECKS,
  });
}
