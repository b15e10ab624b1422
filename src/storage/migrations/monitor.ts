import type { Migration } from './migration.ts';

export const MONITORS: Migration = {
  // A job belongs to `runner` until `leased_until` or until the process ends.
  id: 11,
  name: 'monitors',
  sql: `
    CREATE TABLE monitors (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      owner TEXT NOT NULL,
      infrastructure TEXT NOT NULL,
      state TEXT NOT NULL,
      threshold REAL NOT NULL,
      interval_ms INTEGER NOT NULL,
      webhook TEXT,
      started_at INTEGER NOT NULL,
      trouble TEXT,
      changed INTEGER NOT NULL,
      UNIQUE (owner, infrastructure)
    ) STRICT;
    CREATE INDEX monitors_by_change ON monitors (changed);
    CREATE TABLE monitor_jobs (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      monitor INTEGER NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
      target TEXT NOT NULL,
      sort TEXT NOT NULL,
      every_ms INTEGER NOT NULL,
      origin INTEGER NOT NULL,
      due_at INTEGER NOT NULL,
      runner TEXT,
      leased_until INTEGER,
      UNIQUE (monitor, target, sort)
    ) STRICT;
    CREATE INDEX monitor_jobs_due ON monitor_jobs (due_at) WHERE runner IS NULL;
    CREATE INDEX monitor_jobs_leased ON monitor_jobs (leased_until) WHERE runner IS NOT NULL;
    CREATE TABLE monitor_results (
      monitor INTEGER NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
      target TEXT NOT NULL,
      "check" TEXT NOT NULL,
      at INTEGER NOT NULL,
      trouble TEXT,
      findings TEXT NOT NULL,
      measures TEXT NOT NULL,
      points TEXT NOT NULL,
      PRIMARY KEY (monitor, target, "check")
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE monitor_days (
      monitor INTEGER NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
      target TEXT NOT NULL,
      day INTEGER NOT NULL,
      looks INTEGER NOT NULL,
      ups INTEGER NOT NULL,
      PRIMARY KEY (monitor, target, day)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE monitor_alerts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      monitor INTEGER NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
      "check" TEXT NOT NULL,
      target TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      finding TEXT NOT NULL,
      raised_at INTEGER NOT NULL,
      cleared_at INTEGER,
      good INTEGER NOT NULL DEFAULT 0,
      flapping INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX monitor_alerts_open ON monitor_alerts (monitor, target, "check", fingerprint)
      WHERE cleared_at IS NULL;
    CREATE INDEX monitor_alerts_by_time ON monitor_alerts (monitor, raised_at);
    CREATE TABLE monitor_messages (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      monitor INTEGER NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
      channel TEXT NOT NULL,
      name TEXT NOT NULL,
      notice TEXT NOT NULL,
      made_at INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      next_at INTEGER NOT NULL,
      state TEXT NOT NULL DEFAULT 'waiting',
      trouble TEXT,
      runner TEXT,
      leased_until INTEGER
    ) STRICT;
    CREATE INDEX monitor_messages_due ON monitor_messages (next_at) WHERE state = 'waiting' AND runner IS NULL;
    CREATE INDEX monitor_messages_by_monitor ON monitor_messages (monitor, state);
  `,
};

export const MONITOR_SIGHT: Migration = {
  id: 13,
  name: 'what monitors saw',
  sql: `
    ALTER TABLE monitor_results ADD COLUMN seen_at INTEGER;
    ALTER TABLE monitor_results ADD COLUMN unseen TEXT;
  `,
};

