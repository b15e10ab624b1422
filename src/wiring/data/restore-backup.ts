import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { S3Blobs } from '../../documents/blobs/s3.ts';
import { badRequestError, notFoundError, unavailableError } from '../../errors.ts';
import { BACKUP_MANIFEST_FILE } from '../../lib/backup-manifest-file.ts';
import { createDigestingStream } from '../../lib/digest-stream.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { parseJsonOrNothing } from '../../lib/text/parse-json-or-nothing.ts';
import { lockDataFolder } from '../../storage/lock.ts';
import { MIGRATIONS } from '../../storage/migrations/list.ts';
import type { TaskControl } from '../../storage/salvage.ts';
import { DATABASE_FILE } from '../../storage/sqlite.ts';
import {
  BACKED_UP_FILES,
  BACKED_UP_FOLDERS,
  type BackupManifest,
  backupPathOfFile,
  listUploadedFiles,
} from './back-up.ts';
import { type CopiedFile, copyWithDigest, digestOf } from './copied-files.ts';

const MAX_MANIFEST = 200_000_000;
const PLAIN_PATH = /^(?:[\w.-]+\/){0,8}[\w.-]+$/;

const manifestSchema = z.object({
  format: z.literal(1),
  magpie: z.string(),
  schema: z.number().int(),
  at: z.iso.datetime(),
  files: z.array(
    z.object({
      path: z.string().max(500).refine(isKept, 'a path that no backup has'),
      bytes: z.number().int().nonnegative(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
});

/** Returns true for a path inside of the data folder. A forged manifest could contain other paths. */
function isKept(path: string): boolean {
  const [first = '', ...rest] = path.split('/');
  if (!PLAIN_PATH.test(path) || rest.some((name) => /^\.+$/.test(name))) return false;
  if (rest.length === 0) return first === DATABASE_FILE || BACKED_UP_FILES.includes(first);
  return BACKED_UP_FOLDERS.includes(first);
}

/** Compares sizes and digests with the manifest. Throws `unavailable` with the name of a differing file. */
export async function checkBackup(
  source: string,
  { signal, progress }: TaskControl,
): Promise<BackupManifest> {
  const manifest = await readManifest(source);
  for (const [done, file] of manifest.files.entries()) {
    progress(`checking files: ${done + 1} of ${manifest.files.length}`);
    compare(source, file, await digestOf(join(source, file.path), signal).catch(() => undefined));
  }
  return manifest;
}

/** Restores into an empty data folder. The database is last: an interrupted restore can be repeated. */
export async function restoreBackup(
  source: string,
  data: string,
  watch: TaskControl,
  openBucket?: () => Promise<S3Blobs>,
): Promise<BackupManifest> {
  const manifest = await checkBackup(source, watch);
  await refuseUsed(data);
  const lock = await lockDataFolder(data);
  try {
    const isObject = ({ path }: CopiedFile) => openBucket !== undefined && path.startsWith('files/');
    for (const file of manifest.files.filter((one) => one.path !== DATABASE_FILE && !isObject(one))) {
      watch.progress(`restoring ${file.path}`);
      makeFolder(dirname(join(data, file.path)));
      compare(source, file, await copyWithDigest(source, data, file.path, watch.signal));
    }
    // Claiming the bucket needs the secret, which has been restored before.
    if (openBucket) await restoreObjects(source, manifest.files.filter(isObject), openBucket, watch);
    await restoreDatabase(source, data, manifest, watch);
  } finally {
    lock.release();
  }
  return manifest;
}

async function restoreObjects(
  source: string,
  files: readonly CopiedFile[],
  openBucket: () => Promise<S3Blobs>,
  { signal, progress }: TaskControl,
): Promise<void> {
  const named = new Map(
    listUploadedFiles(join(source, DATABASE_FILE)).map((one) => [backupPathOfFile(one.owner, one.blob), one]),
  );
  const bucket = await openBucket();
  try {
    for (const file of files) {
      const one = named.get(file.path);
      if (!one) continue;
      progress(`restoring ${file.path}`);
      const passing = createDigestingStream(createReadStream(join(source, file.path)));
      await bucket.put(one.owner, one.blob, passing.source, signal);
      compare(source, file, passing.digest());
    }
  } finally {
    await bucket.close();
  }
}

async function restoreDatabase(source: string, data: string, manifest: BackupManifest, watch: TaskControl) {
  const file = manifest.files.find(({ path }) => path === DATABASE_FILE);
  if (!file) throw badRequestError(`${source} holds no ${DATABASE_FILE}: name the folder of another backup`);
  watch.progress('restoring the database');
  const draft = `${DATABASE_FILE}.restoring`;
  compare(source, file, await copyWithDigest(source, data, DATABASE_FILE, watch.signal, draft));
  await rename(join(data, draft), join(data, DATABASE_FILE));
}

async function readManifest(source: string): Promise<BackupManifest> {
  const path = join(source, BACKUP_MANIFEST_FILE);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') {
      throw unavailableError(`${path} cannot be read (${code}): give yourself the right to read it`, {
        cause,
      });
    }
    throw notFoundError(
      `${source} is not a whole backup: it has no ${BACKUP_MANIFEST_FILE}; name the folder that magpie backup filled`,
      { cause },
    );
  }
  const parsed = manifestSchema.safeParse(text.length > MAX_MANIFEST ? undefined : parseJsonOrNothing(text));
  if (!parsed.success) {
    throw badRequestError(`${path} was not written by magpie backup: use another backup`, {
      cause: parsed.error,
    });
  }
  const newest = MIGRATIONS.at(-1)?.id ?? 0;
  if (parsed.data.schema > newest) {
    throw badRequestError(
      `the backup is of Magpie ${parsed.data.magpie}, which is newer: restore it with that version`,
    );
  }
  return parsed.data;
}

function compare(
  source: string,
  { path, bytes, sha256 }: CopiedFile,
  found: Omit<CopiedFile, 'path'> | undefined,
): void {
  if (found?.bytes === bytes && found.sha256 === sha256) return;
  const what = found ? 'is not as it was backed up' : 'cannot be read';
  throw unavailableError(`${join(source, path)} ${what}: take another backup, nothing was restored`);
}

async function refuseUsed(data: string): Promise<void> {
  const names = existsSync(data) ? await readdir(data) : [];
  if (!names.includes(DATABASE_FILE)) return;
  throw badRequestError(
    `${data} already holds data, which is never overwritten: name a new folder with --data, and start Magpie with that folder`,
  );
}
