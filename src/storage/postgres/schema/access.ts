import type { PostgresMigration } from './migration.ts';

/** Tables of ../../migrations/access.ts for PostgreSQL. `access_version` changes whenever a key changes. */
export const POSTGRES_ACCESS: PostgresMigration = {
  id: 2,
  name: 'access',
  oldest: 1,
  sql: `
    CREATE TABLE access_keys (
      id text COLLATE "C" PRIMARY KEY,
      "user" text COLLATE "C" NOT NULL,
      name text NOT NULL,
      prefix text NOT NULL,
      hash bytea NOT NULL UNIQUE,
      scopes text NOT NULL,
      created_at bigint NOT NULL,
      expires_at bigint,
      revoked_at bigint,
      replaced_by text,
      used_at bigint
    );
    CREATE TABLE access_version (one bigint PRIMARY KEY CHECK (one = 1), changes bigint NOT NULL);
    INSERT INTO access_version VALUES (1, 0);
    CREATE TABLE access_networks (
      credential text COLLATE "C" NOT NULL,
      network text COLLATE "C" NOT NULL,
      seen_at bigint NOT NULL,
      PRIMARY KEY (credential, network)
    );
    CREATE TABLE access_usage (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      at bigint NOT NULL,
      credential text COLLATE "C" NOT NULL,
      "user" text COLLATE "C" NOT NULL,
      operation text NOT NULL,
      outcome text NOT NULL,
      ms bigint NOT NULL,
      address text NOT NULL
    );
    CREATE INDEX access_usage_by_time ON access_usage (at);
    CREATE INDEX access_usage_by_credential ON access_usage (credential, id);
    CREATE TABLE access_days (
      credential text COLLATE "C" NOT NULL,
      day bigint NOT NULL,
      operation text COLLATE "C" NOT NULL,
      outcome text COLLATE "C" NOT NULL,
      calls bigint NOT NULL,
      PRIMARY KEY (credential, day, operation, outcome)
    );
    CREATE TABLE access_counts (
      day bigint NOT NULL,
      subject text COLLATE "C" NOT NULL,
      what text COLLATE "C" NOT NULL,
      count bigint NOT NULL,
      PRIMARY KEY (day, subject, what)
    );
  `,
};
