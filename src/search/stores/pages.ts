import { setImmediate } from 'node:timers/promises';
import { splitTerms } from '../../lib/text/text.ts';
import { checkOwnerName } from '../../storage/owner.ts';
import { fragment, raw, type SqlFragment } from '../../storage/sql-template.ts';
import type { Database, Statements } from '../../storage/sqlite.ts';
import type { HostCount, PageBounds, PageStore } from '../page-store.ts';
import { saveInSteps } from './page-pool.ts';
import { hasTerm, rankPages } from './page-ranking.ts';
import { createSqlitePageRenewal } from './page-renewal.ts';
import { decodeCursor, type PageRow, toPageListing, toSearchHit } from './page-rows.ts';
import {
  cleanText as clean,
  decompressText,
  LANGUAGE_TERMS,
  MAX_TEXT_BYTES,
  PAGE_WORDS_VERSION,
  type PreparedPage,
  prefixTermsWithOwner,
  toQueryTerm,
  toTermGroups,
} from './page-text.ts';
import {
  attachVersions,
  detachVersions,
  findVersion,
  toPageVersion,
  trimPageVersions,
} from './page-versions.ts';

const MAX_QUERY_TERMS = 32;
const PAGES_PER_STEP = 100;
const DROPPED_AT_ONCE = 50;
const MAX_HOSTS = 1000;

interface PageOwnerRow {
  readonly id: number;
  readonly pages: number;
  readonly bytes: number;
}

/** Creates a page store in SQLite (FTS5). Each indexed word begins with the number of the page's owner. */
export function createSqlitePageStore(db: Database, bounds: PageBounds): PageStore {
  return {
    ...createReads(db),
    ...createWrites(db, bounds),
    ...createDeletions(db),
    ...createSqlitePageRenewal(db),
  };
}

function createReads(db: Database) {
  return {
    async getPage(owner, url) {
      const row = await db.read(
        (sql) =>
          sql.get<PageRow>`SELECT url, title, text, read_at FROM pages
            WHERE owner = ${ownerOf(sql, owner)?.id ?? null} AND url = ${clean(url, MAX_TEXT_BYTES)}`,
      );
      return row && { url: row.url, title: row.title, text: decompressText(row.text), readAt: row.read_at };
    },

    async getVersion(owner, url, at) {
      const address = clean(url, MAX_TEXT_BYTES);
      const row = await db.read((sql) => findVersion(sql, ownerOf(sql, owner)?.id ?? null, address, at));
      return row && toPageVersion(address, row);
    },

    getReadTime: (owner, url) =>
      db.read((sql) => {
        const id = ownerOf(sql, owner)?.id ?? null;
        const row = sql.get<PageRow>`SELECT read_at FROM pages
          WHERE owner = ${id} AND url = ${clean(url, MAX_TEXT_BYTES)}`;
        return row?.read_at;
      }),

    async searchPages(owner, query, limit) {
      const asked = [...new Set(splitTerms(query.toWellFormed()))].slice(0, MAX_QUERY_TERMS);
      const rows = await db.read((sql) => findRows(sql, owner, asked, limit));
      return rows.map((row) => toSearchHit(row, asked));
    },

    async listPages(owner, limit, cursor) {
      const [readAt, id] = cursor === undefined ? [Number.MAX_SAFE_INTEGER, 0] : decodeCursor(cursor);
      const rows = await db.read(
        (sql) =>
          sql.all<PageRow>`SELECT id, url, title, read_at FROM pages
            WHERE owner = ${ownerOf(sql, owner)?.id ?? null} AND (read_at, id) < (${readAt}, ${id})
            ORDER BY read_at DESC, id DESC LIMIT ${limit + 1}`,
      );
      return toPageListing(rows, limit);
    },

    async measureUsage(owner) {
      const { pages = 0, bytes = 0 } = (await db.read((sql) => ownerOf(sql, owner))) ?? {};
      return { pages, bytes };
    },

    countByHost: (owner) =>
      db.read(
        (sql) =>
          sql.all<HostCount>`SELECT iif(url LIKE 'file:%', 'files of this machine',
            substr(url, 1, 8 + instr(substr(url, 9), '/'))) AS host,
              count(*) AS pages
            FROM pages WHERE owner = ${ownerOf(sql, owner)?.id ?? null} GROUP BY 1 ORDER BY 2 DESC, 1
            LIMIT ${MAX_HOSTS}`,
      ),
  } satisfies Partial<PageStore>;
}

