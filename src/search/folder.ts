import { constants, type Dirent } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { AppError } from '../errors.ts';
import type { WaitingAddress } from './crawl-store.ts';
import type { Visit } from './index-run.ts';
import { isWanted } from './scope.ts';
import type { Reader } from './types.ts';
import { digestOf, failure } from './visit-page.ts';

/** Which files of a folder are read. */
export interface FolderOptions {
  readonly maxDepth: number;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** Folders that hold no one's writing, or other people's by the thousand. */
const MACHINES = new Set(['node_modules', '__pycache__', 'bower_components']);
/** Files found at a time. */
const LOT = 1000;

/** The path without symbolic links; AppError `bad_request` when nothing is there. */
export async function realFolder(path: string): Promise<{ path: string; isFolder: boolean }> {
  try {
    const real = await realpath(path);
    return { path: real, isFolder: (await lstat(real)).isDirectory() };
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    const why = code === 'EACCES' ? 'may not be read' : code === 'ENOENT' ? 'is not there' : `(${code})`;
    throw new AppError(
      'bad_request',
      `the folder or file ${JSON.stringify(path)} ${why}; the address of a site begins with https://`,
      { cause },
    );
  }
}

/**
 * The files under a folder, in order of their names, as `file:` addresses with their depth. Symbolic links
 * are not followed: what they lead to is either found at its own place or lies outside. Hidden files and
 * folders of machines (`node_modules`) are left out, as is what may not be read.
 */
export async function* filesOf(
  root: string,
  { maxDepth, include, exclude }: FolderOptions,
  skip: (why: string) => void,
): AsyncGenerator<{ url: string; depth: number }[]> {
  const folders: { path: string; depth: number }[] = [{ path: root, depth: 0 }];
  let found: { url: string; depth: number }[] = [];
  const entriesOf = async (path: string): Promise<Dirent[]> => {
    try {
      return (await readdir(path, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch {
      skip('a folder that may not be read');
      return [];
    }
  };
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    const inner: typeof folders = [];
    for (const entry of await entriesOf(folder.path)) {
      const path = join(folder.path, entry.name);
      const depth = folder.depth + 1;
      if (entry.name.startsWith('.') || MACHINES.has(entry.name)) skip('hidden, or made by machines');
      else if (entry.isSymbolicLink()) skip('a symbolic link');
      else if (entry.isDirectory()) {
        if (depth <= maxDepth) inner.push({ path, depth });
        else skip('deeper than --depth');
      } else if (!entry.isFile()) skip('no ordinary file');
      else if (!isWanted(relative(root, path).replaceAll(sep, '/'), include, exclude)) {
        skip('left out by --include or --exclude');
      } else found.push({ url: pathToFileURL(path).href, depth: folder.depth });
    }
    folders.push(...inner.reverse());
    if (found.length >= LOT) {
      yield found;
      found = [];
    }
  }
  yield found;
}

export interface FileVisitOptions {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly read: Reader;
  /** Whether the file is in the index. */
  kept(url: string): Promise<boolean>;
}

/** Reads one file; one whose time and size are as they were is not opened. */
export function createFileVisit(options: FileVisitOptions): (waiting: WaitingAddress) => Promise<Visit> {
  const { maxBytes, signal, read } = options;
  return async ({ url, modified, digest }) => {
    const path = fileURLToPath(url);
    const kept = await options.kept(url);
    try {
      // No link put in the file's place meanwhile is followed, and no pipe is waited for.
      const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      let body: Buffer;
      let stamp: string;
      try {
        const { mtimeMs, size, isFile } = await file.stat().then((stat) => ({
          mtimeMs: stat.mtimeMs,
          size: stat.size,
          isFile: stat.isFile(),
        }));
        stamp = `${mtimeMs} ${size}`;
        if (!isFile) return { end: 'skipped', why: 'no ordinary file' };
        if (kept && modified === stamp) {
          return { end: 'unchanged', known: { modified: stamp, digest } };
        }
        if (size > maxBytes) return { end: 'skipped', why: 'larger than MAGPIE_PAGE_BYTES' };
        if (size === 0) return { end: 'skipped', why: 'empty' };
        body = Buffer.alloc(size);
        const { bytesRead } = await file.read(body, 0, size, 0);
        body = body.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
      const page = await read({ url, contentType: '', body }, signal);
      const known = { modified: stamp, digest: digestOf(page) };
      if (kept && known.digest === digest) return { end: 'unchanged', known };
      return {
        end: 'indexed',
        page: { url, title: page.title, text: page.markdown, readAt: Date.now() },
        known,
      };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return { end: 'gone', why: 'not there any more' };
      if (code === 'ELOOP') return { end: 'gone', why: 'a symbolic link' };
      if (code === 'EACCES' || code === 'EPERM') return { end: 'failed', why: 'it may not be read' };
      return failure(error, signal);
    }
  };
}

/** Whether there is still a file or folder at the `file:` address. */
export async function isThere(url: string): Promise<boolean> {
  return lstat(fileURLToPath(url)).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );
}
