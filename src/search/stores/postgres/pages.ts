import { hash } from 'node:crypto';
import { splitTerms } from '../../../lib/text/text.ts';
import type { AnyDatabase, Sql, SqlValue, StepGenerator } from '../../../storage/any-database.ts';
import { checkOwnerName } from '../../../storage/owner.ts';
import type { RunLongWork } from '../../../storage/postgres/long-work.ts';
import { insertSql, readFirstRow, readRows } from '../../../storage/rows.ts';
import type { HostCount, PageBounds, PageStore, PageUsage } from '../../page-store.ts';
import { saveInSteps } from '../page-pool.ts';
import { createPageRenewal } from '../page-renewal.ts';
import { decodeCursor, type PageRow, toPageListing, toSearchHit } from '../page-rows.ts';
import {
  cleanText as clean,
  decompressText,
  MAX_TEXT_BYTES,
  PAGE_WORDS_VERSION,
  type PreparedPage,
} from '../page-text.ts';
import {
  MAX_VERSION_BYTES_SHARE,
  MAX_VERSIONS_PER_OWNER,
  MAX_VERSIONS_PER_PAGE,
  toPageVersion,
  VERSIONS_DELETED_AT_ONCE,
  type VersionRow,
} from '../page-versions.ts';
import { rankPages } from './page-ranking.ts';
import { encodePageWords } from './page-words.ts';

const MAX_QUERY_TERMS = 32;
const PAGES_PER_STEP = 200;
const MAX_HOSTS = 1000;

export function createPostgresPageStore(
  db: AnyDatabase,
  bounds: PageBounds,
  runLong?: RunLongWork,
): PageStore {
  return {
    ...createReads(db),
    ...createWrites(db, bounds),
    ...createDeletions(db),
    ...createPageRenewal(db, runLong),
  };
}

function createReads(db: AnyDatabase) {
  const find = (owner: string, url: string) =>
    readFirstRow<PageRow>(
      db,
      'SELECT url, title, text, read_at FROM pages WHERE owner = ? AND place = ?',
      checkOwnerName(owner),
      hashUrl(clean(url, MAX_TEXT_BYTES)),
    );
  return {
    async getPage(owner, url) {
      const row = await find(owner, url);
      return row && { url: row.url, title: row.title, text: decompressText(row.text), readAt: row.read_at };
    },
    async getVersion(owner, url, at) {
      const address = clean(url, MAX_TEXT_BYTES);
      const row = await readFirstRow<VersionRow>(db, VERSION, checkOwnerName(owner), hashUrl(address), at);
      return row && toPageVersion(address, row);
    },
    async getReadTime(owner, url) {
      const row = await readFirstRow<Pick<PageRow, 'read_at'>>(
        db,
        'SELECT read_at FROM pages WHERE owner = ? AND place = ?',
        checkOwnerName(owner),
        hashUrl(clean(url, MAX_TEXT_BYTES)),
      );
      return row?.read_at;
    },
    async searchPages(owner, query, limit) {
      const name = checkOwnerName(owner);
      const asked = [...new Set(splitTerms(query.toWellFormed()))].slice(0, MAX_QUERY_TERMS);
      if (asked.length === 0) return [];
      const rows = await db.read((sql) => rankPages(sql, name, asked, limit));
      return rows.map((row) => toSearchHit(row, asked));
    },
    async listPages(owner, limit, cursor) {
      const [readAt, id] = cursor === undefined ? [Number.MAX_SAFE_INTEGER, 0] : decodeCursor(cursor);
      const rows = await readRows<PageRow>(
        db,
        `SELECT id, url, title, read_at FROM pages
           WHERE owner = ? AND (read_at, id) < (?, ?) ORDER BY read_at DESC, id DESC LIMIT ?`,
        checkOwnerName(owner),
        readAt,
        id,
        limit + 1,
      );
      return toPageListing(rows, limit);
    },
    async measureUsage(owner) {
      const { pages, bytes } = await db.read((sql) => usageOf(sql, checkOwnerName(owner)));
      return { pages, bytes };
    },
    countByHost: (owner) =>
      readRows<HostCount>(
        db,
        `SELECT CASE WHEN starts_with(url, 'file:') THEN 'files of this machine'
               ELSE substr(url, 1, 8 + position('/' IN substr(url, 9))) END AS host,
             count(*) AS pages
           FROM pages WHERE owner = ? GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?`,
        checkOwnerName(owner),
        MAX_HOSTS,
      ),
  } satisfies Partial<PageStore>;
}

