import type { Migration } from './migration.ts';

/** Tables of access keys and of counts for limits. Keys are never deleted, because a server without keys is open. */
export const ACCESS: Migration = {
  id: 7,
  name: 'access',
  sql: `
      CREATE TABLE access_keys (
        id TEXT PRIMARY KEY,
        user TEXT NOT NULL,
        name TEXT NOT NULL,
        prefix TEXT NOT NULL,
        hash BLOB NOT NULL UNIQUE,
        scopes TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        expires_at INTEGER,
        revoked_at INTEGER,
        replaced_by TEXT,
        used_at INTEGER
      ) STRICT;
      CREATE TABLE access_networks (
        credential TEXT NOT NULL,
        network TEXT NOT NULL,
        seen_at INTEGER NOT NULL,
        PRIMARY KEY (credential, network)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE access_usage (
        id INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        credential TEXT NOT NULL,
        user TEXT NOT NULL,
        operation TEXT NOT NULL,
        outcome TEXT NOT NULL,
        ms INTEGER NOT NULL,
        address TEXT NOT NULL
      ) STRICT;
      CREATE INDEX access_usage_by_time ON access_usage (at);
      CREATE TABLE access_days (
        credential TEXT NOT NULL,
        day INTEGER NOT NULL,
        operation TEXT NOT NULL,
        outcome TEXT NOT NULL,
        calls INTEGER NOT NULL,
        PRIMARY KEY (credential, day, operation, outcome)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE access_counts (
        day INTEGER NOT NULL,
        subject TEXT NOT NULL,
        what TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (day, subject, what)
      ) STRICT, WITHOUT ROWID;
    `,
};
