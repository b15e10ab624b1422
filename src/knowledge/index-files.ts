import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { GrowingIndex } from './vector-index.ts';

/** Where large indexes are kept between starts. */
export interface IndexFiles {
  /** Undefined where none is kept. */
  pathOf(owner: string): string | undefined;
  /** False for an index that is built faster than read. */
  saveIndex(owner: string, index: GrowingIndex): Promise<boolean>;
  deleteIndex(owner: string): Promise<void>;
}

export function createIndexFiles(folder: string | undefined, model: string): IndexFiles {
  /** Owners' names may be anything; a file's may not. */
  function pathOf(owner: string): string | undefined {
    if (folder === undefined) return undefined;
    return join(folder, createHash('sha256').update(`${model}\n${owner}`).digest('hex').slice(0, 32));
  }

  return {
    pathOf,
    async saveIndex(owner, index) {
      const path = pathOf(owner);
      if (folder === undefined || path === undefined) return false;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return index.save(path);
    },
    async deleteIndex(owner) {
      const path = pathOf(owner);
      if (path === undefined) return;
      await Promise.all(['graph', 'labels'].map((end) => rm(`${path}.${end}`, { force: true })));
    },
  };
}
