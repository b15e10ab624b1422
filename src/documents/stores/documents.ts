import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type Generated, type Kysely, type Selectable, type SqlBool, sql } from 'kysely';
import { DEFAULT_COLLECTION } from '../../lib/collection.ts';
import {
  type AnyDatabase,
  type Dialect,
  type Sql,
  type StepGenerator,
  type StoreDatabase,
  toAnyDatabase,
} from '../../storage/any-database.ts';
import { checkOwnerName } from '../../storage/owner.ts';
import { queryBuilder } from '../../storage/query-builder.ts';
import type {
  DocumentBounds,
  DocumentDraft,
  DocumentStore,
  DraftFacts,
  PublishResult,
} from '../document-store.ts';
import type { DocumentInfo, DocumentPage, DocumentUsage } from '../types.ts';

interface DocumentTable
  extends Pick<DocumentInfo, 'name' | 'title' | 'author' | 'pages' | 'parts' | 'bytes'> {
  readonly id: Generated<number>;
  readonly owner: string;
  readonly kind: Generated<string>;
  readonly collection: Generated<string>;
  readonly blob: string;
  /** Time of upload in microseconds since 1970. It is later than for all earlier files of the owner. */
  readonly added_at: number;
  readonly ready: Generated<number>;
  readonly indexed: Generated<number>;
}

interface DocumentTables {
  readonly documents: DocumentTable;
  readonly document_pages: {
    readonly document: number;
    readonly page: number;
    readonly part: number;
    readonly text: string;
  };
}

type DocumentQuery = Kysely<DocumentTables>;

const INSERT_PAGE: Readonly<Record<Dialect, string>> = {
  sqlite: 'INSERT INTO document_pages (page, part, text, document) VALUES (?, ?, ?, ?)',
  postgres: `INSERT INTO document_pages (owner, document, page, part, text)
    SELECT owner, id, ?, ?, ? FROM documents WHERE id = ?`,
};

const STEP_ROWS = 200;
const [DRAFT, READY, HIDDEN] = [0, 1, 2];
const INFO = [
  'd.owner',
  'd.name',
  'd.kind',
  'd.collection',
  'd.title',
  'd.author',
  'd.pages',
  'd.parts',
  'd.bytes',
  'd.added_at',
] as const;

export function createDocumentStore(of: StoreDatabase): DocumentStore {
  const db = toAnyDatabase(of);
  const query = queryBuilder<DocumentTables>(db);
  return { ...createLookups(query, db.dialect), ...createDrafts(db, query), ...createIndexMarks(query) };
}

function visible(query: DocumentQuery, owner: string, name: string) {
  return query
    .selectFrom('documents as d')
    .where('d.owner', '=', checkOwnerName(owner))
    .where('d.name', '=', name)
    .where('d.ready', '=', READY);
}

function createLookups(query: DocumentQuery, dialect: Dialect) {
  const ofOwner = dialect === 'postgres' ? sql<SqlBool>`p.owner = d.owner` : sql<SqlBool>`1 = 1`;
  return {
    async listDocuments(owner) {
      const rows = await query
        .selectFrom('documents as d')
        .select(INFO)
        .where('d.owner', '=', checkOwnerName(owner))
        .where('d.ready', '=', READY)
        .orderBy('d.added_at', 'desc')
        .execute();
      return rows.map(infoOf);
    },

    async findDocument(owner, name) {
      const row = await visible(query, owner, name).select(INFO).executeTakeFirst();
      return row && infoOf(row);
    },

    readUsage: async (owner, except) =>
      query
        .selectFrom('documents')
        .select(({ fn }) => [
          fn.countAll<number>().as('files'),
          fn.coalesce(fn.sum<number>('bytes'), sql.lit(0)).as('bytes'),
        ])
        .where('owner', '=', checkOwnerName(owner))
        .where('ready', '=', READY)
        .$if(except !== undefined, (files) => files.where('name', '!=', except ?? ''))
        .executeTakeFirstOrThrow(),

    async findBlob(owner, name) {
      const row = await visible(query, owner, name)
        .select([...INFO, 'd.blob'])
        .executeTakeFirst();
      return row && { document: infoOf(row), blob: row.blob };
    },

    async findPart(owner, name, part) {
      const rows = await visible(query, owner, name)
        .leftJoin('document_pages as p', (on) =>
          on.onRef('p.document', '=', 'd.id').on(ofOwner).on('p.part', '=', part),
        )
        .select([...INFO, 'p.page', 'p.text'])
        .orderBy('p.page')
        .execute();
      const [first] = rows;
      const pages = rows.flatMap(({ page, text }): DocumentPage[] =>
        page === null || text === null ? [] : [{ page, text }],
      );
      return first && { document: infoOf(first), pages };
    },

    async listPartsOfPages(owner, name, pages) {
      if (pages.length === 0) return [];
      return visible(query, owner, name)
        .innerJoin('document_pages as p', (on) => on.onRef('p.document', '=', 'd.id').on(ofOwner))
        .select(['p.page', 'p.part'])
        .where('p.page', 'in', pages)
        .orderBy('p.page')
        .execute();
    },

    async findPage(owner, name, page) {
      const row = await visible(query, owner, name)
        .leftJoin('document_pages as p', (on) =>
          on.onRef('p.document', '=', 'd.id').on(ofOwner).on('p.page', '=', page),
        )
        .select([...INFO, 'p.text'])
        .executeTakeFirst();
      return row && { document: infoOf(row), text: row.text ?? undefined };
    },

    listPages: async (owner, name, from, limit) =>
      visible(query, owner, name)
        .innerJoin('document_pages as p', (on) => on.onRef('p.document', '=', 'd.id').on(ofOwner))
        .select(['p.page', 'p.text'])
        .where('p.page', '>=', from)
        .orderBy('p.page')
        .limit(limit)
        .execute(),
  } satisfies Partial<DocumentStore>;
}

