import { AppError } from '../../errors.ts';
import { terms } from '../../lib/text.ts';
import type { Database } from '../../storage/sqlite.ts';
import { excerpt } from '../excerpt.ts';
import type { PageStore, StoredPage } from '../page-store.ts';

/** Characters of a page that are kept and indexed. */
const TEXT = 1_000_000;
/** Terms of a query that are looked for. */
const QUERY_TERMS = 64;
/** A word of the title counts as this many of the text. */
const TITLE_WEIGHT = 4;

interface Row {
  readonly id: number;
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly read_at: number;
}

/** Pages in SQLite, found by FTS5 over the terms of `lib/text.ts`. */
export function createSqlitePageStore(db: Database, { maxPages }: { readonly maxPages: number }): PageStore {
  /** Owners are hidden from each other by a term that no text can have. */
  const ownerTerm = (owner: string) => `o${Buffer.from(owner).toString('hex')}o`;

  const remove = (id: number) => {
    db.run('DELETE FROM pages_fts WHERE rowid = ?', id);
    db.run('DELETE FROM pages WHERE id = ?', id);
  };

  return {
    async put(owner, page) {
      const title = clean(page.title).slice(0, 1000);
      const text = clean(page.text).slice(0, TEXT);
      db.transaction(() => {
        const old = db.get<{ id: number }>(
          'SELECT id FROM pages WHERE owner = ? AND url = ?',
          owner,
          page.url,
        );
        if (old) remove(old.id);
        db.run(
          'INSERT INTO pages (owner, url, title, text, read_at) VALUES (?, ?, ?, ?, ?)',
          owner,
          page.url,
          title,
          text,
          Math.trunc(page.readAt),
        );
        db.run(
          'INSERT INTO pages_fts (rowid, owner, title, text) VALUES (last_insert_rowid(), ?, ?, ?)',
          ownerTerm(owner),
          terms(title).join(' '),
          terms(text).join(' '),
        );
        const beyond = db.all<{ id: number }>(
          'SELECT id FROM pages WHERE owner = ? ORDER BY read_at DESC, id DESC LIMIT -1 OFFSET ?',
          owner,
          maxPages,
        );
        for (const { id } of beyond) remove(id);
      });
    },

    async get(owner, url) {
      const row = db.get<Row>('SELECT * FROM pages WHERE owner = ? AND url = ?', owner, url);
      return row && stored(row);
    },

    async search(owner, query, limit) {
      const asked = [...new Set(terms(query))].slice(0, QUERY_TERMS);
      if (asked.length === 0) return [];
      const match = `owner : "${ownerTerm(owner)}" AND ({title text} : (${asked.map((term) => `"${term}"`).join(' OR ')}))`;
      const rows = db.all<Row>(
        `SELECT p.id, p.url, p.title, p.text, p.read_at
         FROM (SELECT rowid, bm25(pages_fts, 0, ${TITLE_WEIGHT}, 1) AS score FROM pages_fts
               WHERE pages_fts MATCH ? ORDER BY score LIMIT ?) AS f
         JOIN pages AS p ON p.id = f.rowid AND p.owner = ?
         ORDER BY f.score`,
        match,
        limit,
        owner,
      );
      return rows.map(({ url, title, text }) => ({
        title: title || url,
        url,
        snippet: excerpt(text, asked),
      }));
    },

    async list(owner, limit, cursor) {
      const [readAt, id] = cursor === undefined ? [Number.MAX_SAFE_INTEGER, 0] : decodeCursor(cursor);
      const rows = db.all<Row>(
        `SELECT id, url, title, read_at FROM pages
         WHERE owner = ? AND (read_at < ? OR (read_at = ? AND id < ?)) ORDER BY read_at DESC, id DESC LIMIT ?`,
        owner,
        readAt,
        readAt,
        id,
        limit + 1,
      );
      const pages = rows.slice(0, limit);
      const last = pages.at(-1);
      return {
        pages: pages.map(({ url, title, read_at }) => ({ url, title, readAt: read_at })),
        ...(rows.length > limit && last && { next: encodeCursor(last) }),
      };
    },

    async clear(owner) {
      return db.transaction(() => {
        const rows = db.all<{ id: number }>('SELECT id FROM pages WHERE owner = ?', owner);
        for (const { id } of rows) remove(id);
        return rows.length;
      });
    },
  };
}

function stored({ url, title, text, read_at }: Row): StoredPage {
  return { url, title, text, readAt: read_at };
}

/** SQLite ends a text at NUL, and half a surrogate pair is no text. */
function clean(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

function encodeCursor({ read_at, id }: Row): string {
  return Buffer.from(`${read_at}.${id}`).toString('base64url');
}

function decodeCursor(cursor: string): [number, number] {
  const match = /^(\d{1,16})\.(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (match) return [Number(match[1]), Number(match[2])];
  throw new AppError(
    'bad_request',
    `cursor is ${JSON.stringify(cursor.slice(0, 80))}: it takes a nextCursor of this list; leave it out to begin again`,
  );
}
