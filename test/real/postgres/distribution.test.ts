import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMcpSessionStore } from '../../../src/access/stores/sessions.ts';
import { createMcpTaskStore } from '../../../src/access/stores/tasks.ts';
import { createDocumentStore } from '../../../src/documents/stores/documents.ts';
import { createPassRevocations } from '../../../src/documents/stores/pass-revocations.ts';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import { createPostgresPageStore } from '../../../src/search/stores/postgres/pages.ts';
import { createFindingCache } from '../../../src/security/stores/finding-cache.ts';
import type { AnyDatabase, SqlValue } from '../../../src/storage/any-database.ts';
import { openNotices } from '../../../src/storage/postgres/notices.ts';
import { prepareText } from '../../../src/storage/postgres/prepare-text.ts';
import { describeDocumentStore } from '../../contracts/document-store.ts';
import { describeEntryStore } from '../../contracts/entry-store.ts';
import { describeKeptStore } from '../../contracts/kept-store.ts';
import { describeMcpTaskStore } from '../../contracts/mcp-task-store.ts';
import { CONTRACT_BYTES, CONTRACT_PAGES, describePageStore } from '../../contracts/page-store.ts';
import { describePassEnds } from '../../contracts/pass-ends.ts';
import { describeSessionStore } from '../../contracts/session-store.ts';
import { dropPostgres, makePostgres, type PostgresPlace } from '../../helpers/postgres.ts';
import { recordedDatabase } from '../../helpers/recorded-database.ts';

/**
 * Which tables can be distributed over several databases by the owner of a row (Citus: its key, every unique index and every
 * foreign key hold the owner's column), and which can not. A new table stands in one of the three lists.
 */

/** The column that says whose a row is. */
const DISTRIBUTED: Readonly<Record<string, string>> = {
  kb_entries: 'owner',
  kb_passages: 'owner',
  kb_words: 'owner',
  kb_halfvecs: 'owner',
  kb_vectors: 'owner',
  kb_embedded: 'owner',
  pages: 'owner',
  page_versions: 'owner',
  page_owners: 'owner',
  pass_ends: 'owner',
  scan_kept: 'owner',
  mcp_events: 'owner',
  mcp_tasks: 'owner',
};

/** Small, the same for all users, or found before the user is known: in one place, or a copy in each. */
const ONE_PLACE: Readonly<Record<string, string>> = {
  magpie_migrations: 'the version of the schema',
  magpie_secrets: 'the secret of the installation',
  kb_models: 'names of models',
  kb_owners: 'the number of each user, found by name: a row a user',
  kb_changes: 'notices to nodes, dropped within hours',
  engine_suspensions: 'engines that rest for all users',
  access_version: 'one number',
  access_keys: 'found by its hash, which says whose it is',
  access_grants: 'by user: apps that a user signed in to',
  access_tokens: 'found by hash, which says whose it is',
  access_networks: 'by credential: networks that a key was used from',
  access_usage: 'by credential: calls of the last days',
  access_days: 'by credential: counts of a day',
  access_counts: 'by credential: counts of a day',
  access_rates: 'calls of the last minute, under hashes',
  mcp_nodes: 'nodes that run',
  mcp_answers: 'mail between nodes, taken within seconds',
};

/** What keeps the others in one place today: names of unique indexes and foreign keys that lack the owner, or no column at all. */
const WOULD_CHANGE: Readonly<Record<string, readonly string[]>> = {
  documents: ['documents_pkey'],
  document_pages: ['document_pages_document_fkey'],
  blobs: ['no owner'],
  blob_pieces: ['no owner'],
  crawls: ['crawls_pkey'],
  crawl_addresses: ['no owner'],
  crawl_jobs: ['crawl_jobs_pkey'],
  scans: ['scans_pkey'],
  scan_findings: ['no owner'],
  scan_components: ['no owner'],
  compliance_checks: ['compliance_checks_id_key', 'compliance_checks_pkey'],
  compliance_jobs: ['compliance_jobs_pkey'],
  compliance_attestations: ['compliance_attestations_pkey'],
  monitors: ['monitors_pkey'],
  monitor_changes: ['monitor_changes_pkey'],
  monitor_jobs: ['no owner'],
  monitor_results: ['no owner'],
  monitor_days: ['no owner'],
  monitor_hours: ['no owner'],
  monitor_incidents: ['no owner'],
  monitor_alerts: ['no owner'],
  monitor_messages: ['monitor_messages_monitor_fkey', 'monitor_messages_pkey'],
  monitor_beats: ['no owner'],
  monitor_pages: ['monitor_pages_slug_key'],
  kb_folders: ['kb_folders_pkey'],
  kb_folder_files: ['no owner'],
  mcp_sessions: ['mcp_sessions_pkey'],
  mcp_subscriptions: ['no owner'],
};

