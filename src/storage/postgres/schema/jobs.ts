import type { PostgresMigration } from './migration.ts';

export const POSTGRES_JOBS: PostgresMigration = {
  id: 14,
  name: 'jobs',
  oldest: 1,
  sql: `
    ALTER TABLE scans ADD COLUMN terms text;
    DO $$ BEGIN
      IF to_regnamespace('magpie_jobs') IS NULL THEN CREATE SCHEMA magpie_jobs; END IF;
    END $$;
  `,
};

export const POSTGRES_CHECK_TERMS: PostgresMigration = {
  id: 17,
  name: 'compliance terms',
  oldest: 1,
  sql: 'ALTER TABLE compliance_jobs ADD COLUMN terms text',
};
