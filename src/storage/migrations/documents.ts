import type { Migration } from './migration.ts';

/** Tables of uploaded files. `ready` is set when a file is complete, and `indexed` when its passages can be found. */
export const DOCUMENTS: Migration = {
  id: 6,
  name: 'documents',
  sql: `
      CREATE TABLE documents (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        owner TEXT NOT NULL,
        name TEXT NOT NULL,
        title TEXT NOT NULL,
        author TEXT NOT NULL,
        pages INTEGER NOT NULL,
        parts INTEGER NOT NULL,
        bytes INTEGER NOT NULL,
        blob TEXT NOT NULL,
        added_at INTEGER NOT NULL,
        ready INTEGER NOT NULL DEFAULT 0,
        indexed INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE UNIQUE INDEX documents_by_name ON documents (owner, name) WHERE ready = 1;
      CREATE TABLE document_pages (
        document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        page INTEGER NOT NULL,
        part INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (document, page)
      ) STRICT;
    `,
};

export const PASS_ENDS: Migration = {
  id: 10,
  name: 'ended passes',
  sql: 'CREATE TABLE pass_ends (owner TEXT PRIMARY KEY, ends INTEGER NOT NULL) STRICT, WITHOUT ROWID;',
};

export const DOCUMENT_KINDS: Migration = {
  id: 20,
  name: 'kinds of uploaded files',
  sql: `ALTER TABLE documents ADD COLUMN kind TEXT NOT NULL DEFAULT 'pdf';`,
};

export const DOCUMENT_COLLECTIONS: Migration = {
  id: 23,
  name: 'collections of uploaded files',
  sql: `
    ALTER TABLE documents ADD COLUMN collection TEXT NOT NULL DEFAULT 'default';
    DROP INDEX kb_entries_by_collection;
    CREATE INDEX kb_entries_by_collection ON kb_entries (owner, collection, at, trash, passages, bytes, file)
      WHERE collection <> 'default';
  `,
};
