import { constants, existsSync } from 'node:fs';
import { access, chmod, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BlobStore, folderOfOwner } from '../../documents/blob-store.ts';
import { badRequestError, unavailableError } from '../../errors.ts';
import { BACKUP_MANIFEST_FILE } from '../../lib/backup-manifest-file.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { openFile, readSchemaVersion } from '../../storage/check-file.ts';
import type { TaskControl } from '../../storage/salvage.ts';
import { snapshotDatabase } from '../../storage/snapshot.ts';
import { DATABASE_FILE } from '../../storage/sqlite.ts';
import { VERSION } from '../../version.ts';
import { type CopiedFile, copyWithDigest, digestOf, filesBelow, writeWithDigest } from './copied-files.ts';

/** List of a backup's files, written last: a backup without the list is incomplete. */
export interface BackupManifest {
  readonly format: 1;
  readonly magpie: string;
  readonly schema: number;
  /** When the backup started (ISO 8601). The backup contains all commits before this time. */
  readonly at: string;
  readonly files: readonly CopiedFile[];
}

/** Files to back up. Vector indexes, caches and repositories are left out: they can be created again. */
export const BACKED_UP_FILES = ['secret', 'settings.json'];
export const BACKED_UP_FOLDERS = ['files', 'models'];

/** Backs up to the empty folder `target`. Throws `bad_request` or `unavailable` for an unusable path. */
export async function backUp(
  data: string,
  target: string,
  watch: TaskControl,
  bucket?: BlobStore,
): Promise<BackupManifest> {
  await refuseUsed(target);
  await makeTarget(target);
  try {
    return await fill(data, target, watch, bucket);
  } catch (error) {
    // Deletes the incomplete backup. The folder was empty before.
    for (const name of await readdir(target)) await rm(join(target, name), { recursive: true, force: true });
    throw fileError(error, target);
  }
}

async function makeTarget(target: string): Promise<void> {
  try {
    makeFolder(target);
    await access(target, constants.W_OK);
    await chmod(target, 0o700);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw unavailableError(
      `the folder ${target} cannot be written (${code}): name one that you may write to`,
      { cause },
    );
  }
}

function fileError(error: unknown, target: string): unknown {
  const { code, path } = error as NodeJS.ErrnoException;
  if (path === undefined || code === undefined) return error;
  return unavailableError(`the backup to ${target} stopped at ${path} (${code}): nothing is left there`, {
    cause: error,
  });
}

async function fill(data: string, target: string, watch: TaskControl, bucket: BlobStore | undefined) {
  const at = new Date().toISOString();
  // Copies files before and after the database, so that no file named in the copied database is missing.
  const early = await copyFolders(data, target, watch, new Map());
  if (bucket) await copyObjects(bucket, join(data, DATABASE_FILE), target, watch, early);
  const database = join(target, DATABASE_FILE);
  await snapshotDatabase(join(data, DATABASE_FILE), database, watch);
  const copied = await copyFolders(data, target, watch, early);
  if (bucket) await copyObjects(bucket, database, target, watch, copied);
  await dropUnnamed(target, copied, database);
  for (const name of BACKED_UP_FILES) {
    if (existsSync(join(data, name)))
      copied.set(name, await copyWithDigest(data, target, name, watch.signal));
  }
  copied.set(DATABASE_FILE, { path: DATABASE_FILE, ...(await digestOf(database, watch.signal)) });
  const files = [...copied.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const manifest: BackupManifest = { format: 1, magpie: VERSION, schema: schemaOf(database), at, files };
  const draft = join(target, `${BACKUP_MANIFEST_FILE}.part`);
  await writeFile(draft, `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600, flush: true });
  await rename(draft, join(target, BACKUP_MANIFEST_FILE));
  return manifest;
}

async function refuseUsed(target: string): Promise<void> {
  const names = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw badRequestError(`${target} cannot be read as a folder (${error.code}): name a new one`);
  });
  if (names.length === 0) return;
  throw badRequestError(`the folder ${target} has something in it: name a new or empty one for each backup`);
}

async function copyFolders(
  data: string,
  target: string,
  { signal, progress }: TaskControl,
  known: ReadonlyMap<string, CopiedFile>,
): Promise<Map<string, CopiedFile>> {
  const copied = new Map(known);
  for (const folder of BACKED_UP_FOLDERS) {
    for (const path of await filesBelow(data, folder)) {
      if (copied.has(path)) continue;
      signal.throwIfAborted();
      progress(`copying files: ${copied.size + 1}`);
      makeFolder(dirname(join(target, path)));
      const file = await copyWithDigest(data, target, path, signal).catch((error: NodeJS.ErrnoException) => {
        // The file was deleted. The database is copied later and no longer refers to it.
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      if (file) copied.set(path, file);
    }
  }
  return copied;
}

async function copyObjects(
  bucket: BlobStore,
  database: string,
  target: string,
  { signal, progress }: TaskControl,
  copied: Map<string, CopiedFile>,
): Promise<void> {
  for (const { owner, blob } of listUploadedFiles(database)) {
    const path = backupPathOfFile(owner, blob);
    if (copied.has(path)) continue;
    signal.throwIfAborted();
    progress(`copying files: ${copied.size + 1}`);
    const bytes = await bucket.get(owner, blob, signal);
    if (!bytes) continue;
    makeFolder(dirname(join(target, path)));
    copied.set(path, await writeWithDigest(bytes, target, path, signal));
  }
}

export const backupPathOfFile = (owner: string, blob: string): string =>
  `files/${folderOfOwner(owner)}/${blob}`;

export function listUploadedFiles(database: string): { readonly owner: string; readonly blob: string }[] {
  if (!existsSync(database)) return [];
  const raw = openFile(database, false);
  try {
    return raw.prepare('SELECT owner, blob FROM documents').all() as { owner: string; blob: string }[];
  } finally {
    raw.close();
  }
}

async function dropUnnamed(target: string, copied: Map<string, CopiedFile>, database: string): Promise<void> {
  const named = new Set(listUploadedFiles(database).map(({ blob }) => blob));
  for (const path of copied.keys()) {
    const [folder, , blob] = path.split('/');
    if (folder !== 'files' || named.has(blob ?? '')) continue;
    await rm(join(target, path), { force: true });
    copied.delete(path);
  }
}

function schemaOf(database: string): number {
  const raw = openFile(database, false);
  try {
    return readSchemaVersion(raw) ?? 0;
  } finally {
    raw.close();
  }
}
