import type { Migration } from './migration.ts';

export const SCANS: Migration = {
  // `runner` updates `beat_at` as a heartbeat. `scan_kept` caches results per owner.
  id: 9,
  name: 'scans',
  sql: `
    CREATE TABLE scans (
      id TEXT PRIMARY KEY,
      owner TEXT NOT NULL,
      repository TEXT NOT NULL,
      branch TEXT,
      deep INTEGER NOT NULL,
      dependencies INTEGER NOT NULL,
      state TEXT NOT NULL,
      runner TEXT NOT NULL,
      beat_at INTEGER NOT NULL,
      message TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      started_at INTEGER,
      ended_at INTEGER,
      report TEXT
    ) STRICT;
    CREATE INDEX scans_by_owner ON scans (owner, created_at);
    CREATE INDEX scans_unfinished ON scans (state) WHERE state IN ('queued', 'running');
    CREATE TABLE scan_findings (
      scan TEXT NOT NULL REFERENCES scans (id) ON DELETE CASCADE,
      ordinal INTEGER NOT NULL,
      severity INTEGER NOT NULL,
      finding TEXT NOT NULL,
      PRIMARY KEY (scan, ordinal)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE scan_components (
      scan TEXT PRIMARY KEY REFERENCES scans (id) ON DELETE CASCADE,
      components TEXT NOT NULL
    ) STRICT;
    CREATE TABLE scan_kept (
      owner TEXT NOT NULL,
      key TEXT NOT NULL,
      findings TEXT NOT NULL,
      characters INTEGER NOT NULL,
      used_at INTEGER NOT NULL,
      PRIMARY KEY (owner, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX scan_kept_by_use ON scan_kept (owner, used_at, characters);
  `,
};

export const SCAN_TERMS: Migration = {
  // Input with which another process can run a scan. Null if only `runner` can run it.
  id: 31,
  name: 'scan terms',
  sql: 'ALTER TABLE scans ADD COLUMN terms TEXT',
};
