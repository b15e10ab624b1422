import type { PostgresMigration } from './migration.ts';

export const POSTGRES_COMPLIANCE: PostgresMigration = {
  id: 4,
  name: 'compliance',
  oldest: 1,
  sql: `
    CREATE TABLE compliance_checks (
      seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text COLLATE "C" NOT NULL UNIQUE,
      owner text COLLATE "C" NOT NULL,
      scope text COLLATE "C" NOT NULL,
      created_at bigint NOT NULL,
      name text NOT NULL,
      body bytea NOT NULL
    );
    CREATE INDEX compliance_checks_by_scope ON compliance_checks (owner, scope, seq);
    CREATE TABLE compliance_jobs (
      rowid bigint GENERATED ALWAYS AS IDENTITY,
      id text COLLATE "C" PRIMARY KEY,
      owner text COLLATE "C" NOT NULL,
      scope text COLLATE "C" NOT NULL,
      runner text COLLATE "C" NOT NULL,
      created_at bigint NOT NULL,
      beat_at bigint NOT NULL,
      progress text NOT NULL,
      reason text
    );
    CREATE INDEX compliance_jobs_by_owner ON compliance_jobs (owner, created_at);
    CREATE TABLE compliance_attestations (
      id text COLLATE "C" PRIMARY KEY,
      owner text COLLATE "C" NOT NULL,
      scope text COLLATE "C" NOT NULL,
      standard text COLLATE "C" NOT NULL,
      control text COLLATE "C" NOT NULL,
      body text NOT NULL,
      UNIQUE (owner, scope, standard, control)
    );
  `,
};
