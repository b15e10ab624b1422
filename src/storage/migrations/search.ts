import type { Migration } from './migration.ts';

export const PAGES: Migration = {
  id: 1,
  name: 'pages',
  sql: `
      CREATE TABLE pages (
        id INTEGER PRIMARY KEY,
        owner TEXT NOT NULL,
        url TEXT NOT NULL,
        title TEXT NOT NULL,
        text TEXT NOT NULL,
        read_at INTEGER NOT NULL,
        UNIQUE (owner, url)
      ) STRICT;
      CREATE INDEX pages_by_time ON pages (owner, read_at, id);
      CREATE VIRTUAL TABLE pages_fts USING fts5 (
        owner, title, text,
        content = '', contentless_delete = 1,
        tokenize = 'porter unicode61 remove_diacritics 2'
      );
    `,
};

/** Stores terms per owner. Otherwise, ranking and duration of a search would reveal other users' pages. */
export const PAGES_BY_OWNER: Migration = {
  id: 2,
  name: 'pages by owner',
  sql: `
      DROP TABLE pages_fts;
      DROP TABLE pages;
      CREATE TABLE page_owners (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        pages INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE TABLE pages (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        owner INTEGER NOT NULL REFERENCES page_owners (id),
        url TEXT NOT NULL,
        title TEXT NOT NULL,
        read_at INTEGER NOT NULL,
        text TEXT NOT NULL,
        UNIQUE (owner, url)
      ) STRICT;
      CREATE INDEX pages_by_time ON pages (owner, read_at, id);
      CREATE VIRTUAL TABLE pages_fts USING fts5 (
        title, text,
        content = '', contentless_delete = 1,
        tokenize = "porter unicode61 remove_diacritics 2 categories 'L* M* N* Co' tokenchars '_'"
      );
      CREATE TRIGGER pages_added AFTER INSERT ON pages BEGIN
        UPDATE page_owners SET pages = pages + 1 WHERE id = new.owner;
      END;
      CREATE TRIGGER pages_gone AFTER DELETE ON pages BEGIN
        DELETE FROM pages_fts WHERE rowid = old.id;
        UPDATE page_owners SET pages = pages - 1 WHERE id = old.owner;
      END;
    `,
};

export const ENGINE_SUSPENSIONS: Migration = {
  id: 3,
  name: 'engine suspensions',
  sql: `
      CREATE TABLE engine_suspensions (
        engine TEXT PRIMARY KEY,
        reason TEXT NOT NULL,
        until INTEGER NOT NULL,
        pause INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
    `,
};

export const CRAWLS: Migration = {
  id: 4,
  name: 'packed pages and crawls',
  sql: `
      DROP TABLE pages_fts;
      DROP TABLE pages;
      DELETE FROM page_owners;
      ALTER TABLE page_owners ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
      CREATE TABLE pages (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        owner INTEGER NOT NULL REFERENCES page_owners (id),
        url TEXT NOT NULL,
        title TEXT NOT NULL,
        read_at INTEGER NOT NULL,
        bytes INTEGER NOT NULL,
        text BLOB NOT NULL,
        UNIQUE (owner, url)
      ) STRICT;
      CREATE INDEX pages_by_time ON pages (owner, read_at, id);
      CREATE VIRTUAL TABLE pages_fts USING fts5 (
        title, text,
        content = '', contentless_delete = 1,
        tokenize = "porter unicode61 remove_diacritics 2 categories 'L* M* N* Co' tokenchars '_'"
      );
      CREATE TRIGGER pages_added AFTER INSERT ON pages BEGIN
        UPDATE page_owners SET pages = pages + 1, bytes = bytes + new.bytes WHERE id = new.owner;
      END;
      CREATE TRIGGER pages_gone AFTER DELETE ON pages BEGIN
        DELETE FROM pages_fts WHERE rowid = old.id;
        UPDATE page_owners SET pages = pages - 1, bytes = bytes - old.bytes WHERE id = old.owner;
      END;
      CREATE TABLE crawls (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        owner TEXT NOT NULL,
        source TEXT NOT NULL,
        kind TEXT NOT NULL,
        options TEXT NOT NULL,
        run INTEGER NOT NULL,
        started_at INTEGER NOT NULL,
        finished_at INTEGER,
        UNIQUE (owner, source)
      ) STRICT;
      CREATE TABLE crawl_addresses (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        crawl INTEGER NOT NULL REFERENCES crawls (id) ON DELETE CASCADE,
        url TEXT NOT NULL,
        run INTEGER NOT NULL,
        depth INTEGER NOT NULL,
        state TEXT NOT NULL,
        etag TEXT,
        modified TEXT,
        digest TEXT,
        UNIQUE (crawl, url)
      ) STRICT;
      CREATE INDEX crawl_waiting ON crawl_addresses (crawl, run, state, depth, id);
    `,
};

/** `first_at` is when this text was first read (null: unknown). */
export const PAGE_VERSIONS: Migration = {
  id: 22,
  name: 'earlier versions of pages',
  sql: `
      ALTER TABLE pages ADD COLUMN first_at INTEGER;
      CREATE TABLE page_versions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        page INTEGER NOT NULL,
        owner INTEGER NOT NULL,
        title TEXT NOT NULL,
        first_at INTEGER NOT NULL,
        read_at INTEGER NOT NULL,
        bytes INTEGER NOT NULL,
        text BLOB NOT NULL
      ) STRICT;
      CREATE INDEX page_versions_by_page ON page_versions (page);
      CREATE INDEX page_versions_by_owner ON page_versions (owner, id, bytes);
      CREATE TRIGGER page_versions_gone AFTER DELETE ON pages BEGIN
        DELETE FROM page_versions WHERE page = old.id;
      END;
    `,
};

export const CRAWL_RUNS: Migration = {
  id: 24,
  name: 'runs of crawls',
  sql: `
      ALTER TABLE crawls ADD COLUMN runner TEXT;
      ALTER TABLE crawls ADD COLUMN beat_at INTEGER;
      ALTER TABLE crawls ADD COLUMN stop INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE crawls ADD COLUMN ended_at INTEGER;
      ALTER TABLE crawls ADD COLUMN outcome TEXT;
    `,
};

/** `form` is the form of a page's words. The index finds pages to renew. */
export const PAGE_WORD_FORMS: Migration = {
  id: 34,
  name: 'forms of the words of pages',
  sql: `
      ALTER TABLE pages ADD COLUMN form INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX pages_by_form ON pages (id) WHERE form < 1;
    `,
};
