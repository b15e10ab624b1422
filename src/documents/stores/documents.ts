import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { DEFAULT_COLLECTION } from '../../lib/collection.ts';
import {
  type AnyDatabase,
  type Dialect,
  jsonRows,
  type Sql,
  type StepGenerator,
  type StoreDatabase,
  toAnyDatabase,
} from '../../storage/any-database.ts';
import { checkOwnerName } from '../../storage/owner.ts';
import { fragment, raw, type SqlFragment } from '../../storage/sql-template.ts';
import type {
  DocumentBounds,
  DocumentDraft,
  DocumentStore,
  DraftFacts,
  PublishResult,
} from '../document-store.ts';
import type { DocumentInfo, DocumentPage, DocumentUsage } from '../types.ts';

interface DocumentRow extends Omit<DocumentInfo, 'id' | 'addedAt'> {
  readonly owner: string;
  /** Time of upload in microseconds since 1970. It is later than for all earlier files of the owner. */
  readonly added_at: number;
}

const INSERT_PAGE: Readonly<Record<Dialect, string>> = {
  sqlite: 'INSERT INTO document_pages (page, part, text, document) VALUES (?, ?, ?, ?)',
  postgres: `INSERT INTO document_pages (owner, document, page, part, text)
    SELECT owner, id, ?, ?, ? FROM documents WHERE id = ?`,
};

const STEP_ROWS = 200;
const [DRAFT, READY, HIDDEN] = [0, 1, 2];
const INFO = raw(
  'd.owner, d.name, d.kind, d.collection, d.title, d.author, d.pages, d.parts, d.bytes, d.added_at',
);

export function createDocumentStore(of: StoreDatabase): DocumentStore {
  const db = toAnyDatabase(of);
  return { ...createLookups(db), ...createDrafts(db), ...createIndexMarks(db) };
}

function isVisible(owner: string, name: string): SqlFragment {
  return fragment`d.owner = ${checkOwnerName(owner)} AND d.name = ${name} AND d.ready = ${READY}`;
}

function createLookups(db: AnyDatabase) {
  const pages = raw(
    `document_pages p ON p.document = d.id${db.dialect === 'postgres' ? ' AND p.owner = d.owner' : ''}`,
  );
  return {
    async listDocuments(owner) {
      const rows = await db.read(
        (sql) => sql.all<DocumentRow>`SELECT ${INFO} FROM documents d
          WHERE d.owner = ${checkOwnerName(owner)} AND d.ready = ${READY} ORDER BY d.added_at DESC`,
      );
      return rows.map(infoOf);
    },

    async findDocument(owner, name) {
      const row = await db.read(
        (sql) => sql.get<DocumentRow>`SELECT ${INFO} FROM documents d WHERE ${isVisible(owner, name)}`,
      );
      return row && infoOf(row);
    },

    readUsage: (owner, except = '') =>
      db.read(function* (sql) {
        return yield* readUsage(sql, checkOwnerName(owner), except);
      }),

    async findBlob(owner, name) {
      const row = await db.read(
        (sql) => sql.get<DocumentRow & { readonly blob: string }>`SELECT ${INFO}, d.blob FROM documents d
          WHERE ${isVisible(owner, name)}`,
      );
      return row && { document: infoOf(row), blob: row.blob };
    },

    async findPart(owner, name, part) {
      const rows = await db.read(
        (sql) => sql.all<DocumentRow & (DocumentPage | { page: null })>`SELECT ${INFO}, p.page, p.text
          FROM documents d LEFT JOIN ${pages} AND p.part = ${part} WHERE ${isVisible(owner, name)}
          ORDER BY p.page`,
      );
      const [first] = rows;
      const found = rows.flatMap((row) => (row.page === null ? [] : [{ page: row.page, text: row.text }]));
      return first && { document: infoOf(first), pages: found };
    },

    listPartsOfPages: (owner, name, numbers) =>
      db.read(
        (sql) => sql.all`SELECT p.page, p.part FROM documents d JOIN ${pages} WHERE ${isVisible(owner, name)}
          AND p.page IN (SELECT CAST(value AS bigint) FROM ${jsonRows(sql, numbers)}) ORDER BY p.page`,
      ),

    async findPage(owner, name, page) {
      const row = await db.read(
        (sql) => sql.get<DocumentRow & { readonly text: string | null }>`SELECT ${INFO}, p.text
          FROM documents d LEFT JOIN ${pages} AND p.page = ${page} WHERE ${isVisible(owner, name)}`,
      );
      return row && { document: infoOf(row), text: row.text ?? undefined };
    },

    listPages: (owner, name, from, limit) =>
      db.read(
        (sql) => sql.all`SELECT p.page, p.text FROM documents d JOIN ${pages}
          WHERE ${isVisible(owner, name)} AND p.page >= ${from} ORDER BY p.page LIMIT ${limit}`,
      ),
  } satisfies Partial<DocumentStore>;
}

