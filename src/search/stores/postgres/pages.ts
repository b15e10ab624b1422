import { hash } from 'node:crypto';
import { splitTerms } from '../../../lib/text/text.ts';
import type { AnyDatabase, Sql, StepGenerator } from '../../../storage/any-database.ts';
import { checkOwnerName } from '../../../storage/owner.ts';
import type { RunLongWork } from '../../../storage/postgres/long-work.ts';
import { insertSql } from '../../../storage/rows.ts';
import { fragment, raw, type SqlFragment } from '../../../storage/sql-template.ts';
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
  countVersionsToDelete,
  MAX_VERSIONS_PER_PAGE,
  toPageVersion,
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
  const isPage = (owner: string, url: string) =>
    fragment`owner = ${checkOwnerName(owner)} AND place = ${hashUrl(clean(url, MAX_TEXT_BYTES))}`;
  return {
    async getPage(owner, url) {
      const row = await db.read(
        (sql) => sql.get<PageRow>`SELECT url, title, text, read_at FROM pages WHERE ${isPage(owner, url)}`,
      );
      return row && { url: row.url, title: row.title, text: decompressText(row.text), readAt: row.read_at };
    },
    async getVersion(owner, url, at) {
      const address = clean(url, MAX_TEXT_BYTES);
      const row = await db.read(
        (sql) => sql.get<VersionRow>`WITH page AS (SELECT * FROM pages WHERE ${isPage(owner, address)})
          SELECT title, text, first_at, read_at FROM (
            SELECT title, text, first_at, read_at FROM page
            UNION ALL SELECT v.title, v.text, v.first_at, v.read_at FROM page_versions v
            JOIN page ON v.owner = ${owner} AND v.page = page.id
          ) AS every ORDER BY first_at > CAST(${at} AS bigint), abs(first_at - CAST(${at} AS bigint)) LIMIT 1`,
      );
      return row && toPageVersion(address, row);
    },
    async getReadTime(owner, url) {
      const row = await db.read(
        (sql) => sql.get<PageRow>`SELECT read_at FROM pages WHERE ${isPage(owner, url)}`,
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
      const rows = await db.read(
        (sql) => sql.all<PageRow>`SELECT id, url, title, read_at FROM pages
          WHERE owner = ${checkOwnerName(owner)} AND (read_at, id) < (${readAt}, ${id})
          ORDER BY read_at DESC, id DESC LIMIT ${limit + 1}`,
      );
      return toPageListing(rows, limit);
    },
    async measureUsage(owner) {
      const { pages, bytes } = await db.read((sql) => usageOf(sql, checkOwnerName(owner)));
      return { pages, bytes };
    },
    countByHost: (owner) =>
      db.read(
        (sql) => sql.all<HostCount>`SELECT CASE WHEN starts_with(url, 'file:') THEN 'files of this machine'
            ELSE substr(url, 1, 8 + position('/' IN substr(url, 9))) END AS host, count(*) AS pages
          FROM pages WHERE owner = ${checkOwnerName(owner)} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${MAX_HOSTS}`,
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
  const deleteWhere = async (owner: string, condition: SqlFragment): Promise<number> => {
    const name = checkOwnerName(owner);
    const newest = await db.read(
      (sql) => sql.get<{ id: number | null }>`SELECT max(id) AS id FROM pages WHERE owner = ${name}`,
    );
    let count = 0;
    for (let deleted = -1; deleted !== 0; count += deleted) {
      deleted = await db.remove(function* (sql) {
        yield* sql.lockName(`pages of ${name}`);
        const chosen = fragment`owner = ${name} AND id <= ${newest?.id ?? 0} AND ${condition}`;
        return yield* removePages(sql, name, fragment`${chosen} LIMIT ${PAGES_PER_STEP}`);
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
          count += yield* removePages(sql, name, fragment`owner = ${name} AND place = ${place}`);
        }
        return count;
      }),
    async deletePagesUnder(owner, prefix) {
      if (prefix === '') return 0;
      const address = clean(prefix, MAX_TEXT_BYTES);
      return deleteWhere(
        owner,
        fragment`starts_with(url, ${address}) AND (right(${address}, 1) = '/'
          OR substr(url, length(${address}) + 1, 1) IN ('', '/', '?', '#'))`,
      );
    },
    deleteAllPages: (owner) => deleteWhere(owner, raw('TRUE')),
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
    const over = countVersionsToDelete(count, bytes, maxBytes);
    if (over <= 0) return;
    yield* sql.send`DELETE FROM page_versions WHERE owner = ${owner} AND id IN
      (SELECT id FROM page_versions WHERE owner = ${owner} ORDER BY id LIMIT ${over})`;
  }
}

function* deleteOldest(sql: Sql, owner: string, { maxPages, maxBytes }: PageBounds): StepGenerator<boolean> {
  const { pages, bytes } = yield* usageOf(sql, owner);
  if (pages <= 1) return false;
  const over = Math.max(pages - maxPages, bytes > maxBytes ? 1 : 0);
  if (over <= 0) return false;
  const most = Math.min(over, PAGES_PER_STEP);
  yield* removePages(sql, owner, fragment`owner = ${owner} ORDER BY read_at, id LIMIT ${most}`);
  return true;
}

function* removePages(sql: Sql, owner: string, chosen: SqlFragment) {
  const row = yield* sql.get<{ pages: number }>`WITH gone AS (
      DELETE FROM pages WHERE owner = ${owner} AND id IN (SELECT id FROM pages WHERE ${chosen})
      RETURNING bytes, length
    ), sums AS (
      SELECT count(*) AS pages, coalesce(sum(bytes), 0) AS bytes, coalesce(sum(length), 0) AS words FROM gone
    ), counted AS (
      UPDATE page_owners SET pages = page_owners.pages - sums.pages, bytes = page_owners.bytes - sums.bytes,
        words = page_owners.words - sums.words
      FROM sums WHERE owner = ${owner} AND sums.pages > 0
    ) SELECT pages FROM sums`;
  return row?.pages ?? 0;
}
