import type { PostgresMigration } from './migration.ts';
import { partitionsOf } from './partitions.ts';

export const POSTGRES_DOCUMENTS: PostgresMigration = {
  id: 6,
  name: 'documents',
  oldest: 1,
  sql: `
    CREATE TABLE documents (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      owner text COLLATE "C" NOT NULL,
      name text COLLATE "C" NOT NULL,
      kind text NOT NULL DEFAULT 'pdf',
      collection text COLLATE "C" NOT NULL DEFAULT 'default',
      title text NOT NULL,
      author text NOT NULL,
      pages bigint NOT NULL,
      parts bigint NOT NULL,
      bytes bigint NOT NULL,
      blob text COLLATE "C" NOT NULL,
      added_at bigint NOT NULL,
      ready bigint NOT NULL DEFAULT 0,
      indexed bigint NOT NULL DEFAULT 0
    );
    CREATE UNIQUE INDEX documents_by_name ON documents (owner, name) WHERE ready = 1;
    CREATE INDEX documents_of_owner ON documents (owner, added_at);
    CREATE TABLE document_pages (
      owner text COLLATE "C" NOT NULL,
      document bigint NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
      page bigint NOT NULL,
      part bigint NOT NULL,
      text text NOT NULL,
      PRIMARY KEY (owner, document, page)
    ) PARTITION BY HASH (owner);
    ${partitionsOf('document_pages')}
    CREATE INDEX document_pages_of_document ON document_pages (document, page);
    CREATE TABLE blobs (
      name text COLLATE "C" PRIMARY KEY,
      bytes bigint NOT NULL,
      made_at bigint NOT NULL
    );
    CREATE TABLE blob_pieces (
      name text COLLATE "C" NOT NULL,
      piece bigint NOT NULL,
      bytes bytea NOT NULL,
      PRIMARY KEY (name, piece)
    );
    ALTER TABLE blob_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;
    CREATE TABLE pass_ends (owner text COLLATE "C" PRIMARY KEY, ends bigint NOT NULL);
  `,
};
