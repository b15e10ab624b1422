import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { AnyDatabase } from '../../src/storage/any-database.ts';
import { openPostgres } from '../../src/storage/postgres/open.ts';

/** The server that `.ci/postgres` started; the tests in test/real/postgres run where there is one. */
const SERVER = process.env.MAGPIE_TEST_POSTGRES ?? '';

/** A database of its own on the test's server. */
export interface PostgresPlace {
  readonly url: string;
  /** Opens it once more, as another process does. */
  open(): Promise<AnyDatabase>;
  /** Closes what was opened, and drops it. */
  remove(): Promise<void>;
}

async function onServer(sql: string, database?: string): Promise<void> {
  const client = new pg.Client({ connectionString: database === undefined ? SERVER : urlOf(database) });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Databases of this process that were emptied: making one takes a second, emptying one a twentieth of that. */
const free: string[] = [];

/** Empties the tables that have rows; partitions go with their table. */
const EMPTY = `DO $$
DECLARE name regclass; filled boolean; list text := '';
BEGIN
  FOR name IN SELECT oid FROM pg_class
    WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace
      AND relname NOT IN ('magpie_migrations', 'access_version')
  LOOP
    EXECUTE format('SELECT EXISTS (SELECT 1 FROM %s)', name) INTO filled;
    IF filled THEN list := list || ', ' || name; END IF;
  END LOOP;
  IF list <> '' THEN EXECUTE 'TRUNCATE ' || substr(list, 3) || ' RESTART IDENTITY CASCADE'; END IF;
  IF to_regclass('magpie_jobs.job') IS NOT NULL THEN TRUNCATE magpie_jobs.job CASCADE; END IF;
END $$`;

const nameOfOne = () => `magpie_${randomUUID().replaceAll('-', '')}`;

function urlOf(name: string): string {
  const url = new URL(SERVER);
  url.pathname = `/${name}`;
  return url.href;
}

/** An empty database without a schema, or with all of it. */
export async function makePostgres(schema: 'whole' | 'none' = 'whole'): Promise<PostgresPlace> {
  const known = schema === 'whole' ? free.pop() : undefined;
  const name = known ?? nameOfOne();
  if (known === undefined) await onServer(`CREATE DATABASE ${name}`);
  const opened: AnyDatabase[] = [];
  return {
    url: urlOf(name),
    async open() {
      const db = await openPostgres({ url: urlOf(name) });
      opened.push(db);
      return db;
    },
    async remove() {
      for (const db of opened) await db.close();
      if (schema === 'none') return onServer(`DROP DATABASE ${name} WITH (FORCE)`);
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
