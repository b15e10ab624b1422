import type { PostgresMigration } from './migration.ts';

export const POSTGRES_SCANS: PostgresMigration = {
  id: 5,
  name: 'scans',
  oldest: 1,
  sql: `
    CREATE TABLE scans (
      rowid bigint GENERATED ALWAYS AS IDENTITY,
      id text COLLATE "C" PRIMARY KEY,
      owner text COLLATE "C" NOT NULL,
      repository text COLLATE "C" NOT NULL,
      branch text,
      deep bigint NOT NULL,
      dependencies bigint NOT NULL,
      state text COLLATE "C" NOT NULL,
      runner text COLLATE "C" NOT NULL,
      beat_at bigint NOT NULL,
      message text NOT NULL,
      created_at bigint NOT NULL,
      started_at bigint,
      ended_at bigint,
      report text
    );
    CREATE INDEX scans_by_owner ON scans (owner, created_at);
    CREATE INDEX scans_unfinished ON scans (state) WHERE state IN ('queued', 'running');
    CREATE TABLE scan_findings (
      scan text COLLATE "C" NOT NULL REFERENCES scans (id) ON DELETE CASCADE,
      ordinal bigint NOT NULL,
      severity bigint NOT NULL,
      finding text NOT NULL,
      PRIMARY KEY (scan, ordinal)
    );
    CREATE TABLE scan_components (
      scan text COLLATE "C" PRIMARY KEY REFERENCES scans (id) ON DELETE CASCADE,
      components text NOT NULL
    );
    CREATE TABLE scan_kept (
      owner text COLLATE "C" NOT NULL,
      key text COLLATE "C" NOT NULL,
      findings text NOT NULL,
      characters bigint NOT NULL,
      used_at bigint NOT NULL,
      PRIMARY KEY (owner, key)
    );
    CREATE INDEX scan_kept_by_use ON scan_kept (owner, used_at, characters);
  `,
};