function createWrites(db: AnyDatabase, bounds: PageBounds) {
  return {
    async savePages(owner, pages) {
      const name = checkOwnerName(owner);
      await saveInSteps(name, pages, async (saved) => {
        await db.writeReplaceable(function* (sql) {
          yield* sql.lockName(`pages of ${name}`);
          for (const page of saved) yield* savePage(sql, name, page);
          yield* boundVersions(sql, name, bounds.maxBytes);
          while (yield* deleteOldest(sql, name, bounds));
        });
      });
    },
  } satisfies Partial<PageStore>;
}

function createDeletions(db: AnyDatabase) {
  /** Deletes in several transactions, because the owner's other writes wait during each transaction. */
  const deleteWhere = async (owner: string, condition: string, ...values: SqlValue[]): Promise<number> => {
    const name = checkOwnerName(owner);
    const newest = await readFirstRow<{ id: number | null }>(
      db,
      'SELECT max(id) AS id FROM pages WHERE owner = ?',
      name,
    );
    let count = 0;
    for (let deleted = -1; deleted !== 0; count += deleted) {
      deleted = await db.remove(function* (sql) {
        yield* sql.lockName(`pages of ${name}`);
        const chosen = `SELECT id FROM pages WHERE owner = ? AND id <= ? ${condition} LIMIT ?`;
        return yield* removePages(sql, name, chosen, [name, newest?.id ?? 0, ...values, PAGES_PER_STEP]);
      });
    }
    return count;
  };
  return {
    deletePages: (owner, urls) =>
      db.remove(function* (sql) {
        const name = checkOwnerName(owner);
        yield* sql.lockName(`pages of ${name}`);
        let count = 0;
        for (const url of urls) {
          const place = hashUrl(clean(url, MAX_TEXT_BYTES));
          const chosen = 'SELECT id FROM pages WHERE owner = ? AND place = ?';
          count += yield* removePages(sql, name, chosen, [name, place]);
        }
        return count;
      }),
    async deletePagesUnder(owner, prefix) {
      if (prefix === '') return 0;
      const address = clean(prefix, MAX_TEXT_BYTES);
      return deleteWhere(
        owner,
        `AND starts_with(url, ?) AND (right(?, 1) = '/' OR substr(url, length(?) + 1, 1) IN ('', '/', '?', '#'))`,
        address,
        address,
        address,
      );
    },
    deleteAllPages: (owner) => deleteWhere(owner, ''),
  } satisfies Partial<PageStore>;
}

export const hashUrl = (url: string): Buffer => hash('sha256', url, 'buffer');

function* usageOf(sql: Sql, owner: string): StepGenerator<PageUsage> {
  const row = yield* sql.get<PageUsage>`SELECT pages, bytes FROM page_owners WHERE owner = ${owner}`;
  return row ?? { pages: 0, bytes: 0 };
}

interface OldRow extends VersionRow {
  readonly id: number;
  readonly bytes: number;
  readonly length: number;
}

function* savePage(sql: Sql, owner: string, page: PreparedPage): StepGenerator<void> {
  const place = hashUrl(page.url);
  const old = yield* sql.get<OldRow>`SELECT id, title, text, bytes, length, read_at, first_at FROM pages
    WHERE owner = ${owner} AND place = ${place}`;
  const { terms, counts, length } = encodePageWords(owner, page);
  const same = old && Buffer.compare(old.text, page.text) === 0;
  if (old && !same) yield* keepVersion(sql, owner, old);
  const firstAt = same ? Math.min(old.first_at, page.readAt) : page.readAt;
  const { url, title, readAt, bytes, text } = page;
  const row = { owner, place, url, title, read_at: readAt, first_at: firstAt, bytes, length, terms, counts };
  yield* sql.send(...insertSql('pages', { ...row, text, form: PAGE_WORDS_VERSION }, ['owner', 'place']));
  yield* sql.send`INSERT INTO page_owners (owner, pages, bytes, words)
    VALUES (${owner}, ${old ? 0 : 1}, ${page.bytes - (old?.bytes ?? 0)}, ${length - (old?.length ?? 0)})
    ON CONFLICT (owner) DO UPDATE SET pages = page_owners.pages + excluded.pages,
      bytes = page_owners.bytes + excluded.bytes, words = page_owners.words + excluded.words`;
}

