import type { Migration } from './migration.ts';

/**
 * Keys: passages (owner << 31) + number, vectors (model << 55) + passage, words (owner << 39) + (number << 8) + length.
 */
export const KNOWLEDGE_BASE: Migration = {
  id: 5,
  name: 'knowledge base',
  sql: `
    CREATE TABLE kb_owners (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      last INTEGER NOT NULL DEFAULT 0,
      next INTEGER NOT NULL DEFAULT 1,
      removals INTEGER NOT NULL DEFAULT 0,
      records INTEGER NOT NULL DEFAULT 0,
      passages INTEGER NOT NULL DEFAULT 0,
      bytes INTEGER NOT NULL DEFAULT 0,
      searched INTEGER NOT NULL DEFAULT 0,
      words INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE kb_entries (
      owner INTEGER NOT NULL REFERENCES kb_owners (id),
      at INTEGER NOT NULL,
      updated INTEGER NOT NULL,
      first INTEGER NOT NULL,
      passages INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      words INTEGER NOT NULL,
      title TEXT NOT NULL,
      source TEXT NOT NULL,
      tags TEXT NOT NULL,
      digest BLOB,
      file TEXT,
      PRIMARY KEY (owner, at)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX kb_entries_by_digest ON kb_entries (owner, digest) WHERE digest IS NOT NULL;
    CREATE INDEX kb_entries_by_file ON kb_entries (owner, file) WHERE file IS NOT NULL;
    CREATE TABLE kb_passages (
      id INTEGER PRIMARY KEY,
      entry INTEGER NOT NULL,
      ordinal INTEGER NOT NULL,
      page INTEGER,
      words INTEGER NOT NULL,
      title TEXT NOT NULL,
      text TEXT NOT NULL
    ) STRICT;
    CREATE TABLE kb_models (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      used_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE kb_embedded (
      model INTEGER NOT NULL REFERENCES kb_models (id) ON DELETE CASCADE,
      owner INTEGER NOT NULL REFERENCES kb_owners (id),
      below INTEGER NOT NULL,
      PRIMARY KEY (model, owner)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE kb_vectors (id INTEGER PRIMARY KEY, vector BLOB NOT NULL) STRICT;
    CREATE VIRTUAL TABLE kb_words USING fts5 (
      words, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
    );
    CREATE VIRTUAL TABLE kb_postings USING fts5vocab (kb_words, instance);
  `,
};

/** `file` is '' until an uploaded file is visible, and ' ' during its removal. */
export const KNOWLEDGE_CHANGES: Migration = {
  id: 8,
  name: 'changes of the knowledge base',
  sql: `
    CREATE TABLE kb_changes (
      seq INTEGER PRIMARY KEY,
      writer INTEGER NOT NULL,
      owner INTEGER NOT NULL,
      what TEXT NOT NULL
    ) STRICT;
    UPDATE kb_entries SET file = '' WHERE digest IS NULL AND file IS NULL;
  `,
};

/** `trash`: 0 outside the trash, 1 during the removal, -1 after a restore, else the time of removal (microseconds). */
export const KNOWLEDGE_TRASH: Migration = {
  id: 16,
  name: 'trash of the knowledge base',
  sql: `
    ALTER TABLE kb_entries ADD COLUMN trash INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE kb_owners ADD COLUMN restores INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE kb_owners ADD COLUMN trashed INTEGER NOT NULL DEFAULT 0;
    DROP INDEX kb_entries_by_digest;
    CREATE UNIQUE INDEX kb_entries_by_digest ON kb_entries (owner, digest) WHERE digest IS NOT NULL AND trash <= 0;
    CREATE INDEX kb_entries_by_trash ON kb_entries (owner, trash, first, passages, bytes) WHERE trash <> 0;
  `,
};

/** `version_of` marks an earlier text of an entry by the entry's time. */
export const KNOWLEDGE_COLLECTIONS: Migration = {
  id: 18,
  name: 'collections and keys of the knowledge base',
  sql: `
    ALTER TABLE kb_entries ADD COLUMN collection TEXT NOT NULL DEFAULT 'default';
    ALTER TABLE kb_entries ADD COLUMN own_key TEXT NOT NULL DEFAULT '';
    ALTER TABLE kb_entries ADD COLUMN version_of INTEGER;
    DROP INDEX kb_entries_by_digest;
    CREATE UNIQUE INDEX kb_entries_by_digest ON kb_entries (owner, digest, collection, own_key)
      WHERE digest IS NOT NULL AND trash <= 0;
    CREATE UNIQUE INDEX kb_entries_by_key ON kb_entries (owner, collection, own_key)
      WHERE own_key <> '' AND trash <= 0;
    CREATE INDEX kb_entries_by_collection ON kb_entries (owner, collection, at, trash, passages, bytes)
      WHERE collection <> 'default';
    CREATE INDEX kb_entries_by_version ON kb_entries (owner, version_of, trash) WHERE version_of IS NOT NULL;
  `,
};

/** `nonenglish` counts passages (-1: unknown), `asked` weighs questions at `asked_at` (microseconds). */
export const KNOWLEDGE_LANGUAGES: Migration = {
  id: 19,
  name: 'languages of the knowledge base',
  sql: `
    ALTER TABLE kb_entries ADD COLUMN nonenglish INTEGER NOT NULL DEFAULT -1;
    CREATE INDEX kb_entries_unjudged ON kb_entries (owner, at) WHERE nonenglish < 0;
    ALTER TABLE kb_owners ADD COLUMN nonenglish INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE kb_owners ADD COLUMN asked REAL NOT NULL DEFAULT 0;
    ALTER TABLE kb_owners ADD COLUMN asked_at INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE kb_owners ADD COLUMN multilingual INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE kb_models ADD COLUMN all_at INTEGER NOT NULL DEFAULT 0;
  `,
};

/** `form` is the form of an owner's words. Passages from number `reformed` on are to be renewed. */
export const KNOWLEDGE_WORD_FORMS: Migration = {
  id: 33,
  name: 'forms of the words of the knowledge base',
  sql: `
    ALTER TABLE kb_owners ADD COLUMN form INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE kb_owners ADD COLUMN reformed INTEGER NOT NULL DEFAULT 1;
    CREATE INDEX kb_owners_by_form ON kb_owners (form);
  `,
};

/** A merge of the FTS5 index needs space that a full disk does not have. */
export const KNOWLEDGE_REMOVALS: Migration = {
  id: 17,
  name: 'removals without a merge',
  sql: "INSERT INTO kb_words (kb_words, rank) VALUES ('deletemerge', 0);",
};
