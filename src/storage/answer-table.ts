import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Tables of other versions are dropped, because cached responses can be fetched again. */
const LAYOUT_VERSION = 1;
const MAX_VARIANTS = 4;
const SHARE_AFTER_EVICTION = 0.9;
/** Other processes write to the table too, so rows are counted again after this many writes. */
const WRITTEN_UNCOUNTED = 200;

export interface AnswerRow {
  readonly place: string;
  readonly vary: string;
  readonly status: number;
  readonly headers: string;
  readonly requested: number;
  readonly received: number;
  readonly size: number;
  readonly length: number;
  readonly body: Uint8Array;
}

export interface AnswerBounds {
  readonly maxBytes: number;
  readonly maxEntries: number;
}

export type AnswerTable = ReturnType<typeof openAnswerTable>;

export function openAnswerTable(database: DatabaseSync, { maxBytes, maxEntries }: AnswerBounds) {
  createTable(database);
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string) => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  /** `bytes` and `entries` are too high until the next count: replaced responses are not subtracted. */
  let [bytes, entries, uncounted] = [0, 0, Number.POSITIVE_INFINITY];

  function count(): void {
    const now = prepared(TOTAL).get() ?? {};
    [bytes, entries, uncounted] = [Number(now.bytes ?? 0), Number(now.entries ?? 0), 0];
  }

  function evict(): void {
    const isOver = () => bytes > maxBytes || entries > maxEntries;
    if (uncounted >= WRITTEN_UNCOUNTED || isOver()) count();
    if (!isOver()) return;
    prepared(EVICT).run(
      Math.floor(maxBytes * SHARE_AFTER_EVICTION),
      Math.floor(maxEntries * SHARE_AFTER_EVICTION),
    );
    count();
  }

  return {
    find: (place: string, maxLength: number) =>
      prepared(FIND).all(place, maxLength) as unknown as AnswerRow[],
    markUsed: (place: string, now: number) => void prepared(USE).run(now, place),
    add(rows: readonly AnswerRow[], now: number): void {
      database.exec('BEGIN IMMEDIATE');
      for (const { place, vary, status, headers, requested, received, size, length, body } of rows) {
        prepared(INSERT).run(place, vary, status, headers, requested, received, now, size, length, body);
        prepared(TRIM).run(place, place, MAX_VARIANTS);
        [bytes, entries, uncounted] = [bytes + size, entries + 1, uncounted + 1];
      }
      evict();
      database.exec('COMMIT');
    },
  };
}

function createTable(database: DatabaseSync): void {
  const { user_version: layout } = database.prepare('PRAGMA user_version').get() ?? {};
  if (layout !== LAYOUT_VERSION)
    database.exec(`DROP TABLE IF EXISTS answers; PRAGMA user_version = ${LAYOUT_VERSION}`);
  database.exec(CREATE_TABLE);
}

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS answers (
  id INTEGER PRIMARY KEY,
  place TEXT NOT NULL,
  vary TEXT NOT NULL,
  status INTEGER NOT NULL,
  headers TEXT NOT NULL,
  requested INTEGER NOT NULL,
  received INTEGER NOT NULL,
  used INTEGER NOT NULL,
  size INTEGER NOT NULL,
  length INTEGER NOT NULL,
  body BLOB NOT NULL,
  UNIQUE (place, vary)
) STRICT;
CREATE INDEX IF NOT EXISTS answers_use ON answers (used, id, size);`;
const INSERT = `INSERT OR REPLACE INTO answers
  (place, vary, status, headers, requested, received, used, size, length, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const FIND = `SELECT place, status, headers, vary, requested, received, size, length, body FROM answers
  WHERE place = ? AND length <= ? ORDER BY received DESC, id DESC`;
const USE = 'UPDATE answers SET used = ? WHERE place = ?';
const TRIM = `DELETE FROM answers WHERE place = ? AND id NOT IN
  (SELECT id FROM answers WHERE place = ? ORDER BY received DESC, id DESC LIMIT ?)`;
const TOTAL = 'SELECT sum(size) AS bytes, count(*) AS entries FROM answers';
const EVICT = `DELETE FROM answers WHERE id IN (SELECT id FROM (
  SELECT id, sum(size) OVER recent AS bytes, row_number() OVER recent AS entries FROM answers
  WINDOW recent AS (ORDER BY used DESC, id DESC)) WHERE bytes > ? OR entries > ?)`;
