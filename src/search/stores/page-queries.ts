import { setImmediate } from 'node:timers/promises';
import { splitTerms } from '../../lib/text/text.ts';
import type { AnyDatabase, Sql, SqlAnswer } from '../../storage/any-database.ts';
import { checkOwnerName } from '../../storage/owner.ts';
import { fragment, raw, type SqlFragment } from '../../storage/sql-template.ts';
import type { HostCount, PageStore, PageUsage } from '../page-store.ts';
import { decodeCursor, type PageRow, type TextRow, toPageListing, toSearchHit } from './page-rows.ts';
import { cleanText as clean, decompressText, MAX_TEXT_BYTES } from './page-text.ts';
import { toPageVersion, type VersionRow } from './page-versions.ts';

const MAX_QUERY_TERMS = 32;
const MAX_HOSTS = 1000;

/** What differs between the databases. Names of owners are checked and addresses are cleaned. */
export interface PageSql {
  /** Value of an owner in the column `owner`. */
  owner(name: string): SqlFragment;
  /** Conditions: the owner's row in `page_owners`, a page's address, addresses that begin with a text. */
  isOwner(name: string): SqlFragment;
  isAt(url: string): SqlFragment;
  beginsWith(prefix: string): SqlFragment;
  /** Function that returns the place of a text in another one, from 1. */
  readonly placeOf: 'instr' | 'strpos';
  readonly pagesPerStep: number;
  findRows(owner: string, asked: readonly string[], limit: number): Promise<readonly TextRow[]>;
  /** Deletes the owner's pages of the condition `chosen`, and returns their number. */
  removePages(sql: Sql, owner: string, chosen: SqlFragment): SqlAnswer<number>;
}

export function createPageReads(db: AnyDatabase, own: PageSql) {
  const ownedBy = (owner: string) => fragment`owner = ${own.owner(checkOwnerName(owner))}`;
  const isPage = (owner: string, url: string) =>
    fragment`${ownedBy(owner)} AND ${own.isAt(clean(url, MAX_TEXT_BYTES))}`;
  return {
    async getPage(owner, url) {
      const row = await db.read(
        (sql) => sql.get<PageRow>`SELECT url, title, text, read_at FROM pages WHERE ${isPage(owner, url)}`,
      );
      return row && { url: row.url, title: row.title, text: decompressText(row.text), readAt: row.read_at };
    },
    async getVersion(owner, url, at) {
      const row = await db.read(
        (sql) => sql.get<VersionRow>`WITH page AS (SELECT * FROM pages WHERE ${isPage(owner, url)})
          SELECT title, text, first_at, read_at FROM (
            SELECT title, text, coalesce(first_at, read_at) AS first_at, read_at FROM page
            UNION ALL SELECT v.title, v.text, v.first_at, v.read_at FROM page_versions v
            JOIN page ON v.owner = ${own.owner(owner)} AND v.page = page.id
          ) AS texts ORDER BY first_at > CAST(${at} AS bigint), abs(first_at - CAST(${at} AS bigint)) LIMIT 1`,
      );
      return row && toPageVersion(clean(url, MAX_TEXT_BYTES), row);
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
      const rows = asked.length === 0 ? [] : await own.findRows(name, asked, limit);
      return rows.map((row) => toSearchHit(row, asked));
    },
    async listPages(owner, limit, cursor) {
      const [readAt, id] = cursor === undefined ? [Number.MAX_SAFE_INTEGER, 0] : decodeCursor(cursor);
      const rows = await db.read(
        (sql) => sql.all<PageRow>`SELECT id, url, title, read_at FROM pages
          WHERE ${ownedBy(owner)} AND (read_at, id) < (${readAt}, ${id})
          ORDER BY read_at DESC, id DESC LIMIT ${limit + 1}`,
      );
      return toPageListing(rows, limit);
    },
    async measureUsage(owner) {
      const row = await db.read(
        (sql) =>
          sql.get<PageUsage>`SELECT pages, bytes FROM page_owners WHERE ${own.isOwner(checkOwnerName(owner))}`,
      );
      return { pages: row?.pages ?? 0, bytes: row?.bytes ?? 0 };
    },
    countByHost: (owner) =>
      db.read(
        (sql) => sql.all<HostCount>`SELECT CASE WHEN substr(url, 1, 5) = 'file:' THEN 'files of this machine'
            ELSE substr(url, 1, 8 + ${raw(own.placeOf)}(substr(url, 9), '/')) END AS host, count(*) AS pages
          FROM pages WHERE ${ownedBy(owner)} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${MAX_HOSTS}`,
      ),
  } satisfies Partial<PageStore>;
}

export function createPageDeletions(db: AnyDatabase, own: PageSql) {
  /** Deletes in several transactions, because other writes wait during each transaction. */
  const deleteWhere = async (owner: string, condition: SqlFragment): Promise<number> => {
    const name = checkOwnerName(owner);
    const ownedBy = fragment`owner = ${own.owner(name)}`;
    const newest = await db.read(
      (sql) => sql.get<{ id: number | null }>`SELECT max(id) AS id FROM pages WHERE ${ownedBy}`,
    );
    const chosen = fragment`${ownedBy} AND id <= ${newest?.id ?? 0} AND ${condition} LIMIT ${own.pagesPerStep}`;
    let count = 0;
    for (let deleted = -1; deleted !== 0; count += deleted) {
      deleted = await db.remove(function* (sql) {
        yield* sql.lockName(`pages of ${name}`);
        return yield* own.removePages(sql, name, chosen);
      });
      await setImmediate();
    }
    if (db.embedded) {
      await db.remove((sql) => sql.run`DELETE FROM page_owners WHERE ${own.isOwner(name)} AND pages = 0`);
    }
    if (count > 0) await db.releaseFreePages();
    return count;
  };
  return {
    deletePages: (owner, urls) =>
      db.remove(function* (sql) {
        const name = checkOwnerName(owner);
        yield* sql.lockName(`pages of ${name}`);
        let count = 0;
        for (const url of urls) {
          const isPage = fragment`owner = ${own.owner(name)} AND ${own.isAt(clean(url, MAX_TEXT_BYTES))}`;
          count += yield* own.removePages(sql, name, isPage);
        }
        return count;
      }),
    async deletePagesUnder(owner, prefix) {
      if (prefix === '') return 0;
      const address = clean(prefix, MAX_TEXT_BYTES);
      const ending = fragment`substr(url, length(CAST(${address} AS text)) + 1, 1) IN ('', '/', '?', '#')`;
      return deleteWhere(
        owner,
        fragment`${own.beginsWith(address)} AND ${address.endsWith('/') ? raw('TRUE') : ending}`,
      );
    },
    deleteAllPages: (owner) => deleteWhere(owner, raw('TRUE')),
  } satisfies Partial<PageStore>;
}
