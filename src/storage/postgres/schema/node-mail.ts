import type { PostgresMigration } from './migration.ts';

/**
 * The nodes that are there, and mail between them: `mcp_answers` is from here on for all that one node has for another about a
 * session. What a node that is gone has left there goes by its age.
 */
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
