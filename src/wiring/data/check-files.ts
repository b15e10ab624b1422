import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { folderOfOwner } from '../../documents/blob-store.ts';
import type { S3Blobs } from '../../documents/blobs/s3.ts';
import { type AnyDatabase, anyDatabase } from '../../storage/any-database.ts';
import { openPostgres } from '../../storage/postgres/open.ts';
import type { Watch } from '../../storage/salvage.ts';
import { DATABASE_FILE, openDatabase } from '../../storage/sqlite.ts';
import { openBlobs } from '../open/open-blobs.ts';
import { openBucket } from '../open/open-bucket.ts';
import { filesOf } from './move-data.ts';

/** What was found in the bucket of files. */
export interface FilesReport {
  readonly place: string;
  /** Files that the database names. */
  readonly files: number;
  /** Numbers of the files whose bytes are not there. */
  readonly missing: readonly number[];
  /** Objects that no file names, and uploads that did not end, from longer ago than an upload takes. */
  readonly left: number;
}

/** Milliseconds after which what no file names comes from no upload under way. */
const LEFT_MS = 24 * 3_600_000;

/** A bucket that can be used. */
export interface BucketFacts {
  readonly place: string;
  /** Where it is. */
  readonly host: string;
  /** Deleted files stay as older versions. */
  readonly keepsVersions: boolean;
}

/** Writes, reads and deletes an object of the bucket; undefined where files are in none. */
export async function examineBucket(config: Config): Promise<BucketFacts | undefined> {
  if (config.blobs === undefined) return undefined;
  const bucket = await openBucket(config, config.blobs);
  try {
    const { name, url } = bucket.place;
    return { place: name, host: url.host, ...(await bucket.examine()) };
  } finally {
    await bucket.close();
  }
}

/**
 * Compares the bucket with the files of the database, beside servers; with `mend` it deletes what is left over in it. Undefined where
 * files are in no bucket, or nothing is kept yet. It has the keys of all files in memory: some 100 bytes a file.
 */
export async function checkFiles(
  config: Config,
  mend: boolean,
  watch: Watch,
  now = Date.now(),
): Promise<FilesReport | undefined> {
  const { data: folder, database: url, blobs: name } = config;
  const shared = url.startsWith('postgres');
  if (name === undefined || !(shared || existsSync(join(folder, DATABASE_FILE)))) return undefined;
  const db = shared
    ? await openPostgres({ url, makesTables: false })
    : anyDatabase(await openDatabase({ folder }));
  try {
    const { bucket, close } = await openBlobs(config, db, name);
    try {
      return bucket && (await compare(db, bucket, mend, now - LEFT_MS, watch));
    } finally {
      await close();
    }
  } finally {
    await db.close();
  }
}

async function compare(
  db: AnyDatabase,
  bucket: S3Blobs,
  mend: boolean,
  before: number,
  watch: Watch,
): Promise<FilesReport> {
  const { signal, progress } = watch;
  const named = new Map<string, number>();
  for await (const { id, owner, blob } of filesOf(db)) named.set(`${folderOfOwner(owner)}/${blob}`, id);
  const files = named.size;
  let [left, seen] = [0, 0];
  const items = async function* () {
    yield* bucket.listObjects();
    yield* bucket.listUploads();
  };
  const present = new Set<string>();
  for await (const item of items()) {
    signal.throwIfAborted();
    progress(`files in the bucket: ${++seen}`);
    const isNamed = named.has(item.key);
    if (isNamed && item.upload === undefined) present.add(item.key);
    if ((isNamed && item.upload === undefined) || !(item.at < before)) continue;
    left += 1;
    if (mend) await bucket.deleteItem(item);
  }
  const missing: number[] = [];
  for (const [key, id] of named) {
    // A draft whose bytes are coming in, or a file that was deleted meanwhile, misses nothing.
    if (!present.has(key) && (await isVisible(db, id))) missing.push(id);
  }
  return { place: bucket.place.name, files, missing, left };
}

const isVisible = async (db: AnyDatabase, id: number): Promise<boolean> =>
  (await db.read((sql) => sql.get('SELECT 1 AS there FROM documents WHERE id = ? AND ready = 1', id))) !==
  undefined;
