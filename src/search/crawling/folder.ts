import { constants, type Dirent } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { badRequestError } from '../../errors.ts';
import type { PageParser } from '../types.ts';
import type { WaitingAddress } from './crawl-store.ts';
import type { VisitOutcome } from './index-run.ts';
import { isSelectedByPatterns } from './scope.ts';
import { hashPageText, toFailedVisit } from './visit-page.ts';

export interface FolderOptions {
  readonly maxDepth: number;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

const MACHINES = new Set(['node_modules', '__pycache__', 'bower_components']);
const FILES_PER_LOT = 1000;

export async function resolveRealPath(path: string): Promise<{ path: string; isFolder: boolean }> {
  try {
    const real = await realpath(path);
    return { path: real, isFolder: (await lstat(real)).isDirectory() };
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    const why = code === 'EACCES' ? 'may not be read' : code === 'ENOENT' ? 'is not there' : `(${code})`;
    throw badRequestError(
      `the folder or file ${JSON.stringify(path)} ${why}; the address of a site begins with https://`,
      { cause },
    );
  }
}

export async function* walkFolder(
  root: string,
  options: FolderOptions,
  skip: (why: string) => void,
): AsyncGenerator<CrawledFile[]> {
  const folders: FoundFolder[] = [{ path: root, depth: 0 }];
  let found: CrawledFile[] = [];
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    const inner: FoundFolder[] = [];
    for (const entry of await entriesOf(folder.path, skip)) {
      const place = { path: join(folder.path, entry.name), depth: folder.depth + 1 };
      const why = skipped(entry, place, root, options);
      if (why) skip(why);
      else if (entry.isDirectory()) inner.push(place);
      else found.push({ url: pathToFileURL(place.path).href, depth: folder.depth });
    }
    folders.push(...inner.reverse());
    if (found.length >= FILES_PER_LOT) {
      yield found;
      found = [];
    }
  }
  yield found;
}

interface CrawledFile {
  readonly url: string;
  readonly depth: number;
}

interface FoundFolder {
  readonly path: string;
  readonly depth: number;
}

async function entriesOf(path: string, skip: (why: string) => void): Promise<Dirent[]> {
  try {
    return (await readdir(path, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    skip('a folder that may not be read');
    return [];
  }
}

function skipped(
  entry: Dirent,
  { path, depth }: FoundFolder,
  root: string,
  { maxDepth, include, exclude }: FolderOptions,
): string | undefined {
  if (entry.name.startsWith('.') || MACHINES.has(entry.name)) return 'hidden, or made by machines';
  if (entry.isSymbolicLink()) return 'a symbolic link';
  if (entry.isDirectory()) return depth <= maxDepth ? undefined : 'deeper than asked for';
  if (!entry.isFile()) return 'not an ordinary file';
  const name = relative(root, path).replaceAll(sep, '/');
  return isSelectedByPatterns(name, include, exclude) ? undefined : 'left out by --include or --exclude';
}

export interface FileVisitOptions {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly read: PageParser;
  isKept(url: string): Promise<boolean>;
}

export function createFileVisit(
  options: FileVisitOptions,
): (waiting: WaitingAddress) => Promise<VisitOutcome> {
  const { signal, read } = options;
  return async (waiting) => {
    const { url, digest } = waiting;
    const kept = await options.isKept(url);
    try {
      const content = await readContent(waiting, kept, options.maxBytes);
      if ('end' in content) return content;
      const page = await read({ url, contentType: '', body: content.body }, signal);
      const known = { modified: content.stamp, digest: hashPageText(page) };
      if (kept && known.digest === digest) return { end: 'unchanged', known };
      return {
        end: 'indexed',
        page: { url, title: page.title, text: page.markdown, readAt: Date.now() },
        known,
      };
    } catch (error) {
      return fileFailure(error as NodeJS.ErrnoException) ?? toFailedVisit(error, signal);
    }
  };
}

async function readContent(
  { url, modified, digest }: WaitingAddress,
  kept: boolean,
  maxBytes: number,
): Promise<{ readonly body: Buffer; readonly stamp: string } | VisitOutcome> {
  // The file may have been replaced. The flags prevent following a symbolic link or waiting for a pipe.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(fileURLToPath(url), flags);
  try {
    const stat = await file.stat();
    const { mtimeMs, size } = stat;
    const stamp = `${mtimeMs} ${size}`;
    if (!stat.isFile()) return { end: 'skipped', why: 'not an ordinary file' };
    if (kept && modified === stamp) return { end: 'unchanged', known: { modified: stamp, digest } };
    if (size > maxBytes) return { end: 'skipped', why: 'larger than MAGPIE_PAGE_BYTES' };
    if (size === 0) return { end: 'skipped', why: 'empty' };
    const body = Buffer.alloc(size);
    const { bytesRead } = await file.read(body, 0, size, 0);
    return { body: body.subarray(0, bytesRead), stamp };
  } finally {
    await file.close();
  }
}

function fileFailure({ code }: NodeJS.ErrnoException): VisitOutcome | undefined {
  if (code === 'ENOENT') return { end: 'gone', why: 'no longer there' };
  if (code === 'ELOOP') return { end: 'gone', why: 'a symbolic link' };
  if (code === 'EACCES' || code === 'EPERM') return { end: 'failed', why: 'it may not be read' };
  return undefined;
}

export async function hasFileAt(url: string): Promise<boolean> {
  return lstat(fileURLToPath(url)).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );
}
