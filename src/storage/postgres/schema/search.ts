import type { PostgresMigration } from './migration.ts';
import { partitionsOf } from './partitions.ts';

export const POSTGRES_SEARCH: PostgresMigration = {
  id: 7,
  name: 'search',
  oldest: 1,
  sql: `
    CREATE TABLE engine_suspensions (
      engine text COLLATE "C" PRIMARY KEY,
      reason text NOT NULL,
      until bigint NOT NULL,
      pause bigint NOT NULL
    );
    CREATE TABLE crawls (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      owner text COLLATE "C" NOT NULL,
      source text COLLATE "C" NOT NULL,
      kind text NOT NULL,
      options text NOT NULL,
      run bigint NOT NULL,
      started_at bigint NOT NULL,
      finished_at bigint,
      runner text COLLATE "C",
      beat_at bigint,
      stop bigint NOT NULL DEFAULT 0,
      ended_at bigint,
      outcome text,
      UNIQUE (owner, source)
    );
    CREATE TABLE crawl_addresses (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      crawl bigint NOT NULL REFERENCES crawls (id) ON DELETE CASCADE,
      url text COLLATE "C" NOT NULL,
      run bigint NOT NULL,
      depth bigint NOT NULL,
      state text NOT NULL,
      etag text,
      modified text,
      digest text COLLATE "C",
      UNIQUE (crawl, url)
    );
    CREATE INDEX crawl_waiting ON crawl_addresses (crawl, run, state, depth, id);
  `,
};

/** A row exists until its crawl ends. `terms` are facts about the caller. */
export const POSTGRES_CRAWL_JOBS: PostgresMigration = {
  id: 18,
  name: 'crawl jobs',
  oldest: 1,
  sql: `
    CREATE TABLE crawl_jobs (
      id text COLLATE "C" PRIMARY KEY,
      owner text COLLATE "C" NOT NULL,
      source text COLLATE "C" NOT NULL,
      depth bigint NOT NULL,
      terms text NOT NULL,
      created_at bigint NOT NULL,
      runner text COLLATE "C",
      opened_at bigint,
      ended_at bigint,
      failure text
    );
    CREATE UNIQUE INDEX crawl_jobs_open ON crawl_jobs (owner, source) WHERE ended_at IS NULL;
    CREATE INDEX crawl_jobs_ended ON crawl_jobs (ended_at) WHERE ended_at IS NOT NULL;
  `,
};

/** `terms` are numbers of words, `counts` their frequency, `place` a digest of the URL. */
export const POSTGRES_PAGES: PostgresMigration = {
  id: 8,
  name: 'pages',
  oldest: 1,
  sql: `
    CREATE TABLE page_owners (
      owner text COLLATE "C" PRIMARY KEY,
      pages bigint NOT NULL DEFAULT 0,
      bytes bigint NOT NULL DEFAULT 0,
      words bigint NOT NULL DEFAULT 0
    );
    CREATE SEQUENCE page_ids;
    CREATE TABLE pages (
      owner text COLLATE "C" NOT NULL,
      id bigint NOT NULL DEFAULT nextval('page_ids'),
      place bytea NOT NULL,
      url text COLLATE "C" NOT NULL,
      title text NOT NULL,
      read_at bigint NOT NULL,
      first_at bigint NOT NULL,
      bytes bigint NOT NULL,
      length bigint NOT NULL,
      terms bigint[] NOT NULL,
      counts smallint[] NOT NULL,
      text bytea NOT NULL,
      PRIMARY KEY (owner, id),
      UNIQUE (owner, place)
    ) PARTITION BY HASH (owner);
    ALTER TABLE pages ALTER COLUMN text SET STORAGE EXTERNAL;
    ${partitionsOf('pages')}
    CREATE INDEX pages_by_time ON pages (owner, read_at, id);
    CREATE INDEX pages_by_term ON pages USING gin (terms) WITH (fastupdate = off);
    CREATE SEQUENCE page_version_ids;
    CREATE TABLE page_versions (
      owner text COLLATE "C" NOT NULL,
      id bigint NOT NULL DEFAULT nextval('page_version_ids'),
      page bigint NOT NULL,
      title text NOT NULL,
      first_at bigint NOT NULL,
      read_at bigint NOT NULL,
      bytes bigint NOT NULL,
      text bytea NOT NULL,
      PRIMARY KEY (owner, id),
      FOREIGN KEY (owner, page) REFERENCES pages (owner, id) ON DELETE CASCADE
    ) PARTITION BY HASH (owner);
    ALTER TABLE page_versions ALTER COLUMN text SET STORAGE EXTERNAL;
    ${partitionsOf('page_versions')}
    CREATE INDEX page_versions_by_page ON page_versions (owner, page, id);
  `,
};

export const POSTGRES_PAGE_WORD_FORMS: PostgresMigration = {
  id: 20,
  name: 'forms of the words of pages',
  oldest: 1,
  sql: `
    ALTER TABLE pages ADD COLUMN form bigint NOT NULL DEFAULT 0;
    CREATE INDEX pages_by_form ON pages (owner, id) WHERE form < 1;
  `,
};