const TABLES = `SELECT c.relname AS name, EXISTS (SELECT 1 FROM pg_attribute AS a
    WHERE a.attrelid = c.oid AND a.attname = 'owner' AND NOT a.attisdropped) AS owned
  FROM pg_class AS c WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace`;
/** Unique indexes and foreign keys with their columns; what a foreign key refers to. */
const RULES = `SELECT c.relname AS "table", i.relname AS name, NULL AS target,
    ARRAY(SELECT a.attname::text FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attnum = ANY (x.indkey)) AS columns
  FROM pg_index AS x JOIN pg_class AS c ON c.oid = x.indrelid JOIN pg_class AS i ON i.oid = x.indexrelid
  WHERE x.indisunique AND c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
  UNION ALL SELECT c.relname, k.conname, t.relname,
    ARRAY(SELECT a.attname::text FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attnum = ANY (k.conkey))
  FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid JOIN pg_class AS t ON t.oid = k.confrelid
  WHERE k.contype = 'f' AND c.relnamespace = 'public'::regnamespace AND NOT c.relispartition`;

interface Rule {
  readonly table: string;
  readonly name: string;
  readonly target: string | null;
  readonly columns: readonly string[];
}

const asked = new Map<string, readonly SqlValue[]>();
let place: PostgresPlace;
let client: pg.Client;

