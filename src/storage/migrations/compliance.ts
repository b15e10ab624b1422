import type { Migration } from './migration.ts';

/** Tables of compliance checks. `body` has the results as gzipped JSON. Times are in milliseconds. */
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
  // Input with which another process can run a check. Null if only `runner` can run it.
  id: 32,
  name: 'compliance terms',
  sql: 'ALTER TABLE compliance_jobs ADD COLUMN terms TEXT',
};
