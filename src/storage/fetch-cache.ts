import { hash } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { createBatcher } from '../lib/concurrency/batcher.ts';
import { makeFolder } from '../lib/make-folder.ts';
import type { CachedResponse, FetchCache } from '../lib/network/fetch-cache.ts';
import { type AnswerBounds, type AnswerRow, type AnswerTable, openAnswerTable } from './answer-table.ts';
import { loadSqlite } from './load-sqlite.ts';

export interface FetchCacheOptions {
  readonly folder: string;
  readonly maxBytes: number;
  readonly maxEntries?: number;
  /** True if the cache may use its folder. Called at first use. */
  readonly isUsable?: () => boolean;
  readonly trouble?: (error: unknown) => void;
}

const FILE_NAME = 'cache.sqlite';
/** Writing a larger response would block the event loop too long. */
const MAX_ENTRY_BYTES = 4_000_000;
/** Bodies up to this size are compressed in this thread, in some 0.1 ms. */
const MAX_INLINE_BYTES = 64_000;
const MAX_STEP_BYTES = 4_000_000;
const pack = promisify(zlib.zstdCompress);
const unpack = promisify(zlib.zstdDecompress);
const ZSTD_OPTIONS = { params: { [zlib.constants.ZSTD_c_checksumFlag]: 1 } };

/** Opens the cache in `cache.sqlite`, which can be deleted. URLs and owners are stored as hashes. */
export function openFetchCache(options: FetchCacheOptions): FetchCache {
  const { folder, maxBytes, maxEntries = 20_000, trouble = () => {}, isUsable = () => true } = options;
  const path = join(folder, FILE_NAME);
  let opened: Opened | undefined;
  let state: 'new' | 'open' | 'closed' = 'new';
  const writing = new Map<string, Promise<void>>();

  const openNow = () => open(folder, path, { maxBytes, maxEntries }, trouble);

  function openOnce(): void {
    if (state !== 'new') return;
    state = 'open';
    opened = isUsable() ? openNow() : undefined;
  }

  /** Returns undefined if the work fails. An empty file replaces a damaged file. */
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

interface Opened {
  readonly database: DatabaseSync;
  readonly table: AnswerTable;
}

function open(
  folder: string,
  path: string,
  bounds: AnswerBounds,
  trouble: (error: unknown) => void,
): Opened | undefined {
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
      // SQLite's wait for locks blocks the event loop.
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

/** True for SQLITE_CORRUPT, SQLITE_NOTADB, and SQLITE_ERROR, which means that the columns differ. */
function isDamage(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return errcode !== undefined && [1, 11, 26].includes(errcode & 0xff);
}
