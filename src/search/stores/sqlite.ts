import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import { terms } from '../../lib/text.ts';
import type { Database } from '../../storage/sqlite.ts';
import { excerpt } from '../excerpt.ts';
import type { PageStore } from '../page-store.ts';

/** Bytes of a page's text that are kept and indexed, in UTF-8. */
const TEXT = 1_000_000;
const TITLE = 2000;
/** Terms of a query that are looked for. */
const QUERY_TERMS = 64;
/** Pages that go in one step of `clear`: about 0.1 s. */
const CLEARED_AT_ONCE = 400;
/** A word of the title counts as this many of the text. */
const TITLE_WEIGHT = 4;

interface Row {
  readonly id: number;
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly read_at: number;
}

/**
 * Pages in SQLite, found by FTS5 over the terms of `lib/text.ts`. Every term is indexed with its owner's
 * number before it: a search walks that owner's pages only and weighs words by how rare they are in them.
 * Of others' pages only the number and mean length enter BM25, never a word.
 */
export function createSqlitePageStore(db: Database, { maxPages }: { readonly maxPages: number }): PageStore {
  const ownerOf = (name: string) =>
    db.get<{ id: number }>('SELECT id FROM page_owners WHERE name = ?', legal(name));

  const addOwner = (name: string) => {
    const known = ownerOf(name);
    if (known) return known.id;
    return db.get<{ id: number }>('INSERT INTO page_owners (name) VALUES (?) RETURNING id', name)?.id ?? null;
  };

  const insert = (owner: number | null, page: Omit<Row, 'id'>) => {
    db.run('DELETE FROM pages WHERE owner = ? AND url = ?', owner, page.url);
    const row = db.get<{ id: number }>(
      'INSERT INTO pages (owner, url, title, text, read_at) VALUES (?, ?, ?, ?, ?) RETURNING id',
      owner,
      page.url,
      page.title,
      page.text,
      page.read_at,
    );
    db.run(
      'INSERT INTO pages_fts (rowid, title, text) VALUES (?, ?, ?)',
      row?.id ?? null,
      indexed(owner, page.title),
      indexed(owner, page.text),
    );
  };

  const dropOldest = (owner: number | null) =>
    db.run(
      `DELETE FROM pages WHERE id IN (
         SELECT id FROM pages WHERE owner = ?1 ORDER BY read_at, id
         LIMIT max(0, (SELECT pages FROM page_owners WHERE id = ?1) - ?2))`,
      owner,
      maxPages,
    );

  return {
    async put(owner, page) {
      const row = {
        url: clean(page.url, TEXT),
        title: clean(page.title, TITLE),
        text: clean(page.text, TEXT),
        read_at: Math.trunc(page.readAt),
      };
      db.transaction(() => {
        const id = addOwner(owner);
        insert(id, row);
        dropOldest(id);
      });
    },

    async get(owner, url) {
      const row = db.get<Row>(
        'SELECT url, title, text, read_at FROM pages WHERE owner = ? AND url = ?',
        ownerOf(owner)?.id ?? null,
        clean(url, TEXT),
      );
      return row && { url: row.url, title: row.title, text: row.text, readAt: row.read_at };
    },

    async search(owner, query, limit) {
      const known = ownerOf(owner);
      const asked = [...new Set(terms(query.toWellFormed()))].slice(0, QUERY_TERMS);
      if (!known || asked.length === 0) return [];
      const rows = db.all<Row>(
        `SELECT p.url, p.title, p.text
         FROM (SELECT rowid, bm25(pages_fts, ${TITLE_WEIGHT}, 1) AS score FROM pages_fts
               WHERE pages_fts MATCH ? ORDER BY score LIMIT ?) AS f
         JOIN pages AS p ON p.id = f.rowid AND p.owner = ?
         ORDER BY f.score`,
        asked.map((term) => sought(known.id, term)).join(' OR '),
        limit,
        known.id,
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
        ...(rows.length > limit && last && { next: encodeCursor(last) }),
      };
    },

    async clear(owner) {
      const id = ownerOf(owner)?.id ?? null;
      const newest = db.get<{ id: number | null }>('SELECT max(id) AS id FROM pages WHERE owner = ?', id)?.id;
      let count = 0;
      // In steps, since everyone waits for each; what comes in meanwhile stays.
      for (let gone = -1; gone !== 0; count += gone) {
        gone = db.run(
          'DELETE FROM pages WHERE id IN (SELECT id FROM pages WHERE owner = ? AND id <= ? LIMIT ?)',
          id,
          newest ?? null,
          CLEARED_AT_ONCE,
        );
        await setImmediate();
      }
      db.run('DELETE FROM page_owners WHERE id = ? AND pages = 0', id);
      return count;
    },
  };
}

/** Digits and `_` are no vowels, so the stemmer treats the term after them as it would without them. */
function indexed(owner: number | null, text: string): string {
  return terms(text)
    .map((term) => `${owner}_${term}`)
    .join(' ');
}

/** One character of a script that is written without spaces: the index has it as the beginning of pairs. */
const CHARACTER =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u;

/** Terms are letters, marks and digits: within quotes nothing of them is syntax. */
function sought(owner: number, term: string): string {
  return `"${owner}_${term}"${CHARACTER.test(term) ? ' *' : ''}`;
}

/** Half a surrogate pair is no text: SQLite would store another name for it, perhaps someone else's. */
function legal(owner: string): string {
  if (owner.isWellFormed()) return owner;
  throw new AppError('bad_request', 'the user name has half a character in it: it takes Unicode text');
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
