import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

export async function readRegularFile(path: string | Buffer, maxBytes: number): Promise<Buffer | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stat = await file.stat();
      if (!stat.isFile() || stat.size > maxBytes) return undefined;
      // The buffer has one extra byte. If a read fills this byte, the file has grown since `stat`.
      const buffer = Buffer.allocUnsafe(stat.size + 1);
      let length = 0;
      for (;;) {
        const room = buffer.length - length;
        const { bytesRead } = await file.read(buffer, length, room);
        length += bytesRead;
        if (bytesRead === 0 || (length === stat.size && bytesRead < room)) return buffer.subarray(0, length);
        if (length > stat.size) return undefined;
      }
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

export const blobId = (content: Uint8Array): string =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
