import { hash } from 'node:crypto';
import type { AnyDatabase, Sql, StepGenerator } from '../../../storage/any-database.ts';
import { checkOwnerName } from '../../../storage/owner.ts';
import type { RunLongWork } from '../../../storage/postgres/long-work.ts';
import { insertSql } from '../../../storage/rows.ts';
import { fragment, raw, type SqlFragment } from '../../../storage/sql-template.ts';
import type { PageBounds, PageStore, PageUsage } from '../../page-store.ts';
import { saveInSteps } from '../page-pool.ts';
import { createPageDeletions, createPageReads, type PageSql } from '../page-queries.ts';
import { createPageRenewal } from '../page-renewal.ts';
import { PAGE_WORDS_VERSION, type PreparedPage } from '../page-text.ts';
import { MAX_VERSIONS_PER_PAGE, trimPageVersions, type VersionRow } from '../page-versions.ts';
import { rankPages } from './page-ranking.ts';
import { encodePageWords } from './page-words.ts';

const PAGES_PER_STEP = 200;

export function createPostgresPageStore(
  db: AnyDatabase,
  bounds: PageBounds,
  runLong?: RunLongWork,
): PageStore {
  const own: PageSql = {
    owner: (name) => raw('?', name),
    isOwner: (name) => fragment`owner = ${name}`,
    isAt: (url) => fragment`place = ${hashUrl(url)}`,
    beginsWith: (prefix) => fragment`starts_with(url, ${prefix})`,
    placeOf: 'strpos',
    pagesPerStep: PAGES_PER_STEP,
    findRows: (owner, asked, limit) => db.read((sql) => rankPages(sql, owner, asked, limit)),
    removePages,
  };
  return {
    ...createPageReads(db, own),
    ...createWrites(db, bounds),
    ...createPageDeletions(db, own),
    ...createPageRenewal(db, runLong),
  };
}

function createWrites(db: AnyDatabase, bounds: PageBounds) {
  return {
    async savePages(owner, pages) {
      const name = checkOwnerName(owner);
      await saveInSteps(name, pages, async (saved) => {
        await db.writeReplaceable(function* (sql) {
          yield* sql.lockName(`pages of ${name}`);
          for (const page of saved) yield* savePage(sql, name, page);
          yield* trimPageVersions(sql, raw('?', name), bounds.maxBytes);
          while (yield* deleteOldest(sql, name, bounds));
        });
      });
    },
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
