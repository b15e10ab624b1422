import { createWriteStream, existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import type { Config } from '../../config/config.ts';
import { type BlobStore, folderOfOwner } from '../../documents/blob-store.ts';
import type { S3Blobs } from '../../documents/blobs/s3.ts';
import { badRequestError, notFoundError, unavailableError } from '../../errors.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { decompressText } from '../../search/stores/page-text.ts';
import { type AnyDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import { openFile } from '../../storage/check-file.ts';
import { lockDataFolder } from '../../storage/lock.ts';
import { countJobs, deleteJobs } from '../../storage/postgres/jobs/delete.ts';
import { openPostgres, type PostgresDatabase } from '../../storage/postgres/open.ts';
import type { TaskControl } from '../../storage/salvage.ts';
import { DATABASE_FILE, openDatabase } from '../../storage/sqlite.ts';
import { countRows, deleteRows } from '../../storage/user/delete.ts';
import { EXPORTED_TABLES, type ExportedRow, exportRows } from '../../storage/user/export.ts';
import { VERSION } from '../../version.ts';
import { openBlobs } from '../open/open-blobs.ts';
import { type CopiedFile, digestOf, writeWithDigest } from './copied-files.ts';

export interface UserDataStores {
  readonly db: AnyDatabase | PostgresDatabase;
  readonly blobs: BlobStore;
  readonly bucket?: S3Blobs;
}

export interface UserCounts {
  readonly rows: Readonly<Record<string, number>>;
  readonly files: number;
}

/** Milliseconds to wait for other nodes to write data from memory. Repeated at most `LATE_ROUNDS` times. */
const LATE_MS = 4000;
const LATE_ROUNDS = 10;

/** Runs work on a user's data. Throws `not_found` without a database or without any data of the user. */
export async function withUserData<T>(
  config: Config,
  user: string,
  work: (data: UserDataStores, counts: UserCounts) => Promise<T>,
): Promise<T> {
  const { data: folder, database: url } = config;
  const shared = url.startsWith('postgres');
  if (!shared && !existsSync(join(folder, DATABASE_FILE)))
    throw notFoundError(`there is no database in ${folder} yet: no user has any data`);
  const nodes = shared ? await openPostgres({ url, makesTables: false }) : undefined;
  const db = nodes ?? toAnyDatabase(await openDatabase({ folder }));
  try {
    const rows = await countRows(db, user);
    const jobs = nodes ? await countJobs(nodes, user) : 0;
    if (jobs > 0) rows.jobs = jobs;
    if (Object.keys(rows).length === 0)
      throw notFoundError(
        `the user ${JSON.stringify(user)} has no data here: magpie key list shows the users with keys`,
      );
    const kept = await openBlobs(config, db, config.blobs);
    try {
      return await work({ db, ...kept }, { rows, files: rows.documents ?? 0 });
    } finally {
      await kept.close();
    }
  } finally {
    await db.close();
  }
}

export const countUser = (config: Config, user: string): Promise<UserCounts> =>
  withUserData(config, user, async (_, counts) => counts);

/** Deletes a user. Access keys come first, so that the user can write no new data meanwhile. */
export async function deleteUser(config: Config, user: string, watch: TaskControl): Promise<UserCounts> {
  const shared = config.database.startsWith('postgres');
  const lock = shared ? undefined : await lockDataFolder(config.data);
  try {
    const deleted = await withUserData(config, user, async ({ db, blobs, bucket }, kept) => {
      await revokeKeys(db, user);
      // Jobs are deleted before rows, because a job could add new ones.
      if ('ask' in db) await deleteJobs(db, user);
      await deleteFiles(db, blobs, user, watch);
      const rows = await deleteRows(db, user, watch);
      if (shared) addRows(rows, await deleteLate(db, blobs, user, watch));
      await bucket?.wipe(user);
      if (shared) await dropPieces(db, user);
      else await cleanFolder(config.data, db, user);
      // Adds the counts of rows that `deleteRows` does not count, for example rows deleted by cascade.
      const more = Object.entries(kept.rows).filter(([table, count]) => count > (rows[table] ?? 0));
      return { rows: { ...rows, ...Object.fromEntries(more) }, files: kept.files };
    });
    if (!shared) writeAgain(join(config.data, DATABASE_FILE), watch);
    return deleted;
  } finally {
    await lock?.release();
  }
}

async function deleteFiles(db: AnyDatabase, blobs: BlobStore, user: string, watch: TaskControl) {
  for (let left = await blobsOf(db, user); left.length > 0; left = await blobsOf(db, user)) {
    for (const blob of left) await blobs.delete(user, blob);
    await db.remove((sql) =>
      sql.sendEach(
        DROP_FILE,
        left.map((blob) => [user, blob]),
      ),
    );
    watch.signal.throwIfAborted();
  }
}

async function deleteLate(db: UserDataStores['db'], blobs: BlobStore, user: string, watch: TaskControl) {
  const all: Record<string, number> = {};
  for (let round = 0; round < LATE_ROUNDS; round++) {
    watch.progress('waits for what nodes still write of the user');
    await setTimeout(LATE_MS, undefined, { signal: watch.signal });
    const jobs = 'ask' in db ? await deleteJobs(db, user) : 0;
    await deleteFiles(db, blobs, user, watch);
    const late = await deleteRows(db, user, watch);
    if (jobs > 0) late.jobs = jobs;
    if (Object.keys(late).length === 0) return all;
    addRows(all, late);
  }
  throw unavailableError(
    `other nodes are still writing data of the user ${JSON.stringify(user)}: run this again in a moment`,
  );
}

function addRows(to: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [table, rows] of Object.entries(more)) to[table] = (to[table] ?? 0) + rows;
}

const FILES = 'SELECT blob FROM documents WHERE owner = ? LIMIT 100';
const DROP_FILE = 'DELETE FROM documents WHERE owner = ? AND blob = ?';

const blobsOf = async (db: AnyDatabase, user: string): Promise<string[]> =>
  (await db.read((sql) => sql.all<{ blob: string }>(FILES, user))).map(({ blob }) => blob);

async function revokeKeys(db: AnyDatabase, user: string): Promise<void> {
  await db.write(function* (sql) {
    const text = 'UPDATE access_keys SET revoked_at = ? WHERE "user" = ? AND revoked_at IS NULL';
    yield* sql.send(text, Date.now(), user);
    if (sql.dialect === 'postgres') yield* sql.send('UPDATE access_version SET changes = changes + 1');
  });
}

async function dropPieces(db: AnyDatabase, user: string): Promise<void> {
  const begins = `${folderOfOwner(user)}/`;
  await db.remove(function* (sql) {
    yield* sql.send('DELETE FROM blob_pieces WHERE starts_with(name, ?)', begins);
    return yield* sql.run('DELETE FROM blobs WHERE starts_with(name, ?)', begins);
  });
}

async function cleanFolder(folder: string, db: AnyDatabase, user: string): Promise<void> {
  await rm(join(folder, 'files', folderOfOwner(user)), { recursive: true, force: true });
  await rm(join(folder, 'indexes'), { recursive: true, force: true });
  for (const ending of ['', '-wal', '-shm']) await rm(join(folder, `cache.sqlite${ending}`), { force: true });
  for (const words of ['kb_words', 'pages_fts'])
    await db.write((sql) => sql.run(`INSERT INTO ${words} (${words}) VALUES ('optimize')`));
}

/** Rewrites the database file, because deleted rows would stay in it until they are overwritten. */
function writeAgain(path: string, watch: TaskControl): void {
  watch.progress('the database is written again');
  const raw = openFile(path, true);
  try {
    raw.exec('PRAGMA writable_schema = OFF; VACUUM');
    raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    raw.close();
  }
}

const PACKED = ['pages', 'page_versions'];

/** Exports a user's data. Throws AppError `bad_request` if the folder is not empty. */
export async function exportUser(
  config: Config,
  user: string,
  folder: string,
  watch: TaskControl,
): Promise<UserCounts> {
  return withUserData(config, user, async (data) => {
    makeExportFolder(folder);
    if ((await readdir(folder)).length > 1 || (await readdir(join(folder, 'files'))).length > 0)
      throw badRequestError(`the folder ${folder} has something in it: name a new or empty one`);
    const rows: Record<string, number> = {};
    const files: CopiedFile[] = [];
    for (const table of EXPORTED_TABLES) {
      watch.progress(`writing ${table}`);
      const path = `${table}.jsonl`;
      rows[table] = await writeRows(
        join(folder, path),
        readable(table, exportRows(data.db, table, user)),
        watch,
      );
      files.push({ path, ...(await digestOf(join(folder, path), watch.signal)) });
    }
    const uploads = await writeFiles(data, user, folder, watch);
    const list = {
      format: 1,
      magpie: VERSION,
      user,
      at: new Date().toISOString(),
      rows,
      files: [...files, ...uploads],
    };
    await writeFile(join(folder, 'list.json'), `${JSON.stringify(list, null, 1)}\n`, {
      mode: 0o600,
      flush: true,
    });
    return { rows, files: uploads.length };
  });
}

function makeExportFolder(folder: string): void {
  try {
    makeFolder(join(folder, 'files'));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw unavailableError(`${folder} cannot be made a folder (${code}): name another one`, { cause });
  }
}

async function* readable(table: string, rows: AsyncIterable<ExportedRow>): AsyncGenerator<ExportedRow> {
  for await (const row of rows) {
    const { base64 } = (PACKED.includes(table) && row.text ? row.text : {}) as { base64?: string };
    yield base64 === undefined ? row : { ...row, text: decompressText(Buffer.from(base64, 'base64')) };
  }
}

async function writeRows(path: string, rows: AsyncIterable<ExportedRow>, { signal }: TaskControl) {
  let count = 0;
  async function* lines() {
    for await (const row of rows) {
      count += 1;
      yield `${JSON.stringify(row)}\n`;
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(path, { mode: 0o600, flush: true }), { signal });
  return count;
}

/** Writes files. A file's new name is a number and the old name, with `_` for special characters. */
async function writeFiles(
  { db, blobs }: UserDataStores,
  user: string,
  folder: string,
  { signal, progress }: TaskControl,
): Promise<CopiedFile[]> {
  const written: CopiedFile[] = [];
  for await (const { id, name, blob } of exportRows(db, 'documents', user)) {
    const bytes = await blobs.get(user, String(blob));
    if (!bytes) continue;
    progress(`writing files: ${written.length + 1}`);
    const path = `files/${id}-${String(name)
      .replace(/[^\p{L}\p{N}._-]/gu, '_')
      .slice(0, 80)}`;
    written.push(await writeWithDigest(bytes, folder, path, signal));
  }
  return written;
}
