import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import { terms } from '../../lib/text.ts';
import { legalOwner } from '../../storage/owner.ts';
import type { Database } from '../../storage/sqlite.ts';
import { excerpt } from '../excerpt.ts';
import type { PageBounds, PageStore, StoredPage } from '../page-store.ts';
import { rankPages } from './page-ranking.ts';
import { indexedTerms, pack, soughtTerm, unpack } from './page-text.ts';

/** Bytes of a page's text that are kept and indexed, in UTF-8. */
const TEXT = 1_000_000;
const TITLE = 2000;
/** Terms of a query that are looked for. */
const QUERY_TERMS = 32;
/** Pages that go in one step of `clear`: about 0.1 s. */
const CLEARED_AT_ONCE = 400;
/** Pages that are dropped to make room in one step. */
const DROPPED_AT_ONCE = 50;

/** Hosts that are listed. */
const HOSTS = 1000;

interface Row {
  readonly id: number;
  readonly url: string;
  readonly title: string;
  readonly text: Uint8Array;
  readonly read_at: number;
}

/** A page made ready outside the transaction, so that others wait no longer than they must. */
interface Prepared extends Omit<Row, 'id'> {
  readonly bytes: number;
  readonly plain: string;
}

/**
 * Pages in SQLite, found by FTS5 over the terms of `lib/text.ts`. Every term is indexed with its owner's
 * number before it: a search walks that owner's pages only and weighs words by how rare they are in them.
 * Of others' pages only the number and mean length enter BM25, never a word.
 */
