import type { AnyDatabase } from '../../storage/any-database.ts';
import { queryBuilder } from '../../storage/query-builder.ts';
import type { CrawlStore, OpenedCrawl, SettledAddress, WaitingAddress } from '../crawling/crawl-store.ts';
import type { CrawlTables } from './crawl-tables.ts';

const MAX_ADDRESSES = 500_000;
const ROWS_PER_INSERT = 500;

export function createCrawlQueue(db: AnyDatabase) {
  /** Number of stored addresses by crawl id, cached to avoid counting them in the database. */
  const sizes = new Map<number, number>();
  const tables = queryBuilder<CrawlTables>(db);
  const waiting = ({ id, run }: OpenedCrawl) =>
    tables
      .selectFrom('crawl_addresses')
      .where('crawl', '=', id)
      .where('run', '=', run)
      .where('state', '=', 'waiting');
  return {
    async queueAddresses(crawl, addresses, most = MAX_ADDRESSES) {
      if (addresses.length === 0) return 0;
      const { present, queued } = await db.transaction(`addresses of ${crawl.id}`, async (part) => {
        const present = sizes.get(crawl.id) ?? (await countAddresses(part, crawl));
        const fitting = addresses.slice(0, Math.max(0, most - present));
        return { present, queued: await queueIn(part, crawl, fitting) };
      });
      sizes.set(crawl.id, present + queued);
      return queued;
    },

    async listWaiting(crawl, limit) {
      const rows = await waiting(crawl)
        .select(['url', 'depth', 'etag', 'modified', 'digest'])
        .orderBy('depth')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(
        ({ url, depth, etag, modified, digest }): WaitingAddress => ({
          url,
          depth,
          etag: etag ?? undefined,
          modified: modified ?? undefined,
          digest: digest ?? undefined,
        }),
      );
    },

    async countWaiting(crawl) {
      const row = await waiting(crawl)
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirst();
      return Number(row?.n ?? 0);
    },
  } satisfies Partial<CrawlStore>;
}

async function countAddresses(db: AnyDatabase, { id }: OpenedCrawl): Promise<number> {
  const row = await queryBuilder<CrawlTables>(db)
    .selectFrom('crawl_addresses')
    .select(({ fn }) => fn.countAll().as('n'))
    .where('crawl', '=', id)
    .executeTakeFirst();
  return Number(row?.n ?? 0);
}

async function queueIn(
  db: AnyDatabase,
  { id, run }: OpenedCrawl,
  addresses: readonly Pick<WaitingAddress, 'url' | 'depth'>[],
): Promise<number> {
  // Of equal addresses, the first is used: PostgreSQL rejects an upsert that changes a row twice.
  const depths = new Map<string, number>();
  for (const { url, depth } of addresses) if (!depths.has(url)) depths.set(url, depth);
  const rows = [...depths].map(([url, depth]) => ({ crawl: id, url, run, depth, state: 'waiting' as const }));
  let queued = 0;
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
    const { numInsertedOrUpdatedRows = 0n } = await queryBuilder<CrawlTables>(db)
      .insertInto('crawl_addresses')
      .values(rows.slice(at, at + ROWS_PER_INSERT))
      .onConflict((conflict) =>
        conflict
          .columns(['crawl', 'url'])
          .doUpdateSet(({ ref }) => ({
            run: ref('excluded.run'),
            depth: ref('excluded.depth'),
            state: ref('excluded.state'),
          }))
          .whereRef('crawl_addresses.run', '<', 'excluded.run'),
      )
      .executeTakeFirstOrThrow();
    queued += Number(numInsertedOrUpdatedRows);
  }
  return queued;
}

export function createCrawlAddresses(db: AnyDatabase) {
  const tables = queryBuilder<CrawlTables>(db);
  return {
    async getAddressState({ id, run }, url) {
      const row = await tables
        .selectFrom('crawl_addresses')
        .select('state')
        .where('crawl', '=', id)
        .where('url', '=', url)
        .where('run', '=', run)
        .executeTakeFirst();
      return row?.state;
    },

    async settleAddresses(crawl, addresses) {
      // Of equal addresses, the last is used: PostgreSQL rejects an upsert that changes a row twice.
      const last = new Map(addresses.map((one) => [one.url, one]));
      const rows = [...last.values()].map((one) => settledRow(crawl, one));
      if (rows.length === 0) return;
      await db.transaction(`addresses of ${crawl.id}`, async (part) => {
        for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
          await saveSettled(part, rows.slice(at, at + ROWS_PER_INSERT));
        }
      });
    },

    async listUnmet({ id, run }, limit) {
      const rows = await tables
        .selectFrom('crawl_addresses')
        .select('url')
        .where('crawl', '=', id)
        .where('run', '<', run)
        .where('state', '=', 'read')
        .limit(limit)
        .execute();
      return rows.map(({ url }) => url);
    },

    async deleteAddresses({ id }, urls) {
      if (urls.length === 0) return;
      await db.transaction(`addresses of ${id}`, async (part) => {
        for (let at = 0; at < urls.length; at += ROWS_PER_INSERT) {
          await queryBuilder<CrawlTables>(part)
            .deleteFrom('crawl_addresses')
            .where('crawl', '=', id)
            .where('url', 'in', urls.slice(at, at + ROWS_PER_INSERT))
            .execute();
        }
      });
    },
  } satisfies Partial<CrawlStore>;
}

function settledRow({ id, run }: OpenedCrawl, { url, state, etag, modified, digest }: SettledAddress) {
  return {
    crawl: id,
    url,
    run,
    depth: 0,
    state,
    etag: etag ?? null,
    modified: modified ?? null,
    digest: digest ?? null,
  };
}

async function saveSettled(db: AnyDatabase, rows: readonly ReturnType<typeof settledRow>[]): Promise<void> {
  await queryBuilder<CrawlTables>(db)
    .insertInto('crawl_addresses')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['crawl', 'url']).doUpdateSet(({ ref }) => ({
        run: ref('excluded.run'),
        state: ref('excluded.state'),
        etag: ref('excluded.etag'),
        modified: ref('excluded.modified'),
        digest: ref('excluded.digest'),
      })),
    )
    .execute();
}
