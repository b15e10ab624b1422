import type { Migration } from './migration.ts';

export const KNOWLEDGE_FOLDERS: Migration = {
  id: 21,
  name: 'folders in step with the knowledge base',
  sql: `
    CREATE TABLE kb_folders (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      owner TEXT NOT NULL,
      path TEXT NOT NULL,
      collection TEXT NOT NULL,
      synced_at INTEGER,
      UNIQUE (owner, path)
    ) STRICT;
    CREATE TABLE kb_folder_files (
      folder INTEGER NOT NULL REFERENCES kb_folders (id) ON DELETE CASCADE,
      path TEXT NOT NULL,
      stamp TEXT NOT NULL,
      digest TEXT NOT NULL,
      entry TEXT NOT NULL,
      PRIMARY KEY (folder, path)
    ) STRICT, WITHOUT ROWID;
  `,
};
