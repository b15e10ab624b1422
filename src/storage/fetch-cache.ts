import { hash } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { createBatcher } from '../lib/concurrency/batcher.ts';
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
/** Bodies up to this size are compressed in this thread, which takes some 0.1 ms. */
const MAX_INLINE_BYTES = 64_000;
const MAX_STEP_BYTES = 4_000_000;
const pack = promisify(zlib.zstdCompress);
const unpack = promisify(zlib.zstdDecompress);
const ZSTD_OPTIONS = { params: { [zlib.constants.ZSTD_c_checksumFlag]: 1 } };

/** Opens the cache in `cache.sqlite`, which can be deleted. URLs and owners are stored as hashes. */
export function openFetchCache(options: FetchCacheOptions): FetchCache {
  const { folder, maxBytes, maxEntries = 20_000, trouble = () => {}, isUsable = () => true } = options;
  const path = join(folder, FILE_NAME);
  let opened: ReturnType<typeof open>;
  let state: 'new' | 'open' | 'closed' = 'new';
  const writing = new Map<string, Promise<void>>();

  const openNow = () => open(folder, path, { maxBytes, maxEntries }, trouble);

  function openOnce(): void {
    if (state !== 'new') return;
    state = 'open';
    opened = isUsable() ? openNow() : undefined;
  }

  /** Runs work on the table. Replaces a damaged file by an empty file. Returns undefined if the work fails. */
  function attempt<T>(work: (table: AnswerTable) => T): T | undefined {
    openOnce();
    for (const last of [false, true]) {
      if (!opened?.database.isOpen) return undefined;
      try {
        return work(opened.table);
      } catch (error) {
        if (last || !isDamage(error)) {
          if (opened.database.isTransaction) opened.database.exec('ROLLBACK');
          return undefined;
        }
        opened.database.close();
        remove(path);
        opened = openNow();
      }
    }
    return undefined;
  }

  const writer = createBatcher<AnswerRow, undefined>({
    async handle(rows) {
      attempt((table) => table.add(rows, Date.now()));
      return rows.map(() => undefined);
    },
    sizeOf: ({ size }) => size,
    maxSize: MAX_STEP_BYTES,
  });

  async function keep(place: string, answer: CachedResponse): Promise<void> {
    const { status, requestedAt, receivedAt } = answer;
    const { length } = answer.body;
    const body =
      length > MAX_INLINE_BYTES
        ? await pack(answer.body, ZSTD_OPTIONS)
        : zlib.zstdCompressSync(answer.body, ZSTD_OPTIONS);
    const headers = JSON.stringify([...answer.headers]);
    const size = body.length + headers.length + 200;
    if (size > Math.min(MAX_ENTRY_BYTES, maxBytes / 4)) return;
    const vary = JSON.stringify(answer.vary);
    const times = { requested: requestedAt, received: receivedAt };
    await writer.add({ place, vary, status, headers, ...times, size, length, body });
  }

  return {
    async find(scope, url, most) {
      const place = placeOf(scope, url);
      await writing.get(place);
      const rows = attempt((table) => table.find(place, most)) ?? [];
      if (rows.length > 0) attempt((table) => table.markUsed(place, Date.now()));
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
      if (opened?.database.isOpen) opened.database.close();
    },
  };
}

function placeOf(scope: string, url: string): string {
  return hash('sha256', JSON.stringify([scope, url]), 'base64url');
}

async function read(row: AnswerRow): Promise<CachedResponse | undefined> {
  try {
    return {
      status: row.status,
      headers: new Headers(JSON.parse(row.headers)),
      vary: JSON.parse(row.vary),
      requestedAt: row.requested,
      receivedAt: row.received,
      body: row.length > MAX_INLINE_BYTES ? await unpack(row.body) : unpackNow(row),
    };
  } catch {
    return undefined;
  }
}

function unpackNow({ body, length }: AnswerRow): Uint8Array {
  return zlib.zstdDecompressSync(body, { maxOutputLength: Math.max(1, length) });
}

function open(folder: string, path: string, bounds: AnswerBounds, trouble: (error: unknown) => void) {
  for (const last of [false, true]) {
    let database: DatabaseSync | undefined;
    try {
      makeFolder(folder);
      database = new (loadSqlite().DatabaseSync)(path, { timeout: 2000 });
      chmodSync(path, 0o600);
      database.exec(
        'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 4000000;',
      );
      const table = openAnswerTable(database, bounds);
      // The wait for locks is short, because it blocks the event loop.
      database.exec('PRAGMA busy_timeout = 50');
      return { database, table };
    } catch (error) {
      if (database?.isOpen) database.close();
      if (last || !isDamage(error)) {
        trouble(error);
        return undefined;
      }
      remove(path);
    }
  }
  return undefined;
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

/** Version of the tables. Tables of other versions are dropped, because responses can be fetched again. */
const LAYOUT_VERSION = 1;
const MAX_VARIANTS = 4;
const SHARE_AFTER_EVICTION = 0.9;
/** Number of writes after which the rows are counted again, because other processes write too. */
const WRITTEN_UNCOUNTED = 200;

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

type AnswerBounds = Required<Pick<FetchCacheOptions, 'maxBytes' | 'maxEntries'>>;

type AnswerTable = ReturnType<typeof openAnswerTable>;

function openAnswerTable(database: DatabaseSync, { maxBytes, maxEntries }: AnswerBounds) {
  createTable(database);
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string) => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  /** `bytes` and `entries` are too high until the next count, as replaced responses are not subtracted. */
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