beforeAll(async () => {
  place = await makePostgres();
  await (await place.open()).close();
  client = new pg.Client({ connectionString: place.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await place.remove();
  await dropPostgres();
});

const rulesOf = async () => (await client.query<Rule>(RULES)).rows;
const isSmall = (table: string | null) => table !== null && table in ONE_PLACE;
const names = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name).toSorted();

test('every table is distributed by owner, stays in one place, or is listed with the required change', async () => {
  const { rows } = await client.query<{ name: string; owned: boolean }>(TABLES);
  const listed = [DISTRIBUTED, ONE_PLACE, WOULD_CHANGE].flatMap((list) => Object.keys(list));
  expect(names(rows)).toEqual(listed.toSorted());
});

test('a distributed table has its owner in every key, and refers only to rows of the same owner or to replicated tables', async () => {
  const rules = (await rulesOf()).filter(({ table }) => table in DISTRIBUTED);
  const broken = rules.filter(
    ({ table, target, columns }) => !columns.includes(DISTRIBUTED[table] ?? '') && !isSmall(target),
  );
  expect(broken).toEqual([]);
  expect(rules.some(({ table, target }) => table === 'mcp_events' && target === 'mcp_sessions')).toBe(true);
});

test('the listed reason that a table stays in one place matches its keys', async () => {
  const { rows } = await client.query<{ name: string; owned: boolean }>(TABLES);
  const rules = await rulesOf();
  for (const [table, said] of Object.entries(WOULD_CHANGE)) {
    const owned = rows.find(({ name }) => name === table)?.owned;
    const broken = rules.filter((rule) => rule.table === table && !rule.columns.includes('owner'));
    expect([table, owned ? names(broken.filter(({ target }) => !isSmall(target))) : ['no owner']]).toEqual([
      table,
      said,
    ]);
  }
});

/** The stores of distributed tables, by their own contract suites; each statement is noted. */
const recorded = async (open: () => Promise<AnyDatabase>) => recordedDatabase(await open(), asked);

describeEntryStore('recorded', async (clock) => {
  const { open, remove } = await makePostgres();
  return {
    remove,
    async open() {
      const db = await recorded(open);
      return { store: createEntryStore(db, { now: () => clock.now }), drop: () => db.close() };
    },
  };
});
describePageStore('recorded', async () => {
  const { open, remove } = await makePostgres();
  const bounds = { maxPages: CONTRACT_PAGES, maxBytes: CONTRACT_BYTES };
  const openAnother = async () => createPostgresPageStore(await recorded(open), bounds);
  return { store: await openAnother(), openAnother, close: remove };
});
describeDocumentStore('recorded', async () => {
  const { open, remove } = await makePostgres();
  return {
    remove,
    async open() {
      const db = await recorded(open);
      return { store: createDocumentStore(db), drop: () => db.close() };
    },
  };
});
describePassEnds('recorded', async () => {
  const { open, remove } = await makePostgres();
  return {
    remove,
    async open() {
      const db = await recorded(open);
      return { ends: createPassRevocations(db), drop: () => db.close() };
    },
  };
});
describeKeptStore('recorded', async () => {
  const { open, remove } = await makePostgres();
  return { open: async (bounds) => createFindingCache(await recorded(open), bounds), remove };
});
describeMcpTaskStore('recorded', async () => {
  const { open, remove } = await makePostgres();
  return { open: async () => createMcpTaskStore(await recorded(open)), remove };
});
describeSessionStore('recorded', async () => {
  const own = await makePostgres();
  const notices = openNotices(own.url);
  return {
    open: async () => createMcpSessionStore(await recorded(own.open), notices),
    async remove() {
      await notices.close();
      await own.remove();
    },
  };
});

interface Node {
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Node[];
  readonly [detail: string]: unknown;
}

/** Each reading of a table in a plan, and the conditions there and above it. */
function readings(node: Node, above = ''): { table: string; conditions: string }[] {
  const own = [
    'Index Cond',
    'Recheck Cond',
    'Filter',
    'Hash Cond',
    'Merge Cond',
    'Join Filter',
    'One-Time Filter',
  ]
    .flatMap((name) => (typeof node[name] === 'string' ? [String(node[name])] : []))
    .join(' ');
  const conditions = `${above} ${own}`;
  const below = (node.Plans ?? []).flatMap((plan) => readings(plan, conditions));
  const table = node['Relation Name'];
  const isRead = table !== undefined && node['Node Type'] !== 'ModifyTable';
  return isRead ? [{ table, conditions: `${conditions} ${conditionsBelow(node)}` }, ...below] : below;
}

/** A bitmap's index has its own conditions. */
function conditionsBelow({ Plans = [] }: Node): string {
  return Plans.map((plan) => `${plan['Index Cond'] ?? ''} ${conditionsBelow(plan)}`).join(' ');
}

/** Without the number of a partition. */
const tableOf = (name: string) => name.replace(/_\d+$/, '');
const BY_OWNER = /\b(owner|session)\b[^=<>]{0,20} = /;

test('no statement on distributed tables joins rows of two owners', async () => {
  const crossing: unknown[] = [];
  let joins = 0;
  for (const [text, values] of asked) {
    if (!Object.keys(DISTRIBUTED).some((table) => new RegExp(`\\b${table}\\b`).test(text))) continue;
    if (!/^\s*(select|with|insert|update|delete)/i.test(text)) continue;
    const { rows } = await client.query(`EXPLAIN (COSTS OFF, FORMAT JSON) ${prepareText(text).text}`, [
      ...values,
    ]);
    const read = readings(rows[0]['QUERY PLAN'][0].Plan).filter(({ table }) => tableOf(table) in DISTRIBUTED);
    const parts = new Set(read.map(({ table }) => /_(\d+)$/.exec(table)?.[1]).filter(Boolean));
    const tables = new Set(read.map(({ table }) => tableOf(table)));
    if (tables.size < 2) continue;
    joins++;
    const free = read.filter(({ conditions }) => !BY_OWNER.test(conditions));
    if (free.length > 0 || parts.size > 1) crossing.push({ text, free, parts: [...parts] });
  }
  expect(crossing).toEqual([]);
  // Such statements were among those that the suites have sent.
  expect([asked.size > 100, joins > 10]).toEqual([true, true]);
});
