import { setImmediate } from 'node:timers/promises';
import { runStepSync, type Sql, toAnyDatabase } from '../../storage/any-database.ts';
import { checkOwnerName } from '../../storage/owner.ts';
import { insertSql } from '../../storage/rows.ts';
import { fragment, raw } from '../../storage/sql-template.ts';
import type { Database, Statements } from '../../storage/sqlite.ts';
import type { PageBounds, PageStore } from '../page-store.ts';
import { saveInSteps } from './page-pool.ts';
import { createPageDeletions, createPageReads, type PageSql } from './page-queries.ts';
import { hasTerm, rankPages } from './page-ranking.ts';
import { createPageRenewal } from './page-renewal.ts';
import type { PageRow } from './page-rows.ts';
import {
  LANGUAGE_TERMS,
  PAGE_WORDS_VERSION,
  type PreparedPage,
  prefixTermsWithOwner,
  toQueryTerm,
  toTermGroups,
} from './page-text.ts';
import { attachVersions, detachVersions, trimPageVersions } from './page-versions.ts';

const DROPPED_AT_ONCE = 50;

/** Creates a page store in SQLite (FTS5). Each indexed word begins with the number of the page's owner. */
export function createSqlitePageStore(db: Database, bounds: PageBounds): PageStore {
  const any = toAnyDatabase(db);
  const own: PageSql = {
    owner: (name) => fragment`(SELECT id FROM page_owners WHERE name = ${name})`,
    isOwner: (name) => fragment`name = ${name}`,
    isAt: (url) => fragment`url = ${url}`,
    beginsWith: (prefix) => fragment`url >= ${prefix} AND url < ${prefix} || char(0x10ffff)`,
    placeOf: 'instr',
    pagesPerStep: 100,
    findRows: (owner, asked, limit) => db.read((sql) => findRows(sql, owner, asked, limit)),
    removePages: (sql, _, chosen) =>
      sql.run`DELETE FROM pages WHERE id IN (SELECT id FROM pages WHERE ${chosen})`,
  };
  return {
    ...createPageReads(any, own),
    ...createWrites(db, bounds),
    ...createPageDeletions(any, own),
    ...createPageRenewal(any),
  };
}

function createWrites(db: Database, bounds: PageBounds) {
  return {
    async savePages(owner, pages) {
      const name = checkOwnerName(owner);
      await saveInSteps(name, pages, async (step) => {
        await db.writeReplaceable((sql) => {
          const id = ownerOf(sql, name)?.id ?? insertOwner(sql, name);
          const replaced = step.filter((page) => insertPage(sql, id, page)).length;
          const trim = (all: Sql) => trimPageVersions(all, raw('?', id), bounds.maxBytes);
          if (replaced > 0) runStepSync(sql, trim);
        });
        // The deletion has several transactions, because other calls wait during each transaction.
        while (await db.writeReplaceable((sql) => deleteOldest(sql, name, bounds))) await setImmediate();
        await setImmediate();
      });
    },
  } satisfies Partial<PageStore>;
}

function ownerOf(
  sql: Statements,
  name: string,
): { readonly id: number; readonly pages: number; readonly bytes: number } | undefined {
  return sql.get`SELECT id, pages, bytes FROM page_owners WHERE name = ${checkOwnerName(name)}`;
}

function insertOwner(sql: Statements, name: string): number {
  return Number(sql.prepare('INSERT INTO page_owners (name) VALUES (?)').run(name).lastInsertRowid);
}

function insertPage(sql: Statements, owner: number, page: PreparedPage): boolean {
  const earlier = detachVersions(sql, owner, page);
  sql.run`DELETE FROM pages WHERE owner = ${owner} AND url = ${page.url}`;
  const { url, title, readAt, bytes, text } = page;
  const row = { owner, url, title, read_at: readAt, first_at: earlier.firstAt, bytes, text };
  sql.run(...insertSql('pages', { ...row, form: PAGE_WORDS_VERSION }));
  const { id = 0 } = sql.get<{ id: number }>('SELECT last_insert_rowid() AS id') ?? {};
  attachVersions(sql, earlier, id);
  sql.run`INSERT INTO pages_fts (rowid, title, text)
    VALUES (${id}, ${prefixTermsWithOwner(owner, page.titleTerms)},
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
  if (!known) return [];
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
