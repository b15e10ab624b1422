import type { Config } from '../config/config.ts';
import { withDeadline } from '../lib/concurrency/deadline.ts';
import { makeOnce } from '../lib/concurrency/once.ts';
import type { Logger } from '../log.ts';
import type { AnyDatabase } from '../storage/any-database.ts';
import type { PostgresDatabase } from '../storage/postgres/open.ts';
import { openOwnBucket } from './open/open-bucket.ts';
import { createSharedStores } from './shared-stores.ts';
import type { Stores } from './stores.ts';

const READY_MS = 5000;

export function openPostgresStores(config: Config, log: Logger): Stores {
  const { database: url, localPages: maxPages, localBytes: maxBytes, blobs, hnswPassages } = config;
  const database = makeOnce(async () => {
    const db = await (await import('../storage/postgres/open.ts')).openPostgres({ url });
    await nameOldParts(db, log);
    return db;
  });
  const onDatabase = <Store>(open: (db: AnyDatabase) => Promise<Store>) =>
    makeOnce(async () => open(await database()));
  const notices = makeOnce(async () => (await import('../storage/postgres/notices.ts')).openNotices(url));
  const secret = onDatabase(async (db) =>
    (await import('../storage/postgres/secret.ts')).loadSharedSecret(db),
  );
  const bucket = makeOnce(async () => openOwnBucket(config, blobs ?? '', secret));
  const sharedJobs = makeOnce(async () =>
    (await import('../storage/postgres/jobs/queue.ts')).createPostgresJobs(
      await database(),
      await notices(),
      log,
    ),
  );
  return {
    ...createSharedStores(onDatabase),
    pages: onDatabase(async (db) => {
      const { createLongWorkRunner } = await import('../storage/postgres/long-work.ts');
      const { createPostgresPageStore } = await import('../search/stores/postgres/pages.ts');
      return createPostgresPageStore(db, { maxPages, maxBytes }, createLongWorkRunner(url));
    }),
    crawlJobs: onDatabase(async (db) =>
      (await import('../search/stores/postgres/crawl-jobs.ts')).createCrawlJobStore(db),
    ),
    entries: onDatabase(async (db) => {
      const { createLongWorkRunner } = await import('../storage/postgres/long-work.ts');
      const runLong = createLongWorkRunner(url);
      const graphs = hnswPassages > 0 ? { from: hnswPassages, runLong } : undefined;
      return (await import('../knowledge/stores/entry-store.ts')).createEntryStore(db, { graphs, runLong });
    }),
    blobs:
      blobs === undefined
        ? onDatabase(async (db) => (await import('../documents/blobs/postgres.ts')).createPostgresBlobs(db))
        : bucket,
    rates: onDatabase(async (db) => (await import('../access/stores/rates.ts')).createRateLimitStore(db)),
    sessions: onDatabase(async (db) =>
      (await import('../access/stores/sessions.ts')).createMcpSessionStore(db, await notices()),
    ),
    secret,
    sharedJobs,
    async ready() {
      const ask = async () => (await database()).read((sql) => sql.get('SELECT 1'));
      await withDeadline(new AbortController().signal, READY_MS, ask, { timeout: 'the database is silent' });
    },
    // Does nothing, because PostgreSQL itself reports damaged data when reading the data.
    findDamage: async () => {},
    async close() {
      if (bucket.made()) await (await bucket()).close();
      if (notices.made()) await (await notices()).close();
      if (database.made()) await (await database()).close();
    },
  };
}

/** Warns of old versions of PostgreSQL or pgvector. Ignores a failed query: later ones report the error. */
async function nameOldParts(db: PostgresDatabase, log: Logger): Promise<void> {
  const { describeOldParts, SERVER_VERSIONS_SQL } = await import('../storage/postgres/oldest-versions.ts');
  const [row] = (await db.ask(SERVER_VERSIONS_SQL).catch(() => ({ rows: [] }))).rows;
  if (!row) return;
  const { version, major, pgvector } = row;
  const versions = {
    version: String(version),
    major: Number(major),
    pgvector: pgvector === null ? undefined : String(pgvector),
  };
  for (const old of describeOldParts(versions)) log.warn(`the database: ${old}`);
}
