import type { Database } from '../../storage/sqlite.ts';
import { CATALOGUES } from '../catalogues/list.ts';
import { type Compliance, createCompliance } from '../compliance.ts';
import { FORMS } from '../reports/list.ts';
import { createSealer } from '../seal.ts';
import { createSqliteAssessmentStore } from './sqlite.ts';

export interface OpenOptions {
  readonly db: Database;
  /** The installation's, that reports are sealed by. */
  readonly secret: Uint8Array;
  /** Magpie's. */
  readonly version: string;
}

/** Checks kept for one owner. */
const KEEP = 200;

/** The room with all its standards and forms of reports. */
export function openCompliance({ db, secret, version }: OpenOptions): Compliance {
  return createCompliance({
    catalogues: CATALOGUES,
    forms: FORMS,
    store: createSqliteAssessmentStore(db),
    sealer: createSealer(secret),
    version,
    keep: KEEP,
  });
}
