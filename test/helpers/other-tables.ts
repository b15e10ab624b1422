/**
 * Tables of PostgreSQL that are not moved as rows: what is made again from others, announcements to processes that run, what runs in them, sessions, tasks of three hours, counts of a minute, and the
 * bytes of files and the secret, which lie in the data folder otherwise.
 */
export const OTHER_TABLES: readonly string[] = [
  'access_rates',
  'access_version',
  'blob_pieces',
  'blobs',
  'crawl_jobs',
  'kb_changes',
  'kb_vectors',
  'kb_words',
  'magpie_migrations',
  'magpie_secrets',
  'mcp_answers',
  'mcp_events',
  'mcp_nodes',
  'mcp_sessions',
  'mcp_subscriptions',
  'mcp_tasks',
];

/** Tables without a row of any user, and why. Files' bytes are named by a hash of the user: a deletion begins with them. */
export const OWNERLESS_TABLES: Readonly<Record<string, string>> = {
  access_rates: 'calls of the last minutes, under hashes',
  access_version: 'one number, which grows when keys change',
  blobs: 'files’ bytes, deleted file by file',
  blob_pieces: 'files’ bytes, deleted file by file',
  engine_suspensions: 'engines that rest for all users',
  kb_models: 'names of models',
  magpie_migrations: 'the version of the schema',
  magpie_secrets: 'the secret of the installation, and whether it is whole',
  mcp_nodes: 'nodes that run',
};
