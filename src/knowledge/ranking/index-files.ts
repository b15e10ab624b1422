import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { IndexSyncState, OwnerIndex } from './vector-index.ts';

export const INDEX_FILE_EXTENSIONS = ['graph', 'labels', 'bits'];
/** A temporary file that has not changed for this time was left behind by an ended process. */
const LEFT_MS = 600_000;

export function createIndexFiles(folder: string | undefined, model: string) {
  /** Uses a hash, because an owner's name may be invalid as a file name. */
  function pathOf(owner: string): string | undefined {
    if (folder === undefined) return undefined;
    return join(folder, createHash('sha256').update(`${model}\n${owner}`).digest('hex').slice(0, 32));
  }

  async function deleteLeft(inside: string): Promise<void> {
    for (const name of await readdir(inside)) {
      if (!/\.(graph|labels|bits)\../.test(name)) continue;
      const path = join(inside, name);
      const { mtimeMs } = await stat(path);
      if (Date.now() - mtimeMs > LEFT_MS) await rm(path, { force: true });
    }
  }

  return {
    pathOf,
    async saveIndex(owner: string, index: OwnerIndex, followed: IndexSyncState): Promise<boolean> {
      const path = pathOf(owner);
      if (folder === undefined || path === undefined) return false;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await deleteLeft(folder).catch(() => {});
      return index.save(path, followed);
    },
    async deleteIndex(owner: string): Promise<void> {
      const path = pathOf(owner);
      if (path === undefined) return;
      await Promise.all(INDEX_FILE_EXTENSIONS.map((end) => rm(`${path}.${end}`, { force: true })));
    },
  };
}
