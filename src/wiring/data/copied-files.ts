import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, copyFile, open, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createDigestingStream, digestStream } from '../../lib/digest-stream.ts';

export interface CopiedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export async function filesBelow(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

/** Copies a file and flushes it to disk. Throws the system's error, for example ENOENT. */
export async function copyWithDigest(
  from: string,
  to: string,
  path: string,
  signal: AbortSignal,
  as = path,
): Promise<CopiedFile> {
  const target = join(to, as);
  await copyFile(join(from, path), target);
  await chmod(target, 0o600);
  const file = await open(target, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  return { path, ...(await digestOf(target, signal)) };
}

export async function writeWithDigest(
  bytes: ReadableStream<Uint8Array>,
  to: string,
  path: string,
  signal: AbortSignal,
): Promise<CopiedFile> {
  const stream = Readable.fromWeb(bytes as import('node:stream/web').ReadableStream, { signal });
  const { source, digest } = createDigestingStream(stream);
  const target = createWriteStream(join(to, path), { mode: 0o600, flush: true });
  await pipeline(source, target, { signal });
  return { path, ...digest() };
}

export const digestOf = (path: string, signal: AbortSignal): Promise<Omit<CopiedFile, 'path'>> =>
  digestStream(createReadStream(path, { signal }));