const VERSION = `
  WITH page AS (SELECT * FROM pages WHERE owner = ?1 AND place = ?2)
  SELECT title, text, first_at, read_at FROM (
    SELECT title, text, first_at, read_at FROM page
    UNION ALL
    SELECT v.title, v.text, v.first_at, v.read_at FROM page_versions v JOIN page ON v.owner = ?1 AND v.page = page.id
  ) AS every ORDER BY first_at > CAST(?3 AS bigint), abs(first_at - CAST(?3 AS bigint)) LIMIT 1`;

function* keepVersion(sql: Sql, owner: string, old: OldRow): StepGenerator<void> {
  const { id, length: _, ...version } = old;
  yield* sql.send(...insertSql('page_versions', { owner, page: id, ...version }));
  yield* sql.send`DELETE FROM page_versions WHERE owner = ${owner} AND page = ${old.id} AND id NOT IN
    (SELECT id FROM page_versions WHERE owner = ${owner} AND page = ${old.id} ORDER BY id DESC
    LIMIT ${MAX_VERSIONS_PER_PAGE})`;
}

function* boundVersions(sql: Sql, owner: string, maxBytes: number): StepGenerator<void> {
  for (;;) {
    const { count = 0, bytes = 0 } =
      (yield* sql.get<{ count: number; bytes: number }>`SELECT count(*) AS count,
        coalesce(sum(bytes), 0) AS bytes FROM page_versions WHERE owner = ${owner}`) ?? {};
    const over = Math.max(count - MAX_VERSIONS_PER_OWNER, bytes > maxBytes * MAX_VERSION_BYTES_SHARE ? 1 : 0);
    if (over <= 0) return;
    yield* sql.send`DELETE FROM page_versions WHERE owner = ${owner} AND id IN
      (SELECT id FROM page_versions WHERE owner = ${owner} ORDER BY id
      LIMIT ${Math.max(1, Math.min(over, VERSIONS_DELETED_AT_ONCE))})`;
  }
}

function* deleteOldest(sql: Sql, owner: string, { maxPages, maxBytes }: PageBounds): StepGenerator<boolean> {
  const { pages, bytes } = yield* usageOf(sql, owner);
  if (pages <= 1) return false;
  const over = Math.max(pages - maxPages, bytes > maxBytes ? 1 : 0);
  if (over <= 0) return false;
  const chosen = 'SELECT id FROM pages WHERE owner = ? ORDER BY read_at, id LIMIT ?';
  yield* removePages(sql, owner, chosen, [owner, Math.min(over, PAGES_PER_STEP)]);
  return true;
}

function* removePages(sql: Sql, owner: string, chosen: string, values: readonly SqlValue[]) {
  const row = yield* sql.get<{ pages: number }>(
    `WITH gone AS (DELETE FROM pages WHERE owner = ? AND id IN (${chosen}) RETURNING bytes, length),
     sums AS (
       SELECT count(*) AS pages, coalesce(sum(bytes), 0) AS bytes, coalesce(sum(length), 0) AS words FROM gone
     ), counted AS (
       UPDATE page_owners SET pages = page_owners.pages - sums.pages, bytes = page_owners.bytes - sums.bytes,
         words = page_owners.words - sums.words
       FROM sums WHERE owner = ? AND sums.pages > 0
     ) SELECT pages FROM sums`,
    owner,
    ...values,
    owner,
  );
  return row?.pages ?? 0;
}
