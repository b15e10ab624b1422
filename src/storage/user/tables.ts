import type { Dialect } from '../any-database.ts';

export interface OwnedTable {
  readonly name: string;
  /** Name in SQLite. Null if only PostgreSQL has the table. */
  readonly sqliteName?: string | null;
  /** SQL condition for a user's rows. `:user` is the user's name, and `:page` is `page:` plus the name. */
  readonly of: string;
  readonly ofSqlite?: string;
  /** Columns that sort the exported rows. Null if the table is not exported: its data is derived or secret. */
  readonly key: string | null;
  /** Columns that are not exported, because their values give access. */
  readonly secret?: readonly string[];
}

const NAMED = 'owner = :user';
const inside = (column: string, parent: string) =>
  `${column} IN (SELECT id FROM ${parent} WHERE owner = :user)`;
const NUMBERS = 'IN (SELECT id FROM kb_owners WHERE name = :user)';
const NUMBERED = `owner ${NUMBERS}`;
const PAGES_SQLITE = 'owner IN (SELECT id FROM page_owners WHERE name = :user)';
const KEYS = 'SELECT id FROM access_keys WHERE "user" = :user';
const CREDENTIAL = `(credential IN (${KEYS}) OR credential IN (:user, :page))`;

export const OWNED_TABLES: readonly OwnedTable[] = [
  { name: 'mcp_answers', sqliteName: null, of: inside('session', 'mcp_sessions'), key: null },
  { name: 'mcp_events', sqliteName: null, of: NAMED, key: null },
  { name: 'mcp_subscriptions', sqliteName: null, of: inside('session', 'mcp_sessions'), key: null },
  { name: 'mcp_sessions', sqliteName: null, of: NAMED, key: null },
  { name: 'kb_changes', of: NUMBERED, key: null },
  {
    name: 'kb_words',
    of: NUMBERED,
    ofSqlite: `rowid IN (SELECT id FROM kb_words_docsize WHERE (id >> 39) ${NUMBERS})`,
    key: null,
  },
  {
    name: 'kb_halfvecs',
    sqliteName: 'kb_vectors',
    of: NUMBERED,
    ofSqlite: `((id & ((1 << 55) - 1)) >> 31) ${NUMBERS}`,
    key: null,
  },
  { name: 'kb_vectors', sqliteName: null, of: NUMBERED, key: null },
  { name: 'kb_embedded', of: NUMBERED, key: null },
  { name: 'kb_passages', of: NUMBERED, ofSqlite: `(id >> 31) ${NUMBERS}`, key: 'id' },
  { name: 'kb_folder_files', of: inside('folder', 'kb_folders'), key: 'folder, path' },
  { name: 'kb_folders', of: NAMED, key: 'id' },
  { name: 'kb_entries', of: NUMBERED, key: 'at' },
  { name: 'kb_owners', of: 'name = :user', key: 'id' },
  { name: 'document_pages', of: NAMED, ofSqlite: inside('document', 'documents'), key: 'document, page' },
  { name: 'documents', of: NAMED, key: 'id' },
  { name: 'pass_ends', of: NAMED, key: 'owner' },
  { name: 'crawl_jobs', sqliteName: null, of: NAMED, key: null },
  { name: 'crawl_addresses', of: inside('crawl', 'crawls'), key: 'id' },
  { name: 'crawls', of: NAMED, key: 'id' },
  { name: 'page_versions', of: NAMED, ofSqlite: PAGES_SQLITE, key: 'id' },
  { name: 'pages', of: NAMED, ofSqlite: PAGES_SQLITE, key: 'id' },
  { name: 'page_owners', of: NAMED, ofSqlite: 'name = :user', key: null },
  { name: 'scan_findings', of: inside('scan', 'scans'), key: 'scan, ordinal' },
  { name: 'scan_components', of: inside('scan', 'scans'), key: 'scan' },
  { name: 'scans', of: NAMED, key: 'id' },
  { name: 'scan_kept', of: NAMED, key: null },
  { name: 'compliance_checks', of: NAMED, key: 'seq' },
  { name: 'compliance_jobs', of: NAMED, key: 'id' },
  { name: 'compliance_attestations', of: NAMED, key: 'id' },
  { name: 'monitor_messages', of: NAMED, key: 'id', secret: ['webhook', 'place'] },
  { name: 'monitor_alerts', of: inside('monitor', 'monitors'), key: 'id' },
  { name: 'monitor_beats', of: inside('monitor', 'monitors'), key: 'monitor', secret: ['hash'] },
  { name: 'monitor_incidents', of: inside('monitor', 'monitors'), key: 'id' },
  { name: 'monitor_hours', of: inside('monitor', 'monitors'), key: 'monitor, target, hour' },
  { name: 'monitor_days', of: inside('monitor', 'monitors'), key: 'monitor, target, day' },
  { name: 'monitor_results', of: inside('monitor', 'monitors'), key: 'monitor, target, "check"' },
  { name: 'monitor_jobs', of: inside('monitor', 'monitors'), key: 'id' },
  { name: 'monitor_changes', of: NAMED, key: 'id' },
  { name: 'monitor_pages', of: NAMED, key: 'owner', secret: ['salt'] },
  { name: 'monitors', of: NAMED, key: 'id', secret: ['webhook'] },
  { name: 'access_networks', of: CREDENTIAL, key: 'credential, network' },
  { name: 'access_days', of: CREDENTIAL, key: 'credential, day, operation, outcome' },
  {
    name: 'access_counts',
    of: `(subject IN (SELECT 'key ' || id FROM access_keys WHERE "user" = :user) OR subject IN ('key ' || :user, 'key ' || :page, 'user ' || :user))`,
    key: 'day, subject, what',
  },
  { name: 'access_usage', of: `("user" = :user OR ${CREDENTIAL})`, key: 'id' },
  { name: 'access_keys', of: '"user" = :user', key: 'id', secret: ['hash'] },
];

export function ownedTableName(
  { name, sqliteName = name }: OwnedTable,
  dialect: Dialect,
): string | undefined {
  return dialect === 'sqlite' ? (sqliteName ?? undefined) : name;
}

export function userRowsCondition(
  { of, ofSqlite = of }: OwnedTable,
  dialect: Dialect,
  user: string,
): { readonly condition: string; readonly values: readonly string[] } {
  const named = dialect === 'sqlite' ? ofSqlite : of;
  const values = [...named.matchAll(/:(user|page)\b/g)].map(([, name]) =>
    name === 'page' ? `page:${user}` : user,
  );
  return { condition: named.replaceAll(/:(?:user|page)\b/g, '?'), values };
}