export const MONITOR_LINES: Migration = {
  id: 14,
  name: 'order of notifications',
  sql: `
    CREATE TABLE monitor_changes (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      owner TEXT NOT NULL,
      infrastructure TEXT NOT NULL,
      UNIQUE (owner, infrastructure)
    ) STRICT;
    INSERT INTO monitor_changes (owner, infrastructure) SELECT owner, infrastructure FROM monitors ORDER BY changed;
    DROP INDEX monitors_by_change;
    ALTER TABLE monitors DROP COLUMN changed;
    ALTER TABLE monitor_alerts ADD COLUMN reason TEXT;
    CREATE TABLE ordered_messages (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      monitor INTEGER REFERENCES monitors (id) ON DELETE CASCADE,
      owner TEXT NOT NULL,
      webhook TEXT,
      alert INTEGER NOT NULL,
      channel TEXT NOT NULL,
      place TEXT NOT NULL,
      line TEXT NOT NULL,
      name TEXT NOT NULL,
      notice TEXT NOT NULL,
      made_at INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      tried_at INTEGER,
      next_at INTEGER NOT NULL,
      state TEXT NOT NULL DEFAULT 'waiting',
      trouble TEXT,
      runner TEXT,
      leased_until INTEGER
    ) STRICT;
    INSERT INTO ordered_messages
      SELECT m.id, m.monitor, o.owner, NULL, m.notice ->> '$.alert.id', m.channel,
        iif(m.channel = 'own', 'own ' || o.owner, m.channel),
        m.monitor || ' ' || m.channel || ' ' || (m.notice ->> '$.alert.finding.fingerprint'),
        m.name, m.notice, m.made_at, m.attempts, NULL, m.next_at, m.state, m.trouble, NULL, NULL
      FROM monitor_messages m JOIN monitors o ON o.id = m.monitor;
    DROP TABLE monitor_messages;
    ALTER TABLE ordered_messages RENAME TO monitor_messages;
    CREATE INDEX monitor_messages_due ON monitor_messages (next_at) WHERE state = 'waiting' AND runner IS NULL;
    CREATE INDEX monitor_messages_by_place ON monitor_messages (place, next_at)
      WHERE state = 'waiting' AND runner IS NULL;
    CREATE INDEX monitor_messages_leased ON monitor_messages (place) WHERE runner IS NOT NULL;
    CREATE INDEX monitor_messages_by_line ON monitor_messages (line, id);
    CREATE INDEX monitor_messages_by_monitor ON monitor_messages (monitor, state);
  `,
};

/** Adds what a monitor's probes expect, as JSON, and to each result the problems that are not yet confirmed. */
export const MONITOR_PROBING: Migration = {
  id: 25,
  name: 'what probes of monitors decide',
  sql: `
    ALTER TABLE monitors ADD COLUMN probing TEXT NOT NULL DEFAULT '{}';
    ALTER TABLE monitor_results ADD COLUMN suspects TEXT NOT NULL DEFAULT '{}';
  `,
};

/** Adds totals per hour and day: milliseconds of uptime and of downtime, and response times in buckets. */
export const MONITOR_HISTORY: Migration = {
  id: 27,
  name: 'history of monitors',
  sql: `
    ALTER TABLE monitor_days ADD COLUMN up_ms INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE monitor_days ADD COLUMN down_ms INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE monitor_days ADD COLUMN times BLOB;
    UPDATE monitor_days SET
      up_ms = ups * (SELECT interval_ms FROM monitors WHERE id = monitor),
      down_ms = (looks - ups) * (SELECT interval_ms FROM monitors WHERE id = monitor);
    CREATE TABLE monitor_hours (
      monitor INTEGER NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
      target TEXT NOT NULL,
      hour INTEGER NOT NULL,
      looks INTEGER NOT NULL,
      up_ms INTEGER NOT NULL,
      down_ms INTEGER NOT NULL,
      times BLOB NOT NULL,
      PRIMARY KEY (monitor, target, hour)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE monitor_incidents (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      monitor INTEGER NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
      target TEXT NOT NULL,
      from_at INTEGER NOT NULL,
      to_at INTEGER,
      why TEXT NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX monitor_incidents_open ON monitor_incidents (monitor, target) WHERE to_at IS NULL;
    CREATE INDEX monitor_incidents_by_time ON monitor_incidents (monitor, from_at);
  `,
};

export const MONITOR_PAGES: Migration = {
  id: 28,
  name: 'status pages',
  sql: `
    CREATE TABLE monitor_pages (
      owner TEXT PRIMARY KEY,
      slug TEXT NOT NULL UNIQUE,
      title TEXT NOT NULL,
      addresses INTEGER NOT NULL,
      salt TEXT NOT NULL
    ) STRICT;
  `,
};

export const MONITOR_BEATS: Migration = {
  id: 29,
  name: 'heartbeats of monitors',
  sql: `
    CREATE TABLE monitor_beats (
      monitor INTEGER PRIMARY KEY REFERENCES monitors (id) ON DELETE CASCADE,
      hash TEXT NOT NULL UNIQUE,
      at INTEGER
    ) STRICT;
  `,
};

export const MONITOR_SIGNALS: Migration = {
  id: 30,
  name: 'signals of jobs',
  sql: `
    ALTER TABLE monitor_beats ADD COLUMN failed_at INTEGER;
    ALTER TABLE monitor_beats ADD COLUMN began_at INTEGER;
    ALTER TABLE monitor_beats ADD COLUMN took_ms INTEGER;
  `,
};
