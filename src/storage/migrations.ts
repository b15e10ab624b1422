import { COMPLIANCE, COMPLIANCE_JOBS } from './compliance-migrations.ts';
import { KNOWLEDGE_BASE, KNOWLEDGE_CHANGES } from './knowledge-migrations.ts';
import { MONITOR_LINES, MONITOR_SIGHT, MONITORS } from './monitor-migrations.ts';
import { SCANS } from './security-migrations.ts';

/** One step of the database's growth; ids only ever grow, and a step that has landed is never changed. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly sql: string;
}

export const MIGRATIONS: readonly Migration[] = [
  {
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
  },
  {
    // Terms are kept by owner, so that neither the ranking nor the time of a search tells about others'
    // pages. What was kept before is read again when it is needed: no release had it.
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
  },
  {
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
  },
  {
    // Texts are packed and sizes counted. What was kept before is read again when it is needed: no release
    // had it. A crawl is what `magpie index` was asked for, and its addresses are what it knows of them.
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
  },
  KNOWLEDGE_BASE,
  {
    // The texts of uploaded files, page by page; their bytes lie behind the blob store under `blob`. A file is
    // there once `ready` is set, and its passages are found once `indexed` is.
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
  },
  {
    // Keys are never deleted: that one was made is what closes an open server. Of what is done with them, each
    // call is kept for a time, and counts by day; `access_counts` are those that limits are held to.
    id: 7,
    name: 'access',
    sql: `
      CREATE TABLE access_keys (
        id TEXT PRIMARY KEY,
        user TEXT NOT NULL,
        name TEXT NOT NULL,
        prefix TEXT NOT NULL,
        hash BLOB NOT NULL UNIQUE,
        scopes TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        expires_at INTEGER,
        revoked_at INTEGER,
        replaced_by TEXT,
        used_at INTEGER
      ) STRICT;
      CREATE TABLE access_networks (
        credential TEXT NOT NULL,
        network TEXT NOT NULL,
        seen_at INTEGER NOT NULL,
        PRIMARY KEY (credential, network)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE access_usage (
        id INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        credential TEXT NOT NULL,
        user TEXT NOT NULL,
        operation TEXT NOT NULL,
        outcome TEXT NOT NULL,
        ms INTEGER NOT NULL,
        address TEXT NOT NULL
      ) STRICT;
      CREATE INDEX access_usage_by_time ON access_usage (at);
      CREATE TABLE access_days (
        credential TEXT NOT NULL,
        day INTEGER NOT NULL,
        operation TEXT NOT NULL,
        outcome TEXT NOT NULL,
        calls INTEGER NOT NULL,
        PRIMARY KEY (credential, day, operation, outcome)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE access_counts (
        day INTEGER NOT NULL,
        subject TEXT NOT NULL,
        what TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (day, subject, what)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  KNOWLEDGE_CHANGES,
  SCANS,
  {
    id: 10,
    name: 'ended passes',
    sql: 'CREATE TABLE pass_ends (owner TEXT PRIMARY KEY, ends INTEGER NOT NULL) STRICT, WITHOUT ROWID;',
  },
  MONITORS,
  COMPLIANCE,
  MONITOR_SIGHT,
  MONITOR_LINES,
  COMPLIANCE_JOBS,
];
