import type { Migration } from './migrations.ts';

/** Checks of compliance: `name` is what lists show of one, `body` its results as gzipped JSON. Times in milliseconds. */
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
