import { CATALOGUES } from '../../compliance/catalogues/list.ts';
import { createCompliance } from '../../compliance/compliance.ts';
import { REPORT_WRITERS } from '../../compliance/reports/list.ts';
import { createSealer } from '../../compliance/reports/seal.ts';
import { VERSION } from '../../version.ts';
import type { ServicesFoundation } from '../foundation.ts';
import type { Stores } from '../stores.ts';

const KEPT_CHECKS = 200;
/** Maximum number of attestations of a user. All standards together have some 3,000 controls. */
const KEPT_ATTESTATIONS = 5000;

export interface ComplianceFoundation extends Pick<ServicesFoundation, 'log'> {
  stores(): Promise<Pick<Stores, 'assessments' | 'jobs' | 'attestations' | 'secret' | 'sharedJobs'>>;
}

export async function openCompliance({ log, stores }: ComplianceFoundation) {
  const set = await stores();
  const [store, jobs, attestations, secret, shared] = await Promise.all([
    set.assessments(),
    set.jobs(),
    set.attestations(),
    set.secret(),
    set.sharedJobs?.(),
  ]);
  return createCompliance({
    catalogues: CATALOGUES,
    writers: REPORT_WRITERS,
    store,
    jobs,
    shared,
    attestations,
    log,
    sealer: createSealer(secret),
    version: VERSION,
    keptChecks: KEPT_CHECKS,
    keptAttestations: KEPT_ATTESTATIONS,
  });
}
