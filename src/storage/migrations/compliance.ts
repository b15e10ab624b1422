import type { Migration } from './migration.ts';

/**
 * Checks of compliance: `name` is what lists show of one, `body` its results as gzipped JSON. Times in
 * milliseconds.
 */
export const COMPLIANCE: Migration = {
  id: 12,
  name: 'compliance',
  sql: `
    CREATE TABLE compliance_checks (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      owner TEXT NOT NULL,
      scope TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      name TEXT NOT NULL,
      body BLOB NOT NULL
    ) STRICT;
    CREATE INDEX compliance_checks_by_scope ON compliance_checks (owner, scope, seq);
  `,
};

/** Checks that are made in the background, until they have results; `reason` says why one failed. */
export const COMPLIANCE_JOBS: Migration = {
  id: 15,
  name: 'compliance in the background',
  sql: `
    CREATE TABLE compliance_jobs (
      id TEXT PRIMARY KEY,
      owner TEXT NOT NULL,
      scope TEXT NOT NULL,
      runner TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      beat_at INTEGER NOT NULL,
      progress TEXT NOT NULL,
      reason TEXT
    ) STRICT;
    CREATE INDEX compliance_jobs_by_owner ON compliance_jobs (owner, created_at);
  `,
};

/** What people attest of controls: `body` is the attestation as JSON. */
export const COMPLIANCE_ATTESTATIONS: Migration = {
  id: 26,
  name: 'compliance attestations',
  sql: `
    CREATE TABLE compliance_attestations (
      id TEXT PRIMARY KEY,
      owner TEXT NOT NULL,
      scope TEXT NOT NULL,
      standard TEXT NOT NULL,
      control TEXT NOT NULL,
      body TEXT NOT NULL,
      UNIQUE (owner, scope, standard, control)
    ) STRICT;
  `,
};

export const COMPLIANCE_TERMS: Migration = {
  // What another process needs to run a check; null where only `runner` can.
  id: 32,
  name: 'compliance terms',
  sql: 'ALTER TABLE compliance_jobs ADD COLUMN terms TEXT',
};
