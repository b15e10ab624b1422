import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import type { AnyDatabase } from '../../src/storage/any-database.ts';
import { openPostgres } from '../../src/storage/postgres/open.ts';
import { POSTGRES_MIGRATIONS } from '../../src/storage/postgres/schema/list.ts';

/** The server that `.ci/postgres` started; the tests in test/real/postgres run where there is one. */
const SERVER = process.env.MAGPIE_TEST_POSTGRES ?? '';

/**
 * A database of its own on the test's server, as docs/postgresql.md has one made: it belongs to a role that is no superuser, and an
 * administrator has created pgvector in it.
 */
export interface PostgresPlace {
  readonly url: string;
  /** Runs statements there as the administrator. */
  administer(sql: string): Promise<void>;
  /** Opens it once more, as another process does. */
  open(): Promise<AnyDatabase>;
  /** Closes what was opened, and drops it. */
  remove(): Promise<void>;
}

/** The role that owns them, and its password. */
const OWNER = 'magpie_owner';

/** Workers of the tests come to it at once. */
const MAKE_OWNER = `DO $$
BEGIN
  CREATE ROLE ${OWNER} LOGIN PASSWORD '${OWNER}';
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$`;

async function onServer(sql: string, database?: string): Promise<void> {
  const url = new URL(SERVER);
  if (database !== undefined) url.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Databases of this process that were emptied: making one takes a second, emptying one a twentieth of that. */
const free: string[] = [];

/**
 * Deletes all rows from the tables and partitions whose files have something, without triggers. TRUNCATE takes several times as
 * long: it makes new files for all 16 partitions and their indexes.
 */
const EMPTY = `DO $$
DECLARE name regclass;
BEGIN
  SET LOCAL session_replication_role = replica;
  FOR name IN SELECT oid FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0
      AND relname NOT IN ('magpie_migrations', 'access_version')
  LOOP
    EXECUTE 'DELETE FROM ' || name;
  END LOOP;
  PERFORM setval(seqrelid, seqstart, false) FROM pg_sequence JOIN pg_class ON pg_class.oid = seqrelid
    WHERE relnamespace = 'public'::regnamespace;
  IF to_regclass('magpie_jobs.job') IS NOT NULL THEN DELETE FROM magpie_jobs.job; END IF;
END $$`;

const nameOfOne = () => `magpie_${randomUUID().replaceAll('-', '')}`;

function urlOf(name: string): string {
  const url = new URL(SERVER);
  url.pathname = `/${name}`;
  url.username = OWNER;
  url.password = OWNER;
  return url.href;
}

async function makeDatabase(name: string): Promise<void> {
  await onServer(MAKE_OWNER);
  await onServer(`CREATE DATABASE ${name} OWNER ${OWNER}`);
  await onServer('CREATE EXTENSION vector', name);
}

/** What all of the schema is copied from: there is one of each schema on a server. */
const TEMPLATE = `magpie_template_${createHash('sha256').update(JSON.stringify(POSTGRES_MIGRATIONS)).digest('hex').slice(0, 16)}`;
let template: Promise<void> | undefined;

/** Workers of the tests come to it at once: one makes it, and marks what is whole as a template. */
async function makeTemplate(): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [TEMPLATE]);
    const isThere = 'SELECT 1 FROM pg_database WHERE datname = $1 AND datistemplate';
    if ((await client.query(isThere, [TEMPLATE])).rows.length > 0) return;
    await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`);
    await makeDatabase(TEMPLATE);
    await (await openPostgres({ url: urlOf(TEMPLATE) })).close();
    await client.query(`ALTER DATABASE ${TEMPLATE} IS_TEMPLATE true ALLOW_CONNECTIONS false`);
  } finally {
    await client.end();
  }
}

async function copyTemplate(name: string): Promise<void> {
  template ??= makeTemplate();
  await template;
  // Its files are copied: through the log, which is the default, it takes twice as long.
  await onServer(`CREATE DATABASE ${name} OWNER ${OWNER} TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`);
}

/** An empty database without a schema, or with all of it; one of its `own` is no one's before or after. */
export async function makePostgres(schema: 'whole' | 'own' | 'none' = 'whole'): Promise<PostgresPlace> {
  const known = schema === 'whole' ? free.pop() : undefined;
  const name = known ?? nameOfOne();
  if (known === undefined) await (schema === 'none' ? makeDatabase : copyTemplate)(name);
  const opened: AnyDatabase[] = [];
  return {
    url: urlOf(name),
    administer: (sql) => onServer(sql, name),
    async open() {
      const db = await openPostgres({ url: urlOf(name) });
      opened.push(db);
      return db;
    },
    async remove() {
      for (const db of opened) await db.close();
      if (schema !== 'whole') return onServer(`DROP DATABASE ${name} WITH (FORCE)`);
      await onServer(EMPTY, name);
      free.push(name);
    },
  };
}

/** Drops what `makePostgres` has kept for the next test. */
export async function dropPostgres(): Promise<void> {
  for (const name of free.splice(0)) await onServer(`DROP DATABASE ${name} WITH (FORCE)`);
}

/** An empty store for a contract suite: `make` makes it on each connection. */
export async function emptyPostgres<Store>(make: (db: AnyDatabase) => Store) {
  const place = await makePostgres();
  return { open: async () => make(await place.open()), remove: place.remove };
}
