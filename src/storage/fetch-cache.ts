import { hash } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { makeFolder } from '../lib/make-folder.ts';
import type { CachedResponse, FetchCache } from '../lib/network/fetch-cache.ts';
import { loadSqlite } from './load-sqlite.ts';

export interface FetchCacheOptions {
  readonly folder: string;
  readonly maxBytes: number;
  readonly maxEntries?: number;
  /** Returns true if the cache may use its folder. Called when the cache is first used. */
  readonly isUsable?: () => boolean;
  readonly trouble?: (error: unknown) => void;
}

const FILE_NAME = 'cache.sqlite';
/** Maximum size of a response, because writing a larger one would block the event loop too long. */
const MAX_ENTRY_BYTES = 4_000_000;
/** Version of the tables. Tables of other versions are dropped, because responses can be fetched again. */
const LAYOUT_VERSION = 1;
const MAX_VARIANTS = 4;
const SHARE_AFTER_EVICTION = 0.9;
/** Bodies up to this size are compressed in this thread, which takes some 0.1 ms and half of the processor time. */
const MAX_INLINE_BYTES = 64_000;
const pack = promisify(zlib.zstdCompress);
const unpack = promisify(zlib.zstdDecompress);
const ZSTD_OPTIONS = { params: { [zlib.constants.ZSTD_c_checksumFlag]: 1 } };

interface AnswerRow {
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

/** Opens the cache in `cache.sqlite`, which can be deleted. URLs and owners are stored as hashes. */
export function openFetchCache(options: FetchCacheOptions): FetchCache {
  const { folder, maxBytes, maxEntries = 20_000, trouble = () => {}, isUsable = () => true } = options;
  const path = join(folder, FILE_NAME);
  let table: AnswerTable | undefined;
  let state: 'new' | 'usable' | 'closed' = 'new';
  const writing = new Map<string, Promise<void>>();

  function open(): AnswerTable {
    makeFolder(folder);
    return openAnswerTable(path, maxBytes, maxEntries);
  }

  /** Ends failed work. Returns true if a damaged file was removed, so that the work can be tried again. */
  function recover(error: unknown, isLast: boolean): boolean {
    if (!isLast && isDamage(error)) {
      table?.database.close();
      table = undefined;
      remove(path);
      return true;
    }
    if (table?.database.isTransaction) table.database.exec('ROLLBACK');
    if (!table) {
      state = 'closed';
      trouble(error);
    }
    return false;
  }

  /** Runs work on the table. Replaces a damaged file by an empty file. Returns undefined if the work fails. */
  function attempt<T>(work: (table: AnswerTable) => T): T | undefined {
    if (state === 'new') state = isUsable() ? 'usable' : 'closed';
    for (const isLast of [false, true]) {
      if (state === 'closed') return undefined;
      try {
        table ??= open();
        return work(table);
      } catch (error) {
        if (!recover(error, isLast)) return undefined;
      }
    }
    return undefined;
  }

  async function keep(place: string, answer: CachedResponse): Promise<void> {
    const { status, requestedAt: requested, receivedAt: received } = answer;
    const isSmall = answer.body.length <= MAX_INLINE_BYTES;
    const body = isSmall
      ? zlib.zstdCompressSync(answer.body, ZSTD_OPTIONS)
      : await pack(answer.body, ZSTD_OPTIONS);
    const headers = JSON.stringify([...answer.headers]);
    const size = body.length + headers.length + 200;
    if (size > Math.min(MAX_ENTRY_BYTES, maxBytes / 4)) return;
    const vary = JSON.stringify(answer.vary);
    const { length } = answer.body;
    const row = { place, vary, status, headers, requested, received, size, length, body };
    attempt((open) => open.add(row, Date.now()));
  }

  return {
    async find(scope, url, maxLength) {
      const place = placeOf(scope, url);
      await writing.get(place);
      const rows = attempt((open) => open.find(place, maxLength)) ?? [];
      if (rows.length > 0) attempt((open) => open.markUsed(place, Date.now()));
      const found = await Promise.all(rows.map(read));
      return found.filter((answer) => answer !== undefined);
    },
    put(scope, url, answer) {
      const place = placeOf(scope, url);
      const task = (writing.get(place) ?? Promise.resolve())
        .then(() => keep(place, answer))
        .catch(() => {})
        .finally(() => {
          if (writing.get(place) === task) writing.delete(place);
        });
      writing.set(place, task);
      return task;
    },
    async close() {
      await Promise.all(writing.values());
      state = 'closed';
      table?.database.close();
      table = undefined;
    },
  };
}

function placeOf(scope: string, url: string): string {
  return hash('sha256', JSON.stringify([scope, url]), 'base64url');
}

async function read(row: AnswerRow): Promise<CachedResponse | undefined> {
  const bounds = { maxOutputLength: Math.max(1, row.length) };
  try {
    return {
      status: row.status,
      headers: new Headers(JSON.parse(row.headers)),
      vary: JSON.parse(row.vary),
      requestedAt: row.requested,
      receivedAt: row.received,
      body:
        row.length > MAX_INLINE_BYTES
          ? await unpack(row.body, bounds)
          : zlib.zstdDecompressSync(row.body, bounds),
    };
  } catch {
    return undefined;
  }
}

function remove(path: string): void {
  try {
    for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
  } catch {}
}

/** Returns true for the SQLite errors of a damaged file (11, 26) and of a table with other columns (1). */
function isDamage(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return errcode !== undefined && [1, 11, 26].includes(errcode & 0xff);
}

type AnswerTable = ReturnType<typeof openAnswerTable>;

function openAnswerTable(path: string, maxBytes: number, maxEntries: number) {
  const database = new (loadSqlite().DatabaseSync)(path, { timeout: 2000 });
  try {
    chmodSync(path, 0o600);
    database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 4000000;',
    );
    createTable(database);
    // The wait for locks is short, because it blocks the event loop.
    database.exec('PRAGMA busy_timeout = 50');
    const [find, use, insert] = [database.prepare(FIND), database.prepare(USE), database.prepare(INSERT)];
    const [trim, total, evict] = [database.prepare(TRIM), database.prepare(TOTAL), database.prepare(EVICT)];
    return {
      database,
      find: (place: string, maxLength: number) => find.all(place, maxLength) as unknown as AnswerRow[],
      markUsed: (place: string, now: number) => void use.run(now, place),
      add({ place, vary, status, headers, requested, received, size, length, body }: AnswerRow, now: number) {
        database.exec('BEGIN IMMEDIATE');
        insert.run(place, vary, status, headers, requested, received, now, size, length, body);
        trim.run(place, place, MAX_VARIANTS);
        const { bytes, entries } = total.get() ?? {};
        if (Number(bytes) > maxBytes || Number(entries) > maxEntries)
          evict.run(
            Math.floor(maxBytes * SHARE_AFTER_EVICTION),
            Math.floor(maxEntries * SHARE_AFTER_EVICTION),
          );
        database.exec('COMMIT');
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
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
