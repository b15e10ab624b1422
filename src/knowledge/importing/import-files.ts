import { createReadStream, type Dirent, type Stats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../errors.ts';
import type { ImportSource } from '../types.ts';
import {
  createUnpackSession,
  HEAD_BYTES,
  HIDDEN,
  listZipFiles,
  MAX_IMPORT_FILES,
  readFileHead,
  tooManyFiles,
  type UnpackSession,
} from './import-archive.ts';
import type { ImportFile } from './import-kind.ts';

const MAX_DEPTH = 64;

export interface ImportFiles {
  readonly files: readonly ImportFile[];
  readonly name: string;
  readonly skipped: Readonly<Record<string, number>>;
  close(): Promise<void>;
}

/** Opens a folder, ZIP archive or file, without links and hidden files. Throws AppError `bad_request` or `too_large`. */
export async function openImport(source: ImportSource): Promise<ImportFiles> {
  const unpacking = createUnpackSession();
  const name = 'path' in source ? source.path : 'standard input';
  try {
    const files =
      'path' in source ? await filesAt(source.path, unpacking) : await filesIn(source.stream, unpacking);
    return { files, name, skipped: unpacking.skipped, close: unpacking.close };
  } catch (error) {
    await unpacking.close();
    throw pathError(error, name);
  }
}

async function filesAt(path: string, unpacking: UnpackSession): Promise<ImportFile[]> {
  const about = await stat(path);
  if (about.isDirectory()) return filesOfFolder(path, unpacking);
  // Reads a pipe, such as `<(...)` of a shell, as one file. A pipe can be read only once, from its beginning.
  if (!about.isFile()) return filesIn(createReadStream(path), unpacking);
  const file = fileAt(path, basename(path), about);
  const head = await file.head();
  if (isZip(head)) return listZipFiles(path, path, unpacking);
  return [isGzip(head) ? unpacked(file, unpacking) : file];
}

async function filesIn(stream: AsyncIterable<unknown>, unpacking: UnpackSession): Promise<ImportFile[]> {
  const file = streamed(stream);
  const head = await file.head();
  if (head.length === 0) throw new AppError('bad_request', 'standard input is empty');
  // A ZIP archive is read from its end, so standard input is copied to a temporary file first.
  if (isZip(head)) return listZipFiles(await unpacking.putAside(file.chunks()), 'standard input', unpacking);
  return [isGzip(head) ? streamed(unpacked(file, unpacking).chunks()) : file];
}

function isZip([a, b, c]: Uint8Array): boolean {
  return a === 0x50 && b === 0x4b && (c === 3 || c === 5);
}

function isGzip([a, b]: Uint8Array): boolean {
  return a === 0x1f && b === 0x8b;
}

function fileAt(path: string, name: string, { mtimeMs: modifiedAt }: Stats): ImportFile {
  return {
    name,
    modifiedAt,
    chunks: () => read(createReadStream(path, { highWaterMark: 262_144 }), path),
    head: () => readFileHead(read(createReadStream(path, { end: HEAD_BYTES - 1 }), path)),
  };
}

async function* read(stream: Readable, path: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) yield chunk as Uint8Array;
  } catch (error) {
    throw pathError(error, path);
  } finally {
    stream.destroy();
  }
}

function streamed(stream: AsyncIterable<unknown>): ImportFile {
  const chunks = stream[Symbol.asyncIterator]();
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const next = async (): Promise<Uint8Array | undefined> => {
    const { done, value } = await chunks.next();
    return done ? undefined : Buffer.from(value as Uint8Array | string);
  };
  return {
    name: '-',
    async head() {
      for (let part: Uint8Array | undefined; bytes < HEAD_BYTES; bytes += part.length) {
        part = await next();
        if (part === undefined) break;
        parts.push(part);
      }
      return Buffer.concat(parts).subarray(0, HEAD_BYTES);
    },
    async *chunks() {
      yield* parts.splice(0);
      for (let part = await next(); part !== undefined; part = await next()) yield part;
    },
  };
}

function unpacked(file: ImportFile, unpacking: UnpackSession): ImportFile {
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    const gunzip = createGunzip();
    const feeding = pipeline(Readable.from(file.chunks()), gunzip).catch(() => {});
    try {
      for await (const chunk of gunzip) {
        unpacking.count((chunk as Uint8Array).length);
        yield chunk as Uint8Array;
      }
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      throw new AppError('bad_request', `${file.name} is broken: what gzip packed cannot be unpacked`, {
        cause,
      });
    } finally {
      gunzip.destroy();
      await feeding;
    }
  };
  return { ...file, name: file.name.replace(/\.gz$/i, ''), chunks, head: () => readFileHead(chunks()) };
}

async function filesOfFolder(root: string, { skip }: UnpackSession): Promise<ImportFile[]> {
  const found: ImportFile[] = [];
  const folders = [{ path: root, name: '', depth: 0 }];
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    const entries = await readdir(folder.path, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const why = reasonToSkip(entry, folder.depth);
      if (why !== undefined) {
        skip(why);
        continue;
      }
      const path = join(folder.path, entry.name);
      const name = folder.name === '' ? entry.name : `${folder.name}/${entry.name}`;
      if (entry.isDirectory()) folders.push({ path, name, depth: folder.depth + 1 });
      else found.push(fileAt(path, name, await lstat(path)));
      if (found.length > MAX_IMPORT_FILES) throw tooManyFiles(root);
    }
  }
  return found;
}

function reasonToSkip(entry: Dirent, depth: number): string | undefined {
  if (entry.name.startsWith('.')) return HIDDEN;
  if (entry.isSymbolicLink()) return 'a symbolic link';
  if (entry.isDirectory()) return depth < MAX_DEPTH ? undefined : 'a folder in over 64 folders';
  return entry.isFile() ? undefined : 'not an ordinary file';
}

function pathError(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof AppError || code === undefined) return error;
  const why = code === 'ENOENT' || code === 'ENOTDIR' ? 'does not exist' : `cannot be used (${code})`;
  return new AppError('bad_request', `${path} ${why}`, { cause: error });
}
