import { insertSql } from '../../storage/rows.ts';
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

interface VersionedPageRow extends VersionRow {
  readonly id: number;
  readonly bytes: number;
}

/** Prepares the replacement of a page. If the text has changed, the old text is stored as an old version. */
export function detachVersions(sql: Statements, owner: number, page: PreparedPage) {
  const old = sql.get<VersionedPageRow>`SELECT id, title, text, bytes, read_at,
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

export function trimPageVersions(sql: Statements, owner: number, maxBytes: number): void {
  for (;;) {
    const { count = 0, bytes = 0 } =
      sql.get<{ count: number; bytes: number }>`SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes
        FROM page_versions WHERE owner = ${owner}` ?? {};
    const over = countVersionsToDelete(count, bytes, maxBytes);
    if (over <= 0) return;
    sql.run`DELETE FROM page_versions WHERE id IN (SELECT id FROM page_versions WHERE owner = ${owner}
      ORDER BY id LIMIT ${over})`;
  }
}

/** Returns how many of an owner's oldest versions to delete next. */
export function countVersionsToDelete(count: number, bytes: number, maxBytes: number): number {
  const over = Math.max(count - MAX_VERSIONS_PER_OWNER, bytes > maxBytes * MAX_VERSION_BYTES_SHARE ? 1 : 0);
  return Math.min(over, VERSIONS_DELETED_AT_ONCE);
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
