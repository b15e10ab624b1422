import { createHash } from 'node:crypto';
import { constants, type Dirent, type Stats } from 'node:fs';
import { lstat, open, readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { AppError, badRequestError, notFoundError, tooLargeError } from '../../errors.ts';
import { addExtensionToReason } from '../importing/add-extension-to-reason.ts';
import { HIDDEN, isHiddenOrGenerated } from '../importing/made-by-machines.ts';
import { DELETED_MAIL_FILE, NOTE_FILE, PAGE_FILE } from '../importing/notes/note-file.ts';
import { createLeftOutTally } from '../importing/problem-list.ts';

const IGNORE_FILES = ['.gitignore', '.ignore'] as const;
const IGNORE_BYTES = 262_144;
const MAX_FILES = 500_000;
const MAX_DEPTH = 64;
const MAX_FILE_BYTES = 64_000_000;
/** Two changes of a file get different times if at least this many milliseconds are between them. */
const TIME_STEP_MS = 2500;
export interface FoundFile {
  readonly path: string;
  readonly stamp: string;
}

export type FolderScan = Awaited<ReturnType<typeof listSyncFiles>>;

/** Returns a folder's path without symbolic links. Throws AppError `bad_request` if the folder does not exist. */
export async function resolveFolder(path: string): Promise<string> {
  try {
    const real = await realpath(path);
    if ((await lstat(real)).isDirectory()) return real;
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`;
    throw badRequestError(`the folder ${JSON.stringify(path)} ${why}`, { cause });
  }
  throw badRequestError(`${JSON.stringify(path)} is not a folder: magpie kb import takes single files`);
}

interface IgnoreLevel {
  /** Folder of an ignore file, relative to the synced folder. Ends with a slash or is empty. */
  readonly base: string;
  readonly rules: Ignore;
}

/** Lists the files to sync. Skips links, hidden files, and files that an ignore file or `exclude` names. */
export async function listSyncFiles(root: string, exclude: readonly string[], signal: AbortSignal) {
  const files: FoundFile[] = [];
  const leftOut = createLeftOutTally();
  /** Folders and files that could not be read. Files in an unreadable folder do not count as removed. */
  const unread: { path: string; why: string }[] = [];
  const folders = [
    { base: '', depth: 0, levels: [{ base: '', rules: ignore().add([...exclude]) }] as IgnoreLevel[] },
  ];
  for (let folder = folders.pop(); folder && !signal.aborted; folder = folders.pop()) {
    const { base, depth } = folder;
    const entries = await readdir(join(root, base), { withFileTypes: true }).catch(
      (error: NodeJS.ErrnoException) => {
        unread.push({ path: base, why: reasonOf(error) });
        return [] as Dirent[];
      },
    );
    entries.sort((a, b) => (a.name < b.name ? 1 : -1));
    const levels = await withOwnRules(root, folder, entries);
    for (const entry of entries.reverse()) {
      const path = `${base}${entry.name}`;
      const why = reasonToSkip(entry, path, levels);
      if (why !== undefined) leftOut.add(why, path);
      else if (entry.isFile()) await addFile(root, path, { files, unread });
      else if (depth < MAX_DEPTH) folders.push({ base: `${path}/`, depth: depth + 1, levels });
    }
  }
  return { files, leftOut, unread };
}

interface FolderListing {
  readonly files: FoundFile[];
  readonly unread: { path: string; why: string }[];
}

async function addFile(root: string, path: string, { files, unread }: FolderListing): Promise<void> {
  try {
    const about = await lstat(join(root, path));
    if (about.isFile()) files.push({ path, stamp: stampOf(about) });
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException;
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') unread.push({ path, why: reasonOf(error) });
  }
  if (files.length > MAX_FILES) throw tooLargeError(`the folder has over ${MAX_FILES} files`);
}

function reasonOf({ code }: NodeJS.ErrnoException): string {
  return code === 'EACCES' ? 'may not be read' : (code ?? 'cannot be read');
}

async function withOwnRules(
  root: string,
  { base, levels }: { readonly base: string; readonly levels: IgnoreLevel[] },
  entries: readonly Dirent[],
): Promise<IgnoreLevel[]> {
  const own: IgnoreLevel[] = [];
  for (const name of IGNORE_FILES) {
    if (!entries.some((entry) => entry.name === name && entry.isFile())) continue;
    const text = await readFile(join(root, base, name), 'utf8').catch(() => '');
    own.push({ base, rules: ignore().add(text.slice(0, IGNORE_BYTES)) });
  }
  return own.length > 0 ? [...levels, ...own] : levels;
}

function reasonToSkip(entry: Dirent, path: string, levels: readonly IgnoreLevel[]): string | undefined {
  if (isHiddenOrGenerated(path)) return HIDDEN;
  if (entry.isSymbolicLink()) return 'a symbolic link';
  if (!entry.isDirectory() && !entry.isFile()) return 'not an ordinary file';
  const name = entry.isDirectory() ? `${path}/` : path;
  let ignored = false;
  for (const { base, rules } of levels) {
    const verdict = rules.test(name.slice(base.length));
    if (verdict.ignored) ignored = true;
    else if (verdict.unignored) ignored = false;
  }
  if (entry.isFile() && DELETED_MAIL_FILE.test(path)) return 'a mail that is marked as deleted';
  if (ignored) return 'left out by --exclude, .gitignore or .ignore';
  return entry.isDirectory() || NOTE_FILE.test(path) || PAGE_FILE.test(path)
    ? undefined
    : addExtensionToReason('not a kind of file that is read', path);
}

function stampOf({ mtimeMs, ctimeMs, size }: Stats): string {
  return Date.now() - Math.max(mtimeMs, ctimeMs) < TIME_STEP_MS ? '' : `${mtimeMs} ${ctimeMs} ${size}`;
}

/** Reads a file. Throws AppError `not_found`, `too_large`, or `bad_request` if it cannot be read. */
export async function readSyncedFile(root: string, path: string) {
  const whole = join(root, path);
  try {
    // The path may now lead through a link. It may also be a pipe, so opening must not block.
    if ((await realpath(whole)) !== whole) throw notFoundError('is behind a symbolic link');
    const file = await open(whole, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const about = await file.stat();
      if (!about.isFile()) throw notFoundError('is not a file any longer');
      if (about.size > MAX_FILE_BYTES) {
        throw tooLargeError(`has ${about.size} bytes: ${MAX_FILE_BYTES / 1e6} MB are read at most`);
      }
      const body = await file.readFile();
      const digest = createHash('sha256').update(body).digest('hex');
      return { body, digest, stamp: stampOf(about), modifiedAt: about.mtimeMs };
    } finally {
      await file.close();
    }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (cause instanceof AppError) throw cause;
    if (code === 'ENOENT' || code === 'ELOOP' || code === 'ENOTDIR')
      throw notFoundError('is gone', { cause });
    throw badRequestError(code === 'EACCES' ? 'may not be read' : `cannot be read (${code})`, { cause });
  }
}