function createDrafts(db: AnyDatabase, query: DocumentQuery) {
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

    /** Uses plain SQL, because the query builder would build a new statement for each page. */
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
      for (let deleted = -1n; deleted !== 0n; await setImmediate()) {
        const { numDeletedRows } = await query
          .deleteFrom('document_pages')
          .where('document', '=', row)
          .where('page', 'in', ({ selectFrom }) =>
            selectFrom('document_pages').select('page').where('document', '=', row).limit(STEP_ROWS),
          )
          .executeTakeFirst();
        deleted = numDeletedRows;
      }
      await query.deleteFrom('documents').where('id', '=', row).execute();
    },

    listLeftovers: async (before) =>
      query
        .selectFrom('documents')
        .select(['id as row', 'owner', 'name', 'blob'])
        .where(({ and, eb, or }) =>
          or([eb('ready', '=', HIDDEN), and([eb('ready', '=', DRAFT), eb('added_at', '<', before * 1000)])]),
        )
        .execute(),
  } satisfies Partial<DocumentStore>;
}

function* publish(
  statements: Sql,
  owner: string,
  { row }: DocumentDraft,
  { kind, collection, title, author, bytes }: DraftFacts,
  { maxFiles, maxBytes }: DocumentBounds,
): StepGenerator<PublishResult> {
  yield* statements.lockName(`files of ${owner}`);
  const name =
    (yield* statements.get<DocumentTable>`SELECT name FROM documents WHERE id = ${row}`)?.name ?? '';
  const used = (yield* statements.get<DocumentUsage>`SELECT count(*) AS files,
    coalesce(sum(bytes), 0) AS bytes FROM documents
    WHERE owner = ${owner} AND ready = ${READY} AND name <> ${name}`) ?? { files: 0, bytes: 0 };
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

function createIndexMarks(query: DocumentQuery) {
  return {
    findUnindexed: async (owner, name) =>
      visible(query, owner, name)
        .select(['d.id as row', 'd.title', 'd.collection'])
        .where('d.indexed', '=', 0)
        .executeTakeFirst(),
    async markIndexed(row) {
      await query.updateTable('documents').set({ indexed: 1 }).where('id', '=', row).execute();
    },
    listUnindexed: async () =>
      query
        .selectFrom('documents')
        .select(['owner', 'name'])
        .where('ready', '=', READY)
        .where('indexed', '=', 0)
        .execute(),
  } satisfies Partial<DocumentStore>;
}

function infoOf(row: Omit<Selectable<DocumentTable>, 'id' | 'blob' | 'ready' | 'indexed'>): DocumentInfo {
  const { owner, name, kind, collection, title, author, pages, parts, bytes, added_at } = row;
  return {
    id: `${owner}-${added_at}`,
    name,
    collection,
    kind,
    title,
    author,
    pages,
    parts,
    bytes,
    addedAt: Math.floor(added_at / 1000),
  };
}
