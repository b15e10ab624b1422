import type { PostgresMigration } from './migration.ts';

export const POSTGRES_MONITORS: PostgresMigration = {
  id: 3,
  name: 'monitors',
  oldest: 1,
  sql: `
    CREATE TABLE monitors (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      owner text COLLATE "C" NOT NULL,
      infrastructure text COLLATE "C" NOT NULL,
      state text NOT NULL,
      threshold double precision NOT NULL,
      interval_ms bigint NOT NULL,
      webhook text,
      started_at bigint NOT NULL,
      trouble text,
      probing text NOT NULL DEFAULT '{}',
      UNIQUE (owner, infrastructure)
    );
    CREATE TABLE monitor_changes (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      owner text COLLATE "C" NOT NULL,
      infrastructure text COLLATE "C" NOT NULL,
      UNIQUE (owner, infrastructure)
    );
    CREATE TABLE monitor_jobs (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      monitor bigint NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
      target text COLLATE "C" NOT NULL,
      sort text COLLATE "C" NOT NULL,
      every_ms bigint NOT NULL,
      origin bigint NOT NULL,
      due_at bigint NOT NULL,
      runner text COLLATE "C",
      leased_until bigint,
      UNIQUE (monitor, target, sort)
    );
    CREATE INDEX monitor_jobs_due ON monitor_jobs (due_at, id) WHERE runner IS NULL;
    CREATE INDEX monitor_jobs_leased ON monitor_jobs (leased_until) WHERE runner IS NOT NULL;
    CREATE TABLE monitor_results (
      monitor bigint NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
      target text COLLATE "C" NOT NULL,
      "check" text COLLATE "C" NOT NULL,
      at bigint NOT NULL,
      seen_at bigint,
      unseen text,
      trouble text,
      findings text NOT NULL,
      measures text NOT NULL,
      points text NOT NULL,
      suspects text NOT NULL DEFAULT '{}',
      PRIMARY KEY (monitor, target, "check")
    );
    CREATE TABLE monitor_days (
      monitor bigint NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
      target text COLLATE "C" NOT NULL,
      day bigint NOT NULL,
      looks bigint NOT NULL,
      ups bigint NOT NULL,
      up_ms bigint NOT NULL DEFAULT 0,
      down_ms bigint NOT NULL DEFAULT 0,
      times bytea,
      PRIMARY KEY (monitor, target, day)
    );
    CREATE TABLE monitor_hours (
      monitor bigint NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
      target text COLLATE "C" NOT NULL,
      hour bigint NOT NULL,
      looks bigint NOT NULL,
      up_ms bigint NOT NULL,
      down_ms bigint NOT NULL,
      times bytea NOT NULL,
      PRIMARY KEY (monitor, target, hour)
    );
    CREATE TABLE monitor_incidents (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      monitor bigint NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
      target text COLLATE "C" NOT NULL,
      from_at bigint NOT NULL,
      to_at bigint,
      why text NOT NULL
    );
    CREATE UNIQUE INDEX monitor_incidents_open ON monitor_incidents (monitor, target) WHERE to_at IS NULL;
    CREATE INDEX monitor_incidents_by_time ON monitor_incidents (monitor, from_at);
    CREATE TABLE monitor_pages (
      owner text COLLATE "C" PRIMARY KEY,
      slug text COLLATE "C" NOT NULL UNIQUE,
      title text NOT NULL,
      addresses bigint NOT NULL,
      salt text NOT NULL
    );
    CREATE TABLE monitor_beats (
      monitor bigint PRIMARY KEY REFERENCES monitors (id) ON DELETE CASCADE,
      hash text COLLATE "C" NOT NULL UNIQUE,
      at bigint,
      failed_at bigint,
      began_at bigint,
      took_ms bigint
    );
    CREATE TABLE monitor_alerts (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      monitor bigint NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
      "check" text COLLATE "C" NOT NULL,
      target text COLLATE "C" NOT NULL,
      fingerprint text COLLATE "C" NOT NULL,
      finding text NOT NULL,
      raised_at bigint NOT NULL,
      cleared_at bigint,
      reason text,
      good bigint NOT NULL DEFAULT 0,
      flapping bigint NOT NULL
    );
    CREATE UNIQUE INDEX monitor_alerts_open ON monitor_alerts (monitor, target, "check", fingerprint)
      WHERE cleared_at IS NULL;
    CREATE INDEX monitor_alerts_by_time ON monitor_alerts (monitor, raised_at);
    CREATE TABLE monitor_messages (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      monitor bigint REFERENCES monitors (id) ON DELETE CASCADE,
      owner text COLLATE "C" NOT NULL,
      webhook text,
      alert bigint NOT NULL,
      channel text COLLATE "C" NOT NULL,
      place text COLLATE "C" NOT NULL,
      line text COLLATE "C" NOT NULL,
      name text NOT NULL,
      notice text NOT NULL,
      made_at bigint NOT NULL,
      attempts bigint NOT NULL DEFAULT 0,
      tried_at bigint,
      next_at bigint NOT NULL,
      state text NOT NULL DEFAULT 'waiting',
      trouble text,
      runner text COLLATE "C",
      leased_until bigint
    );
    CREATE INDEX monitor_messages_due ON monitor_messages (next_at) WHERE state = 'waiting' AND runner IS NULL;
    CREATE INDEX monitor_messages_by_place ON monitor_messages (place, next_at)
      WHERE state = 'waiting' AND runner IS NULL;
    CREATE INDEX monitor_messages_leased ON monitor_messages (place) WHERE runner IS NOT NULL;
    CREATE INDEX monitor_messages_by_line ON monitor_messages (line, id);
    CREATE INDEX monitor_messages_waiting_by_line ON monitor_messages (line, id) WHERE state = 'waiting';
    CREATE INDEX monitor_messages_by_monitor ON monitor_messages (monitor, state);
  `,
};
