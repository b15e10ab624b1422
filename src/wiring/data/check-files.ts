import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { folderOfOwner } from '../../documents/blob-store.ts';
import type { S3Blobs } from '../../documents/blobs/s3.ts';
import { type AnyDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import { openPostgres } from '../../storage/postgres/open.ts';
import type { TaskControl } from '../../storage/salvage.ts';
import { DATABASE_FILE, openDatabase } from '../../storage/sqlite.ts';
import { openBlobs } from '../open/open-blobs.ts';
import { openBucket } from '../open/open-bucket.ts';
import { iterateUploadedFiles } from './move-data.ts';

export type FilesReport = Awaited<ReturnType<typeof compare>>;

/** Minimum age in ms of unused objects. Younger objects may belong to a running upload. */
const LEFT_MS = 24 * 3_600_000;

export async function examineBucket(config: Config) {
  if (config.blobs === undefined) return undefined;
  const bucket = await openBucket(config, config.blobs);
  try {
    const { name, url } = bucket.place;
    return { place: name, host: url.host, ...(await bucket.examine()) };
  } finally {
    await bucket.close();
  }
}

export async function checkFiles(
  config: Config,
  mend: boolean,
  watch: TaskControl,
  now = Date.now(),
): Promise<FilesReport | undefined> {
  const { data: folder, database: url, blobs: name } = config;
  const shared = url.startsWith('postgres');
  if (name === undefined || !(shared || existsSync(join(folder, DATABASE_FILE)))) return undefined;
  const db = shared
    ? await openPostgres({ url, makesTables: false })
    : toAnyDatabase(await openDatabase({ folder }));
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

async function compare(db: AnyDatabase, bucket: S3Blobs, mend: boolean, before: number, watch: TaskControl) {
  const { signal, progress } = watch;
  const named = new Map<string, number>();
  for await (const { id, owner, blob } of iterateUploadedFiles(db))
    named.set(`${folderOfOwner(owner)}/${blob}`, id);
  const files = named.size;
  // `left`: objects that belong to no stored file, and uploads that were never finished.
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
    // Checks again, because an upload may still be running or the file may have been deleted meanwhile.
    if (!present.has(key) && (await isVisible(db, id))) missing.push(id);
  }
  return { place: bucket.place.name, files, missing, left };
}

const isVisible = async (db: AnyDatabase, id: number): Promise<boolean> =>
  (await db.read((sql) => sql.get('SELECT 1 AS there FROM documents WHERE id = ? AND ready = 1', id))) !==
  undefined;