export function createSqlitePageStore(db: Database, { maxPages, maxBytes }: PageBounds): PageStore {
  const ownerOf = (name: string) =>
    db.get<{ id: number; pages: number; bytes: number }>(
      'SELECT id, pages, bytes FROM page_owners WHERE name = ?',
      legalOwner(name),
    );

  const addOwner = (name: string): number => {
    const known = ownerOf(name);
    if (known) return known.id;
    return Number(db.prepare('INSERT INTO page_owners (name) VALUES (?)').run(name).lastInsertRowid);
  };

  const insert = (owner: number, page: Prepared) => {
    db.run('DELETE FROM pages WHERE owner = ? AND url = ?', owner, page.url);
    const { lastInsertRowid } = db
      .prepare('INSERT INTO pages (owner, url, title, read_at, bytes, text) VALUES (?, ?, ?, ?, ?, ?)')
      .run(owner, page.url, page.title, page.read_at, page.bytes, page.text);
    db.run(
      'INSERT INTO pages_fts (rowid, title, text) VALUES (?, ?, ?)',
      lastInsertRowid,
      indexedTerms(owner, page.title),
      indexedTerms(owner, page.plain),
    );
  };

  const dropOldest = (owner: number) => {
    const sizes = () =>
      db.get<{ pages: number; bytes: number }>('SELECT pages, bytes FROM page_owners WHERE id = ?', owner);
    for (let now = sizes(); now && now.pages > 1; now = sizes()) {
      const over = Math.max(now.pages - maxPages, now.bytes > maxBytes ? 1 : 0);
      if (over <= 0) return;
      db.run(
        'DELETE FROM pages WHERE id IN (SELECT id FROM pages WHERE owner = ? ORDER BY read_at, id LIMIT ?)',
        owner,
        Math.min(over, DROPPED_AT_ONCE),
      );
    }
  };

  const putAll = (owner: string, pages: readonly StoredPage[]) => {
    const prepared = pages.map(prepare);
    legalOwner(owner);
    db.transactionSync(() => {
      const id = addOwner(owner);
      for (const page of prepared) insert(id, page);
      dropOldest(id);
    });
  };

  /** In steps, since everyone waits for each; what comes in meanwhile stays. */
  const removeAll = async (owner: string, condition: string, ...values: string[]): Promise<number> => {
    const id = ownerOf(owner)?.id ?? null;
    const newest = db.get<{ id: number | null }>('SELECT max(id) AS id FROM pages')?.id ?? null;
    let count = 0;
    for (let gone = -1; gone !== 0; count += gone) {
      gone = db.run(
        `DELETE FROM pages WHERE id IN (SELECT id FROM pages WHERE owner = ? AND id <= ? ${condition} LIMIT ?)`,
        id,
        newest,
        ...values,
        CLEARED_AT_ONCE,
      );
      await setImmediate();
    }
    db.run('DELETE FROM page_owners WHERE id = ? AND pages = 0', id);
    return count;
  };

  return {
    async put(owner, page) {
      putAll(owner, [page]);
    },

    async putAll(owner, pages) {
      putAll(owner, pages);
    },

    async get(owner, url) {
      const row = db.get<Row>(
        'SELECT url, title, text, read_at FROM pages WHERE owner = ? AND url = ?',
        ownerOf(owner)?.id ?? null,
        clean(url, TEXT),
      );
      return row && { url: row.url, title: row.title, text: unpack(row.text), readAt: row.read_at };
    },

    async readAt(owner, url) {
      const id = ownerOf(owner)?.id ?? null;
      return db.get<Row>('SELECT read_at FROM pages WHERE owner = ? AND url = ?', id, clean(url, TEXT))
        ?.read_at;
    },

    async search(owner, query, limit) {
      const known = ownerOf(owner);
      const asked = [...new Set(terms(query.toWellFormed()))].slice(0, QUERY_TERMS);
      if (!known || asked.length === 0) return [];
      const sought = asked.map((term) => soughtTerm(known.id, term));
      const rows = rankPages(db, sought, limit).flatMap(
        (id) =>
          db.get<Row>('SELECT url, title, text FROM pages WHERE id = ? AND owner = ?', id, known.id) ?? [],
      );
      return rows.map(({ url, title, text }) => ({
        title: title || url,
        url,
        snippet: excerpt(unpack(text), asked),
      }));
    },

    async list(owner, limit, cursor) {
      const [readAt, id] = cursor === undefined ? [Number.MAX_SAFE_INTEGER, 0] : decodeCursor(cursor);
      const rows = db.all<Row>(
        `SELECT id, url, title, read_at FROM pages
         WHERE owner = ? AND (read_at, id) < (?, ?) ORDER BY read_at DESC, id DESC LIMIT ?`,
        ownerOf(owner)?.id ?? null,
        readAt,
        id,
        limit + 1,
      );
      const pages = rows.slice(0, limit);
      const last = pages.at(-1);
      return {
        pages: pages.map(({ url, title, read_at }) => ({ url, title, readAt: read_at })),
        next: rows.length > limit && last ? encodeCursor(last) : undefined,
      };
    },

    async usage(owner) {
      const { pages = 0, bytes = 0 } = ownerOf(owner) ?? {};
      return { pages, bytes };
    },

    async hosts(owner) {
      return db.all(
        `SELECT iif(url LIKE 'file:%', 'files of this machine', substr(url, 1, 8 + instr(substr(url, 9), '/'))) AS host,
           count(*) AS pages
         FROM pages WHERE owner = ? GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?`,
        ownerOf(owner)?.id ?? null,
        HOSTS,
      );
    },

    async remove(owner, urls) {
      const id = ownerOf(owner)?.id ?? null;
      return db.transactionSync(() =>
        urls.reduce(
          (count, url) =>
            count + db.run('DELETE FROM pages WHERE owner = ? AND url = ?', id, clean(url, TEXT)),
          0,
        ),
      );
    },

    async forget(owner, prefix) {
      const address = clean(prefix, TEXT);
      return removeAll(
        owner,
        `AND url >= ? AND url < ? || char(0x10ffff)
         AND (substr(?, -1) = '/' OR substr(url, length(?) + 1, 1) IN ('', '/', '?', '#'))`,
        address,
        address,
        address,
        address,
      );
    },

    clear: (owner) => removeAll(owner, ''),
  };
}

function prepare({ url, title, text, readAt }: StoredPage): Prepared {
  const [name, plain] = [clean(title, TITLE), clean(text, TEXT)];
  return {
    url: clean(url, TEXT),
    title: name,
    plain,
    bytes: Buffer.byteLength(name) + Buffer.byteLength(plain),
    text: pack(plain),
    read_at: Math.trunc(readAt),
  };
}

/** SQLite ends a text at NUL; the cut is between characters. */
function clean(text: string, bytes: number): string {
  const legible = text.replaceAll('\0', '').toWellFormed();
  if (legible.length * 3 <= bytes) return legible;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(legible).subarray(0, bytes), {
    stream: true,
  });
}

function encodeCursor({ read_at, id }: Row): string {
  return Buffer.from(`${read_at}.${id}`).toString('base64url');
}

function decodeCursor(cursor: string): [number, number] {
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (match) return [Number(match[1]), Number(match[2])];
  throw new AppError(
    'bad_request',
    `cursor is ${JSON.stringify(cursor.slice(0, 80))}: it takes the next of an earlier answer; leave it out to begin again`,
  );
}