function createDrafts(db: AnyDatabase) {
  const insertPage = INSERT_PAGE[db.dialect];
  return {
    async beginDraft(owner, name) {
      const blob = randomUUID();
      const row = await db.write(function* (statements) {
        yield* statements.lockName(`files of ${owner}`);
        const last = yield* statements.get<{ at: number | null }>`SELECT max(added_at) AS at FROM documents
          WHERE owner = ${checkOwnerName(owner)}`;
        return yield* statements.get<{ id: number }>`INSERT INTO documents (owner, name, title, author, pages,
          parts, bytes, blob, added_at)
          VALUES (${owner}, ${name}, '', '', 0, 0, 0, ${blob},
            ${Math.max(Date.now() * 1000, (last?.at ?? 0) + 1)})
          RETURNING id`;
      });
      return { row: row?.id ?? 0, blob };
    },

    async insertPages({ row }, pages, parts) {
      for (let from = 0; from < pages.length; from += STEP_ROWS) {
        const step = pages.slice(from, from + STEP_ROWS);
        await db.write((statements) =>
          statements.sendEach(
            insertPage,
            step.map((text, at) => [
              from + at + 1,
              parts[from + at] ?? 1,
              text.replaceAll('\0', '').toWellFormed(),
              row,
            ]),
          ),
        );
        await setImmediate();
      }
    },

    publishDraft: async (owner, draft, facts, bounds) =>
      db.write((statements) => publish(statements, checkOwnerName(owner), draft, facts, bounds)),

    /** Uses `db.remove`, because it works even if the disk is full. */
    hideDocument: async (owner, name) =>
      db.remove(function* (statements) {
        return yield* statements.get<DocumentDraft>`UPDATE documents SET ready = ${HIDDEN}
          WHERE owner = ${checkOwnerName(owner)} AND name = ${name} AND ready = ${READY}
          RETURNING id AS "row", blob`;
      }),

    async deleteDraft({ row }) {
      for (let deleted = -1; deleted !== 0; await setImmediate()) {
        deleted = await db.remove(
          (sql) => sql.run`DELETE FROM document_pages WHERE document = ${row} AND page IN
            (SELECT page FROM document_pages WHERE document = ${row} LIMIT ${STEP_ROWS})`,
        );
      }
      await db.remove((sql) => sql.run`DELETE FROM documents WHERE id = ${row}`);
    },

    listLeftovers: (before) =>
      db.read(
        (sql) => sql.all`SELECT id AS "row", owner, name, blob FROM documents
          WHERE ready = ${HIDDEN} OR (ready = ${DRAFT} AND added_at < ${before * 1000})`,
      ),
  } satisfies Partial<DocumentStore>;
}

function* readUsage(sql: Sql, owner: string, except: string): StepGenerator<DocumentUsage> {
  const used = yield* sql.get<DocumentUsage>`SELECT count(*) AS files, coalesce(sum(bytes), 0) AS bytes
    FROM documents WHERE owner = ${owner} AND ready = ${READY} AND name <> ${except}`;
  return used ?? { files: 0, bytes: 0 };
}

function* publish(
  statements: Sql,
  owner: string,
  { row }: DocumentDraft,
  { kind, collection, title, author, bytes }: DraftFacts,
  { maxFiles, maxBytes }: DocumentBounds,
): StepGenerator<PublishResult> {
  yield* statements.lockName(`files of ${owner}`);
  const name = (yield* statements.get<DocumentRow>`SELECT name FROM documents WHERE id = ${row}`)?.name ?? '';
  const used = yield* readUsage(statements, owner, name);
  if (used.files >= maxFiles || used.bytes + bytes > maxBytes) return { used };
  const before = yield* statements.get<DocumentDraft & { readonly collection: string }>`UPDATE documents
    SET ready = ${HIDDEN} WHERE owner = ${owner} AND name = ${name} AND ready = ${READY}
    RETURNING id AS "row", blob, collection`;
  yield* statements.run`UPDATE documents
    SET kind = ${kind}, collection = ${collection ?? before?.collection ?? DEFAULT_COLLECTION},
    title = ${title}, author = ${author}, bytes = ${bytes}, ready = ${READY},
      pages = (SELECT coalesce(max(page), 0) FROM document_pages WHERE document = documents.id),
      parts = (SELECT coalesce(max(part), 0) FROM document_pages WHERE document = documents.id)
    WHERE id = ${row}`;
  return { replaced: before && { row: before.row, blob: before.blob } };
}

function createIndexMarks(db: AnyDatabase) {
  return {
    findUnindexed: (owner, name) =>
      db.read(
        (sql) => sql.get`SELECT d.id AS "row", d.title, d.collection FROM documents d
          WHERE ${isVisible(owner, name)} AND d.indexed = 0`,
      ),
    async markIndexed(row) {
      await db.write((sql) => sql.run`UPDATE documents SET indexed = 1 WHERE id = ${row}`);
    },
    listUnindexed: () =>
      db.read((sql) => sql.all`SELECT owner, name FROM documents WHERE ready = ${READY} AND indexed = 0`),
  } satisfies Partial<DocumentStore>;
}

function infoOf({ owner, added_at, ...row }: DocumentRow): DocumentInfo {
  const { name, collection, kind, title, author, pages, parts, bytes } = row;
  const addedAt = Math.floor(added_at / 1000);
  return { id: `${owner}-${added_at}`, name, collection, kind, title, author, pages, parts, bytes, addedAt };
}
