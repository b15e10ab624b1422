import type { PostgresMigration } from './migration.ts';

export const POSTGRES_SESSIONS: PostgresMigration = {
  id: 10,
  name: 'sessions',
  oldest: 1,
  sql: `
    CREATE TABLE mcp_sessions (
      id text COLLATE "C" PRIMARY KEY,
      owner text COLLATE "C" NOT NULL,
      credential text COLLATE "C",
      expires_at bigint,
      initialize text NOT NULL,
      used_at bigint NOT NULL
    );
    CREATE INDEX mcp_sessions_by_owner ON mcp_sessions (owner, used_at);
    CREATE INDEX mcp_sessions_by_use ON mcp_sessions (used_at);
    CREATE TABLE mcp_subscriptions (
      session text COLLATE "C" NOT NULL REFERENCES mcp_sessions (id) ON DELETE CASCADE,
      uri text COLLATE "C" NOT NULL,
      PRIMARY KEY (session, uri)
    );
    CREATE TABLE mcp_answers (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      session text COLLATE "C" NOT NULL REFERENCES mcp_sessions (id) ON DELETE CASCADE,
      node text COLLATE "C" NOT NULL,
      message text NOT NULL
    );
    CREATE INDEX mcp_answers_by_session ON mcp_answers (session, node);
  `,
};
