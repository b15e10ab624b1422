import type { PostgresMigration } from './migration.ts';
import { partitionsOf } from './partitions.ts';

/** `kb_words` has numbers computed from owner and word, so one index suffices. `times` is each word's frequency. */
export const POSTGRES_KNOWLEDGE: PostgresMigration = {
  id: 9,
  name: 'knowledge base',
  oldest: 1,
  sql: `
    CREATE TABLE kb_owners (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text COLLATE "C" NOT NULL UNIQUE,
      last bigint NOT NULL DEFAULT 0,
      next bigint NOT NULL DEFAULT 1,
      removals bigint NOT NULL DEFAULT 0,
      records bigint NOT NULL DEFAULT 0,
      passages bigint NOT NULL DEFAULT 0,
      bytes bigint NOT NULL DEFAULT 0,
      searched bigint NOT NULL DEFAULT 0,
      words bigint NOT NULL DEFAULT 0,
      restores bigint NOT NULL DEFAULT 0,
      trashed bigint NOT NULL DEFAULT 0,
      nonenglish bigint NOT NULL DEFAULT 0,
      asked double precision NOT NULL DEFAULT 0,
      asked_at bigint NOT NULL DEFAULT 0,
      multilingual bigint NOT NULL DEFAULT 0
    );
    CREATE TABLE kb_entries (
      owner bigint NOT NULL REFERENCES kb_owners (id),
      at bigint NOT NULL,
      updated bigint NOT NULL,
      first bigint NOT NULL,
      passages bigint NOT NULL,
      bytes bigint NOT NULL,
      words bigint NOT NULL,
      title text NOT NULL,
      source text COLLATE "C" NOT NULL,
      tags text COLLATE "C" NOT NULL,
      digest bytea,
      file text COLLATE "C",
      trash bigint NOT NULL DEFAULT 0,
      collection text COLLATE "C" NOT NULL DEFAULT 'default',
      own_key text COLLATE "C" NOT NULL DEFAULT '',
      version_of bigint,
      nonenglish bigint NOT NULL DEFAULT -1,
      PRIMARY KEY (owner, at)
    );
    CREATE UNIQUE INDEX kb_entries_by_digest ON kb_entries (owner, digest, collection, own_key)
      WHERE digest IS NOT NULL AND trash <= 0;
    CREATE UNIQUE INDEX kb_entries_by_key ON kb_entries (owner, collection, own_key)
      WHERE own_key <> '' AND trash <= 0;
    CREATE INDEX kb_entries_by_file ON kb_entries (owner, file) WHERE file IS NOT NULL;
    CREATE INDEX kb_entries_by_trash ON kb_entries (owner, trash, first, passages, bytes) WHERE trash <> 0;
    CREATE INDEX kb_entries_by_collection ON kb_entries (owner, collection, at, trash, passages, bytes, file)
      WHERE collection <> 'default';
    CREATE INDEX kb_entries_by_version ON kb_entries (owner, version_of, trash) WHERE version_of IS NOT NULL;
    CREATE INDEX kb_entries_unjudged ON kb_entries (owner, at) WHERE nonenglish < 0;
    CREATE TABLE kb_passages (
      owner bigint NOT NULL,
      id bigint NOT NULL,
      entry bigint NOT NULL,
      ordinal bigint NOT NULL,
      page bigint,
      words bigint NOT NULL,
      title text NOT NULL,
      text text NOT NULL,
      PRIMARY KEY (owner, id)
    ) PARTITION BY HASH (owner);
    ${partitionsOf('kb_passages')}
    CREATE TABLE kb_words (
      owner bigint NOT NULL,
      id bigint NOT NULL,
      length smallint NOT NULL,
      terms bigint[] NOT NULL,
      times smallint[] NOT NULL,
      PRIMARY KEY (owner, id)
    ) PARTITION BY HASH (owner);
    ${partitionsOf('kb_words')}
    CREATE INDEX kb_words_by_term ON kb_words USING gin (terms) WITH (fastupdate = off);
    CREATE TABLE kb_models (
      id bigint PRIMARY KEY,
      name text COLLATE "C" NOT NULL UNIQUE,
      used_at bigint NOT NULL,
      all_at bigint NOT NULL DEFAULT 0
    );
    CREATE TABLE kb_embedded (
      model bigint NOT NULL REFERENCES kb_models (id) ON DELETE CASCADE,
      owner bigint NOT NULL REFERENCES kb_owners (id),
      below bigint NOT NULL,
      PRIMARY KEY (model, owner)
    );
    CREATE TABLE kb_vectors (
      owner bigint NOT NULL,
      id bigint NOT NULL,
      vector bytea NOT NULL,
      PRIMARY KEY (owner, id)
    ) PARTITION BY HASH (owner);
    ALTER TABLE kb_vectors ALTER COLUMN vector SET STORAGE PLAIN;
    ${partitionsOf('kb_vectors')}
    CREATE TABLE kb_changes (
      seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      writer bigint NOT NULL,
      owner bigint NOT NULL,
      what text NOT NULL,
      tx xid8 NOT NULL DEFAULT pg_current_xact_id()
    );
    CREATE INDEX kb_changes_by_tx ON kb_changes (tx, seq);
    CREATE TABLE kb_folders (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      owner text COLLATE "C" NOT NULL,
      path text COLLATE "C" NOT NULL,
      collection text COLLATE "C" NOT NULL,
      synced_at bigint,
      UNIQUE (owner, path)
    );
    CREATE TABLE kb_folder_files (
      folder bigint NOT NULL REFERENCES kb_folders (id) ON DELETE CASCADE,
      path text COLLATE "C" NOT NULL,
      stamp text NOT NULL,
      digest text COLLATE "C" NOT NULL,
      entry text NOT NULL,
      PRIMARY KEY (folder, path)
    );
  `,
};

export const POSTGRES_WORD_FORMS: PostgresMigration = {
  id: 19,
  name: 'forms of the words of the knowledge base',
  oldest: 1,
  sql: `
    ALTER TABLE kb_owners ADD COLUMN form bigint NOT NULL DEFAULT 0, ADD COLUMN reformed bigint NOT NULL DEFAULT 1;
    CREATE INDEX kb_owners_by_form ON kb_owners (form);
  `,
};
