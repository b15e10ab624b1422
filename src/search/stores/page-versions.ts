import type { Sql, StepGenerator } from '../../storage/any-database.ts';
import { insertSql } from '../../storage/rows.ts';
import type { SqlFragment } from '../../storage/sql-template.ts';
import type { Statements } from '../../storage/sqlite.ts';
import type { PageVersion } from '../page-store.ts';
import { decompressText, MAX_TEXT_BYTES, type PreparedPage } from './page-text.ts';

export const MAX_VERSIONS_PER_PAGE = 5;
const MAX_VERSIONS_PER_OWNER = 2000;
const MAX_VERSION_BYTES_SHARE = 0.25;
const VERSIONS_DELETED_AT_ONCE = 20;
const CUT_BYTES = MAX_TEXT_BYTES - 4;

export type ReplacedPage = ReturnType<typeof detachVersions>;

export interface VersionRow {
  readonly title: string;
  readonly text: Uint8Array;
  readonly first_at: number;
  readonly read_at: number;
}

/** Prepares the replacement of a page. If the text has changed, the old text is stored as an old version. */
export function detachVersions(sql: Statements, owner: number, page: PreparedPage) {
  const old = sql.get<
    VersionRow & { readonly id: number; readonly bytes: number }
  >`SELECT id, title, text, bytes, read_at,
    coalesce(first_at, read_at) AS first_at FROM pages
    WHERE owner = ${owner} AND url = ${page.url}`;
  if (!old) return { firstAt: page.readAt, isTextKept: false };
  const same = Buffer.compare(old.text, page.text) === 0;
  sql.run`UPDATE page_versions SET page = -page WHERE page = ${old.id}`;
  if (!same) {
    const { id, ...version } = old;
    sql.run(...insertSql('page_versions', { page: -id, owner, ...version }));
  }
  return {
    page: old.id,
    firstAt: same ? Math.min(old.first_at, page.readAt) : page.readAt,
    isTextKept: !same,
  };
}

export function attachVersions(sql: Statements, { page }: ReplacedPage, id: number): void {
  if (page === undefined) return;
  sql.run`UPDATE page_versions SET page = ${id} WHERE page = ${-page}`;
  sql.run`DELETE FROM page_versions WHERE page = ${id}
    AND id NOT IN (SELECT id FROM page_versions WHERE page = ${id} ORDER BY id DESC
    LIMIT ${MAX_VERSIONS_PER_PAGE})`;
}

/** Deletes the owner's oldest versions above the limits. `owner` is the value in the column `owner`. */
export function* trimPageVersions(sql: Sql, owner: SqlFragment, maxBytes: number): StepGenerator<void> {
  for (;;) {
    const { count = 0, bytes = 0 } =
      (yield* sql.get<{ count: number; bytes: number }>`SELECT count(*) AS count,
        coalesce(sum(bytes), 0) AS bytes FROM page_versions WHERE owner = ${owner}`) ?? {};
    const isTooLarge = bytes > maxBytes * MAX_VERSION_BYTES_SHARE;
    const over = Math.min(
      Math.max(count - MAX_VERSIONS_PER_OWNER, isTooLarge ? 1 : 0),
      VERSIONS_DELETED_AT_ONCE,
    );
    if (over <= 0) return;
    yield* sql.send`DELETE FROM page_versions WHERE owner = ${owner} AND id IN
      (SELECT id FROM page_versions WHERE owner = ${owner} ORDER BY id LIMIT ${over})`;
  }
}

export function toPageVersion(url: string, { title, text, first_at, read_at }: VersionRow): PageVersion {
  const plain = decompressText(text);
  return {
    url,
    title,
    text: plain,
    readAt: read_at,
    firstReadAt: first_at,
    cut: Buffer.byteLength(plain) >= CUT_BYTES,
  };
}
