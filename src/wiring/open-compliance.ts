import { CATALOGUES } from '../compliance/catalogues/list.ts';
import { createCompliance } from '../compliance/compliance.ts';
import { FORMS } from '../compliance/reports/list.ts';
import { createSealer } from '../compliance/seal.ts';
import type { Compliance } from '../compliance/types.ts';
import { VERSION } from '../version.ts';
import type { Foundation } from './foundation.ts';
import type { Stores } from './stores.ts';

/** Checks kept for one owner. */
const KEPT_CHECKS = 200;

/** What the room is built from. */
export interface ComplianceFoundation extends Pick<Foundation, 'log'> {
  stores(): Promise<Pick<Stores, 'assessments' | 'jobs' | 'secret'>>;
}

/** The room with all its standards and report forms; the secret seals the reports. */
export async function openCompliance({ log, stores }: ComplianceFoundation): Promise<Compliance> {
  const set = await stores();
  const [store, jobs, secret] = await Promise.all([set.assessments(), set.jobs(), set.secret()]);
  return createCompliance({
    catalogues: CATALOGUES,
    forms: FORMS,
    store,
    jobs,
    log,
    sealer: createSealer(secret),
    version: VERSION,
    keptChecks: KEPT_CHECKS,
  });
}