function createWrites(db: Database, bounds: PageBounds) {
  return {
    async savePages(owner, pages) {
      const name = checkOwnerName(owner);
      await saveInSteps(name, pages, async (step) => {
        await db.writeReplaceable((sql) => {
          const id = ownerOf(sql, name)?.id ?? insertOwner(sql, name);
          const replaced = step.filter((page) => insertPage(sql, id, page)).length;
          if (replaced > 0) trimPageVersions(sql, id, bounds.maxBytes);
        });
        // The deletion has several transactions, because other calls wait during each transaction.
        while (await db.writeReplaceable((sql) => deleteOldest(sql, name, bounds))) await setImmediate();
        await setImmediate();
      });
    },
  } satisfies Partial<PageStore>;
}

function createDeletions(db: Database) {
  const deleteWhere = async (owner: string, condition: SqlFragment): Promise<number> => {
    const { id, newest } = await db.read((sql) => ({
      id: ownerOf(sql, owner)?.id ?? null,
      newest: sql.get<{ id: number | null }>('SELECT max(id) AS id FROM pages')?.id ?? null,
    }));
    let count = 0;
    for (let deleted = -1; deleted !== 0; count += deleted) {
      deleted = await db.remove(
        (sql) => sql.run`DELETE FROM pages WHERE id IN (SELECT id FROM pages WHERE owner = ${id}
          AND id <= ${newest} AND ${condition} LIMIT ${PAGES_PER_STEP})`,
      );
      await setImmediate();
    }
    await db.remove((sql) => sql.run`DELETE FROM page_owners WHERE id = ${id} AND pages = 0`);
    if (count > 0) await db.releaseFreePages();
    return count;
  };

  return {
    deletePages: (owner, urls) =>
      db.remove((sql) => {
        const id = ownerOf(sql, owner)?.id ?? null;
        const deleteOne = (url: string) =>
          sql.run`DELETE FROM pages WHERE owner = ${id} AND url = ${clean(url, MAX_TEXT_BYTES)}`;
        return urls.reduce((count, url) => count + deleteOne(url), 0);
      }),

    async deletePagesUnder(owner, prefix) {
      const address = clean(prefix, MAX_TEXT_BYTES);
      return deleteWhere(
        owner,
        fragment`url >= ${address} AND url < ${address} || char(0x10ffff) AND (substr(${address}, -1) = '/'
          OR substr(url, length(${address}) + 1, 1) IN ('', '/', '?', '#'))`,
      );
    },

    deleteAllPages: (owner) => deleteWhere(owner, raw('TRUE')),
  } satisfies Partial<PageStore>;
}

function ownerOf(sql: Statements, name: string): PageOwnerRow | undefined {
  return sql.get`SELECT id, pages, bytes FROM page_owners WHERE name = ${checkOwnerName(name)}`;
}

function insertOwner(sql: Statements, name: string): number {
  return Number(sql.prepare('INSERT INTO page_owners (name) VALUES (?)').run(name).lastInsertRowid);
}

function insertPage(sql: Statements, owner: number, page: PreparedPage): boolean {
  const earlier = detachVersions(sql, owner, page);
  sql.run`DELETE FROM pages WHERE owner = ${owner} AND url = ${page.url}`;
  const { lastInsertRowid } = sql
    .prepare(
      'INSERT INTO pages (owner, url, title, read_at, first_at, bytes, text, form) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    .run(
      ...[owner, page.url, page.title, page.readAt, earlier.firstAt, page.bytes, page.text],
      PAGE_WORDS_VERSION,
    );
  attachVersions(sql, earlier, Number(lastInsertRowid));
  sql.run`INSERT INTO pages_fts (rowid, title, text)
    VALUES (${lastInsertRowid}, ${prefixTermsWithOwner(owner, page.titleTerms)},
    ${prefixTermsWithOwner(owner, page.textTerms)})`;
  return earlier.isTextKept;
}

function deleteOldest(sql: Statements, name: string, { maxPages, maxBytes }: PageBounds): boolean {
  const now = ownerOf(sql, name);
  if (!now || now.pages <= 1) return false;
  const over = Math.max(now.pages - maxPages, now.bytes > maxBytes ? 1 : 0);
  if (over <= 0) return false;
  sql.run`DELETE FROM pages WHERE id IN (SELECT id FROM pages WHERE owner = ${now.id} ORDER BY read_at, id
    LIMIT ${Math.min(over, DROPPED_AT_ONCE)})`;
  return true;
}

function findRows(sql: Statements, owner: string, asked: readonly string[], limit: number): PageRow[] {
  const known = ownerOf(sql, owner);
  if (!known || asked.length === 0) return [];
  const languages = [...LANGUAGE_TERMS].flatMap(([term, language]) =>
    hasTerm(sql, toQueryTerm(known.id, term)) ? language : [],
  );
  const sought = toTermGroups(asked, languages).map((group) =>
    group.map((term) => toQueryTerm(known.id, term)),
  );
  return rankPages(sql, sought, limit).flatMap(
    (id) =>
      sql.get<PageRow>`SELECT url, title, text FROM pages WHERE id = ${id} AND owner = ${known.id}` ?? [],
  );
}
