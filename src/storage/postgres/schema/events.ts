import type { PostgresMigration } from './migration.ts';

export const POSTGRES_EVENTS: PostgresMigration = {
  id: 16,
  name: 'events',
  oldest: 1,
  sql: `
    CREATE UNIQUE INDEX mcp_sessions_of_owner ON mcp_sessions (owner, id);
    CREATE TABLE mcp_events (
      owner text COLLATE "C" NOT NULL,
      session text COLLATE "C" NOT NULL,
      stream text COLLATE "C" NOT NULL,
      number bigint NOT NULL,
      message text NOT NULL,
      ends smallint NOT NULL,
      at bigint NOT NULL,
      PRIMARY KEY (owner, session, stream, number),
      FOREIGN KEY (owner, session) REFERENCES mcp_sessions (owner, id) ON DELETE CASCADE
    );
    CREATE INDEX mcp_events_by_age ON mcp_events (at);
  `,
};
