import type { PostgresMigration } from './migration.ts';

/** Messages for an ended node are deleted by age. */
export const POSTGRES_NODE_MAIL: PostgresMigration = {
  id: 12,
  name: 'node mail',
  oldest: 1,
  sql: `
    CREATE UNLOGGED TABLE mcp_nodes (node text COLLATE "C" PRIMARY KEY, at bigint NOT NULL);
    ALTER TABLE mcp_answers ADD COLUMN at bigint NOT NULL DEFAULT CAST(extract(epoch FROM now()) * 1000 AS bigint);
    CREATE INDEX mcp_answers_by_node ON mcp_answers (node, id);
  `,
};
