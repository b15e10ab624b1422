import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { legalOwner } from '../../storage/owner.ts';
import type { Database } from '../../storage/sqlite.ts';
import type { DocumentInfo, DocumentPage } from '../document.ts';
import type { DocumentStore } from '../document-store.ts';

/** Rows of pages that are written or deleted in one step: some ten milliseconds. */
const STEP = 200;
/** Values of `ready`. */
const [DRAFT, READY, HIDDEN] = [0, 1, 2];

interface Row {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly title: string;
  readonly author: string;
  readonly pages: number;
  readonly parts: number;
  readonly bytes: number;
  readonly blob: string;
  readonly added_at: number;
  readonly indexed: number;
}

/** Uploaded files in SQLite; `added_at` is in microseconds, and rises with every file of an owner. */
export function createSqliteDocumentStore(db: Database): DocumentStore {
  const rowOf = (owner: string, name: string) =>
    db.get<Row>(
      'SELECT * FROM documents WHERE owner = ? AND name = ? AND ready = ?',
      legalOwner(owner),
      name,
      READY,
    );
  const hide = (owner: string, name: string) => {
    const row = rowOf(owner, name);
    if (!row) return undefined;
    db.run('UPDATE documents SET ready = ? WHERE id = ?', HIDDEN, row.id);
    return { row: row.id, blob: row.blob };
  };

  return {
    list: (owner) =>
      db
        .all<Row>(
          'SELECT * FROM documents WHERE owner = ? AND ready = ? ORDER BY added_at DESC',
          legalOwner(owner),
          READY,
        )
        .map(infoOf),

    get(owner, name) {
      const row = rowOf(owner, name);
      return row && infoOf(row);
    },

    usage: (owner) =>
      db.get<{ files: number; bytes: number }>(
        'SELECT count(*) AS files, coalesce(sum(bytes), 0) AS bytes FROM documents WHERE owner = ? AND ready = ?',
        legalOwner(owner),
        READY,
      ) ?? { files: 0, bytes: 0 },

    begin(owner, name) {
      const blob = randomUUID();
      const row = db.get<{ id: number }>(
        `INSERT INTO documents (owner, name, title, author, pages, parts, bytes, blob, added_at)
         SELECT ?1, ?2, '', '', 0, 0, 0, ?3, max(?4, coalesce(max(added_at) + 1, 0)) FROM documents WHERE owner = ?1
         RETURNING id`,
        legalOwner(owner),
        name,
        blob,
        Date.now() * 1000,
      );
      return { row: row?.id ?? 0, blob };
    },

    async addPages({ row }, pages, parts) {
      for (let from = 0; from < pages.length; from += STEP) {
        db.transactionSync(() => {
          pages.slice(from, from + STEP).forEach((text, at) => {
            db.run(
              'INSERT INTO document_pages (document, page, part, text) VALUES (?, ?, ?, ?)',
              row,
              from + at + 1,
              parts[from + at] ?? 1,
              text.replaceAll('\0', '').toWellFormed(),
            );
          });
        });
        await setImmediate();
      }
    },

    finish: (owner, { row }, { title, author, bytes }) =>
      db.transactionSync(() => {
        const name = db.get<Row>('SELECT name FROM documents WHERE id = ?', row)?.name ?? '';
        const before = hide(owner, name);
        db.run(
          `UPDATE documents SET title = ?, author = ?, bytes = ?, ready = ?,
             (pages, parts) = (SELECT max(page), max(part) FROM document_pages WHERE document = documents.id)
           WHERE id = ?`,
          title,
          author,
          bytes,
          READY,
          row,
        );
        return before;
      }),

    hide: (owner, name) => db.transactionSync(() => hide(owner, name)),

    async drop({ row }) {
      for (let gone = -1; gone !== 0; ) {
        gone = db.run(
          'DELETE FROM document_pages WHERE rowid IN (SELECT rowid FROM document_pages WHERE document = ? LIMIT ?)',
          row,
          STEP,
        );
        await setImmediate();
      }
      db.run('DELETE FROM documents WHERE id = ?', row);
    },

    leftovers: (before) =>
      db
        .all<Row>(
          'SELECT id, owner, name, blob FROM documents WHERE ready = ? OR (ready = ? AND added_at < ?)',
          HIDDEN,
          DRAFT,
          before * 1000,
        )
        .map(({ id, owner, name, blob }) => ({ row: id, owner, name, blob })),

    rowToIndex: (owner, name) => {
      const row = rowOf(owner, name);
      return row?.indexed === 0 ? row.id : undefined;
    },

    setIndexed: (row) => {
      db.run('UPDATE documents SET indexed = 1 WHERE id = ?', row);
    },

    unindexed: () => db.all('SELECT owner, name FROM documents WHERE ready = ? AND indexed = 0', READY),

    blobOf: (owner, name) => rowOf(owner, name)?.blob,

    pages: (owner, name, part) =>
      db.all<DocumentPage>(
        'SELECT page, text FROM document_pages WHERE document = ? AND part = ? ORDER BY page',
        rowOf(owner, name)?.id ?? null,
        part,
      ),

    page: (owner, name, page) =>
      db.get<DocumentPage>(
        'SELECT page, text FROM document_pages WHERE document = ? AND page = ?',
        rowOf(owner, name)?.id ?? null,
        page,
      )?.text,

    pagesFrom: (owner, name, from, limit) =>
      db.all<DocumentPage>(
        'SELECT page, text FROM document_pages WHERE document = ? AND page >= ? ORDER BY page LIMIT ?',
        rowOf(owner, name)?.id ?? null,
        from,
        limit,
      ),
  };
}

function infoOf({ owner, name, title, author, pages, parts, bytes, added_at }: Row): DocumentInfo {
  return {
    id: `${owner}-${added_at}`,
    name,
    title,
    author,
    pages,
    parts,
    bytes,
    addedAt: Math.floor(added_at / 1000),
  };
}
