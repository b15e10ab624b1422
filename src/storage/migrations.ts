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
];
