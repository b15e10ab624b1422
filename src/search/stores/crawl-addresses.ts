import { type AnyDatabase, jsonRows } from '../../storage/any-database.ts';
import { splitRows } from '../../storage/rows.ts';
import { fragment, joinFragments, type SqlFragment } from '../../storage/sql-template.ts';
import type { CrawlStore, OpenedCrawl, SettledAddress, WaitingAddress } from '../crawling/crawl-store.ts';

const MAX_ADDRESSES = 500_000;

interface WaitingRow extends Pick<WaitingAddress, 'url' | 'depth'> {
  readonly etag: string | null;
  readonly modified: string | null;
  readonly digest: string | null;
}

export function createCrawlQueue(db: AnyDatabase) {
  /** Number of stored addresses by crawl id, cached to avoid counting them in the database. */
  const sizes = new Map<number, number>();
  const isWaiting = ({ id, run }: OpenedCrawl) =>
    fragment`crawl = ${id} AND run = ${run} AND state = 'waiting'`;
  return {
    async queueAddresses(crawl, addresses, most = MAX_ADDRESSES) {
      if (addresses.length === 0) return 0;
      const { present, queued } = await db.transaction(`addresses of ${crawl.id}`, async (part) => {
        const present = sizes.get(crawl.id) ?? (await countAddresses(part, fragment`crawl = ${crawl.id}`));
        const fitting = addresses.slice(0, Math.max(0, most - present));
        return { present, queued: await queueIn(part, crawl, fitting) };
      });
      sizes.set(crawl.id, present + queued);
      return queued;
    },

    async listWaiting(crawl, limit) {
      const rows = await db.read(
        (sql) => sql.all<WaitingRow>`SELECT url, depth, etag, modified, digest FROM crawl_addresses
          WHERE ${isWaiting(crawl)} ORDER BY depth, id LIMIT ${limit}`,
      );
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

    countWaiting: (crawl) => countAddresses(db, isWaiting(crawl)),
  } satisfies Partial<CrawlStore>;
}

async function countAddresses(db: AnyDatabase, isWanted: SqlFragment): Promise<number> {
  const row = await db.read(
    (sql) => sql.get<{ n: number }>`SELECT count(*) AS n FROM crawl_addresses WHERE ${isWanted}`,
  );
  return row?.n ?? 0;
}

async function queueIn(
  db: AnyDatabase,
  { id, run }: OpenedCrawl,
  addresses: readonly Pick<WaitingAddress, 'url' | 'depth'>[],
): Promise<number> {
  // Of equal addresses, the first is used: PostgreSQL rejects an upsert that changes a row twice.
  const depths = new Map<string, number>();
  for (const { url, depth } of addresses) if (!depths.has(url)) depths.set(url, depth);
  const rows = [...depths].map(([url, depth]) => fragment`(${id}, ${url}, ${run}, ${depth}, 'waiting')`);
  let queued = 0;
  for (const some of splitRows(rows)) {
    queued += await db.write(
      (sql) => sql.run`INSERT INTO crawl_addresses (crawl, url, run, depth, state)
        VALUES ${joinFragments(some, ', ')} ON CONFLICT (crawl, url) DO UPDATE
        SET run = excluded.run, depth = excluded.depth, state = excluded.state
        WHERE crawl_addresses.run < excluded.run`,
    );
  }
  return queued;
}

export function createCrawlAddresses(db: AnyDatabase) {
  return {
    async getAddressState({ id, run }, url) {
      const row = await db.read(
        (sql) => sql.get<Pick<SettledAddress, 'state'>>`SELECT state FROM crawl_addresses
          WHERE crawl = ${id} AND url = ${url} AND run = ${run}`,
      );
      return row?.state;
    },

    async settleAddresses(crawl, addresses) {
      // Of equal addresses, the last is used: PostgreSQL rejects an upsert that changes a row twice.
      const last = new Map(addresses.map((one) => [one.url, one]));
      const rows = [...last.values()].map((one) => settledRow(crawl, one));
      if (rows.length === 0) return;
      await db.transaction(`addresses of ${crawl.id}`, async (part) => {
        for (const some of splitRows(rows)) {
          await part.write(
            (
              sql,
            ) => sql.run`INSERT INTO crawl_addresses (crawl, url, run, depth, state, etag, modified, digest)
              VALUES ${joinFragments(some, ', ')} ON CONFLICT (crawl, url) DO UPDATE
              SET run = excluded.run, state = excluded.state, etag = excluded.etag,
                modified = excluded.modified, digest = excluded.digest`,
          );
        }
      });
    },

    async listUnmet({ id, run }, limit) {
      const rows = await db.read(
        (sql) => sql.all<{ url: string }>`SELECT url FROM crawl_addresses
          WHERE crawl = ${id} AND run < ${run} AND state = 'read' LIMIT ${limit}`,
      );
      return rows.map(({ url }) => url);
    },

    async deleteAddresses({ id }, urls) {
      if (urls.length === 0) return;
      await db.transaction(`addresses of ${id}`, async (part) => {
        for (const some of splitRows(urls)) {
          await part.remove(
            (sql) => sql.run`DELETE FROM crawl_addresses WHERE crawl = ${id}
              AND url IN (SELECT value FROM ${jsonRows(sql, some)})`,
          );
        }
      });
    },
  } satisfies Partial<CrawlStore>;
}

function settledRow({ id, run }: OpenedCrawl, { url, state, etag, modified, digest }: SettledAddress) {
  return fragment`(${id}, ${url}, ${run}, 0, ${state}, ${etag ?? null}, ${modified ?? null}, ${digest ?? null})`;
}
