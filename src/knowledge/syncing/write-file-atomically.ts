import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export const TEMPORARY_FILE_PATTERN = /^\.magpie-[0-9a-f]{16}\.tmp$/;

/** Writes a file under a temporary name and renames it when it is complete. Only its owner can read the file. */
export async function writeFileAtomically(path: string, content: Uint8Array | string): Promise<void> {
  const temporary = join(dirname(path), `.magpie-${randomBytes(8).toString('hex')}.tmp`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
