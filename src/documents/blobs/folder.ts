import { randomUUID } from 'node:crypto';
import { access, mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { AppError, unavailableError } from '../../errors.ts';
import { type BlobStore, folderOfOwner, pathOfBlob } from '../blob-store.ts';
import reasons from './failure-reasons.json' with { type: 'json' };

export function createFolderBlobs(root: string): BlobStore {
  const folderOf = (owner: string) => join(root, folderOfOwner(owner));
  const pathOf = (owner: string, key: string) => join(root, pathOfBlob(owner, key));

  return {
    async put(owner, key, bytes, signal) {
      const path = pathOf(owner, key);
      // The temporary name is not a valid key, so it cannot collide with another file.
      const temporary = `${path}.${randomUUID()}.part`;
      try {
        await mkdir(folderOf(owner), { recursive: true, mode: 0o700 });
        const count = await write(temporary, bytes);
        signal?.throwIfAborted();
        await rename(temporary, path);
        await sync(folderOf(owner));
        return count;
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => {});
        throw folderError(error, root);
      }
    },

    async get(owner, key) {
      const path = pathOf(owner, key);
      try {
        return Readable.toWeb((await open(path, 'r')).createReadStream()) as ReadableStream<Uint8Array>;
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw folderError(error, root);
      }
    },

    async locate(owner, key) {
      const path = pathOf(owner, key);
      try {
        await access(path);
        return path;
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw folderError(error, root);
      }
    },

    async delete(owner, key) {
      const path = pathOf(owner, key);
      try {
        await removeParts(folderOf(owner), key);
        await unlink(path);
        return true;
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return false;
        throw folderError(error, root);
      }
    },
  };
}

async function removeParts(folder: string, key: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(`${key}.`) && name.endsWith('.part')) await rm(join(folder, name), { force: true });
  }
}

async function write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  let count = 0;
  try {
    for await (const chunk of bytes) {
      // Writes in a loop, because one call may write only some of the bytes.
      for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten;
      count += chunk.length;
    }
    await file.sync();
    return count;
  } finally {
    await file.close();
  }
}

/** Writes a folder to disk, so that a renamed file keeps its name after a power failure. Ignores errors. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

const REASONS: Readonly<Record<string, string>> = reasons.folder;

function folderError(error: unknown, root: string): unknown {
  const reason = REASONS[codeOf(error) ?? ''];
  if (!reason || error instanceof AppError) return error;
  return unavailableError(`files cannot be kept in ${root}: ${reason}`, { cause: error });
}
