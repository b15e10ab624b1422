import { createHash } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { FetchCache, KeptAnswer } from '../lib/fetch-cache.ts';
import { loadSqlite } from './load-sqlite.ts';
import { makeFolder } from './make-folder.ts';

export interface FetchCacheOptions {
  /** Data folder; made when missing. */
  readonly folder: string;
  /** Bytes of all answers as they are kept, packed. The longest unused go first. */
  readonly maxBytes: number;
  /** Default 20,000. */
  readonly maxEntries?: number;
  /** Whether the folder is there or may be made; asked at the first use. Without it, it may. */
  readonly isUsable?: () => boolean;
  /** Called once, with the reason, when nothing can be kept. */
  readonly trouble?: (error: unknown) => void;
}

const FILE_NAME = 'cache.sqlite';
/** With another layout the file is emptied, for what it holds can be fetched again. */
const LAYOUT_VERSION = 1;
/** One packed answer: writing it holds the event loop up. */
const MAX_ENTRY_BYTES = 4_000_000;
const MAX_VARIANTS = 4;
const SHARE_AFTER_EVICTION = 0.9;

const pack = promisify(zlib.zstdCompress);
const unpack = promisify(zlib.zstdDecompress);
const ZSTD_OPTIONS = { params: { [zlib.constants.ZSTD_c_checksumFlag]: 1 } };

interface Row {
  readonly id: number;
  readonly status: number;
  readonly headers: string;
  readonly vary: string;
  readonly requested: number;
  readonly received: number;
  readonly body: Uint8Array;
}

/**
 * Kept answers in `cache.sqlite`, a separate file: deleting it loses nothing, several processes may share
 * it, and a damaged one is rebuilt. It is opened at the first use. Addresses and owners stand in it as hashes only.
 */
export function openFetchCache(options: FetchCacheOptions): FetchCache {
  const { folder, maxBytes, maxEntries = 20_000, trouble = () => {}, isUsable = () => true } = options;
  const path = join(folder, FILE_NAME);
  let database: DatabaseSync | undefined;
  let state: 'new' | 'open' | 'closed' = 'new';
  /** By place: who asks for what is just being kept waits for it, a few milliseconds. */
  const writing = new Map<string, Promise<void>>();

  const openUsable = () => (isUsable() ? open(folder, path, trouble) : undefined);

  /** What fails counts as nothing found or kept; a damaged file is replaced, the lock of another process is respected. */
  function attempt<T>(work: (database: DatabaseSync) => T): T | undefined {
    if (state === 'new') {
      state = 'open';
      database = openUsable();
    }
    for (const last of [false, true]) {
      if (!database?.isOpen) return undefined;
      try {
        return work(database);
      } catch (error) {
        if (last || !isDamage(error)) {
          if (database.isTransaction) database.exec('ROLLBACK');
          return undefined;
        }
        database.close();
        remove(path);
        database = open(folder, path, trouble);
      }
    }
    return undefined;
  }

  async function keep(place: string, answer: KeptAnswer): Promise<void> {
    const body = await pack(answer.body, ZSTD_OPTIONS);
    const headers = JSON.stringify([...answer.headers]);
    const size = body.length + headers.length + 200;
    if (size > Math.min(MAX_ENTRY_BYTES, maxBytes / 4)) return;
    const { status, requestedAt, receivedAt } = answer;
    attempt((at) => {
      at.exec('BEGIN IMMEDIATE');
      at.prepare(INSERT).run(
        place,
        JSON.stringify(answer.vary),
        status,
        headers,
        requestedAt,
        receivedAt,
        Date.now(),
        size,
        answer.body.length,
        body,
      );
      at.prepare(TRIM).run(place, place, MAX_VARIANTS);
      const { bytes = 0, entries = 0 } = at.prepare(TOTAL).get() ?? {};
      if (Number(bytes) > maxBytes || Number(entries) > maxEntries) {
        at.prepare(EVICT).run(
          Math.floor(maxBytes * SHARE_AFTER_EVICTION),
          Math.floor(maxEntries * SHARE_AFTER_EVICTION),
        );
      }
      at.exec('COMMIT');
    });
  }

  return {
    async find(scope, url, most) {
      const place = placeOf(scope, url);
      await writing.get(place);
      const rows = attempt((at) => at.prepare(FIND).all(place, most) as unknown as Row[]) ?? [];
      if (rows.length > 0) attempt((at) => at.prepare(USE).run(Date.now(), place));
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
      if (database?.isOpen) database.close();
    },
  };
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
const FIND = `SELECT id, status, headers, vary, requested, received, body FROM answers
  WHERE place = ? AND length <= ? ORDER BY received DESC, id DESC`;
const USE = 'UPDATE answers SET used = ? WHERE place = ?';
const TRIM = `DELETE FROM answers WHERE place = ? AND id NOT IN
  (SELECT id FROM answers WHERE place = ? ORDER BY received DESC, id DESC LIMIT ?)`;
const TOTAL = 'SELECT sum(size) AS bytes, count(*) AS entries FROM answers';
const EVICT = `DELETE FROM answers WHERE id IN (SELECT id FROM (
  SELECT id, sum(size) OVER recent AS bytes, row_number() OVER recent AS entries FROM answers
  WINDOW recent AS (ORDER BY used DESC, id DESC)) WHERE bytes > ? OR entries > ?)`;

function placeOf(scope: string, url: string): string {
  return createHash('sha256')
    .update(JSON.stringify([scope, url]))
    .digest('base64url');
}

async function read(row: Row): Promise<KeptAnswer | undefined> {
  try {
    return {
      status: row.status,
      headers: new Headers(JSON.parse(row.headers)),
      vary: JSON.parse(row.vary),
      requestedAt: row.requested,
      receivedAt: row.received,
      body: await unpack(row.body),
    };
  } catch {
    return undefined;
  }
}

/** Nothing when no file can be had at all: then nothing is kept. */
function open(folder: string, path: string, trouble: (error: unknown) => void): DatabaseSync | undefined {
  for (const last of [false, true]) {
    let database: DatabaseSync | undefined;
    try {
      makeFolder(folder);
      database = new (loadSqlite().DatabaseSync)(path, { timeout: 2000 });
      chmodSync(path, 0o600);
      database.exec(
        'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 4000000;',
      );
      const { user_version: layout } = database.prepare('PRAGMA user_version').get() ?? {};
      if (layout !== LAYOUT_VERSION)
        database.exec(`DROP TABLE IF EXISTS answers; PRAGMA user_version = ${LAYOUT_VERSION}`);
      database.exec(CREATE_TABLE);
      // From here on a lock is not worth waiting for: the event loop would stand still.
      database.exec('PRAGMA busy_timeout = 50');
      return database;
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

/** What cannot be removed shows when the file is opened again. */
function remove(path: string): void {
  try {
    for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
  } catch {}
}

/** SQLITE_CORRUPT, SQLITE_NOTADB, and SQLITE_ERROR for a table that is not as it was made. */
function isDamage(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return errcode !== undefined && [1, 11, 26].includes(errcode & 0xff);
}
