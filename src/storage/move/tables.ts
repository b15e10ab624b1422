import type { Dialect } from '../any-database.ts';

export interface SqliteColumn {
  readonly read: string;
  /** Column to write and SQL for its value, or null if SQLite computes the column itself. */
  readonly write: readonly [column: string, value: string] | null;
}

export interface MovedTable {
  readonly name: string;
  readonly sqliteName?: string;
  readonly rows?: number;
  readonly sqliteKey?: readonly string[];
  readonly made?: readonly string[];
  readonly sqlite?: Readonly<Record<string, SqliteColumn>>;
}

export function tableNameIn({ name, sqliteName = name }: MovedTable, dialect: Dialect): string {
  return dialect === 'sqlite' ? sqliteName : name;
}

const LARGE_ROWS = 16;
const PAGE_OWNER: SqliteColumn = {
  read: '(SELECT name FROM page_owners WHERE id = t.owner)',
  write: ['owner', '(SELECT id FROM page_owners WHERE name = ?)'],
};

export const MOVED_TABLES: readonly MovedTable[] = [
  { name: 'access_keys' },
  { name: 'access_networks' },
  { name: 'access_usage' },
  { name: 'access_days' },
  { name: 'access_counts' },
  { name: 'kb_owners' },
  { name: 'kb_entries' },
  {
    name: 'kb_passages',
    rows: 200,
    sqliteKey: ['id'],
    sqlite: { owner: { read: '(t.id >> 31)', write: null } },
  },
  { name: 'kb_models' },
  { name: 'kb_embedded' },
  {
    name: 'kb_halfvecs',
    sqliteName: 'kb_vectors',
    sqliteKey: ['id'],
    // Bits 31 to 54 of the id are the number of the owner.
    sqlite: { owner: { read: '((t.id & ((1 << 55) - 1)) >> 31)', write: null } },
  },
  { name: 'kb_folders' },
  { name: 'kb_folder_files' },
  { name: 'documents' },
  {
    name: 'document_pages',
    rows: LARGE_ROWS,
    sqliteKey: ['document', 'page'],
    sqlite: { owner: { read: '(SELECT owner FROM documents WHERE id = t.document)', write: null } },
  },
  { name: 'pass_ends' },
  { name: 'engine_suspensions' },
  { name: 'crawls' },
  { name: 'crawl_addresses' },
  {
    name: 'page_owners',
    made: ['words'],
    sqlite: {
      owner: { read: 't.name', write: ['name', '?'] },
      pages: { read: 't.pages', write: null },
      bytes: { read: 't.bytes', write: null },
    },
  },
  {
    name: 'pages',
    rows: LARGE_ROWS,
    sqliteKey: ['id'],
    made: ['place', 'length', 'terms', 'counts'],
    sqlite: {
      owner: PAGE_OWNER,
      first_at: { read: 'coalesce(t.first_at, t.read_at)', write: ['first_at', '?'] },
    },
  },
  { name: 'page_versions', rows: LARGE_ROWS, sqliteKey: ['id'], sqlite: { owner: PAGE_OWNER } },
  { name: 'scans' },
  { name: 'scan_findings' },
  { name: 'scan_components', rows: LARGE_ROWS },
  { name: 'scan_kept', rows: LARGE_ROWS },
  { name: 'compliance_checks', rows: LARGE_ROWS },
  { name: 'compliance_jobs', rows: LARGE_ROWS },
  { name: 'compliance_attestations' },
  { name: 'monitors' },
  { name: 'monitor_changes' },
  { name: 'monitor_jobs' },
  { name: 'monitor_results' },
  { name: 'monitor_days' },
  { name: 'monitor_hours' },
  { name: 'monitor_incidents' },
  { name: 'monitor_pages' },
  { name: 'monitor_beats' },
  { name: 'monitor_alerts' },
  { name: 'monitor_messages' },
];
