import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Entry, ZipFile } from 'yauzl';
import { AppError } from '../../errors.ts';
import type { ImportFile } from './import-kind.ts';

export const MAX_IMPORT_FILES = 500_000;
/** Maximum number of bytes that one import unpacks. A file that is read twice counts twice. */
const UNPACKED_BYTES = 8_000_000_000;
export const HEAD_BYTES = 65_536;
const MAX_NESTED = 1;
export const HIDDEN = 'hidden, or made by machines';
export type UnpackSession = ReturnType<typeof createUnpackSession>;

/** Limits the bytes that one import unpacks, to protect the disk. Counts skipped files. Deletes temporary files at the end. */
export function createUnpackSession(maxBytes = UNPACKED_BYTES) {
  let [unpacked, files] = [0, 0];
  let folder: string | undefined;
  const ends: (() => void)[] = [];
  const skipped: Record<string, number> = {};
  return {
    skipped: skipped as Readonly<Record<string, number>>,
    skip(why: string): void {
      skipped[why] = (skipped[why] ?? 0) + 1;
    },
    count(bytes: number): void {
      unpacked += bytes;
      if (unpacked > maxBytes) {
        throw new AppError(
          'too_large',
          `the archive unpacks to over ${maxBytes / 1e9} GB: unpack it, and import the folder`,
        );
      }
    },
    async putAside(chunks: AsyncIterable<Uint8Array>): Promise<string> {
      folder ??= await mkdtemp(join(tmpdir(), 'magpie-import-'));
      const path = join(folder, `${++files}.zip`);
      await pipeline(chunks, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
      return path;
    },
    onClose: (end: () => void) => void ends.push(end),
    async close(): Promise<void> {
      for (const end of ends.splice(0)) end();
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function readFileHead(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    bytes += chunk.length;
    if (bytes >= HEAD_BYTES) break;
  }
  return Buffer.concat(parts).subarray(0, HEAD_BYTES);
}

/** Lists a ZIP archive's files. Each is unpacked when it is read. Throws AppError `bad_request` if the archive is broken. */
export async function listZipFiles(
  path: string,
  name: string,
  unpacking: UnpackSession,
  nested = 0,
): Promise<ImportFile[]> {
  const { zip, entries } = await openZip(path, name);
  unpacking.onClose(() => zip.close());
  const files: ImportFile[] = [];
  for (const entry of entries) {
    const { fileName } = entry;
    if (fileName.endsWith('/')) continue;
    if (/(?:^|\/)(?:__MACOSX\/|\.)/.test(fileName)) {
      unpacking.skip(HIDDEN);
      continue;
    }
    if (/\.zip$/i.test(fileName) && nested < MAX_NESTED) {
      const inner = await unpacking.putAside(unpack(zip, entry, unpacking));
      for (const file of await listZipFiles(inner, fileName, unpacking, nested + 1)) files.push(file);
    } else {
      files.push({
        name: fileName,
        chunks: () => unpack(zip, entry, unpacking),
        head: () => readFileHead(unpack(zip, entry, unpacking)),
      });
    }
    if (files.length > MAX_IMPORT_FILES) throw tooManyFiles(name);
  }
  return files;
}

export function tooManyFiles(name: string): AppError {
  return new AppError('too_large', `${name} has over ${MAX_IMPORT_FILES} files: import it in parts`);
}

async function openZip(path: string, name: string): Promise<{ zip: ZipFile; entries: Entry[] }> {
  const { openPromise } = await import('yauzl');
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(path, { autoClose: false });
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) {
      if (entries.push(entry) > MAX_IMPORT_FILES) throw tooManyFiles(name);
    }
    return { zip, entries };
  } catch (error) {
    zip?.close();
    throw zipError(error, name);
  }
}

async function* unpack(zip: ZipFile, entry: Entry, unpacking: UnpackSession): AsyncGenerator<Uint8Array> {
  if (entry.isEncrypted()) {
    throw new AppError(
      'bad_request',
      `${entry.fileName} is encrypted: unpack the archive, and import the folder`,
    );
  }
  let stream: (NodeJS.ReadableStream & { destroy(): void }) | undefined;
  try {
    stream = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream) {
      unpacking.count((chunk as Uint8Array).length);
      yield chunk as Uint8Array;
    }
  } catch (error) {
    throw zipError(error, entry.fileName);
  } finally {
    stream?.destroy();
  }
}

function zipError(error: unknown, name: string): unknown {
  if (error instanceof AppError) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && !code.startsWith('Z_')) return error;
  const why = (error as Error).message;
  return new AppError('bad_request', `${name} is a broken ZIP archive (${why.slice(0, 200)})`, {
    cause: error,
  });
}
