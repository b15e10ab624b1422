import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type FolderLock, lockFolder } from '../../../storage/lock.ts';

/** Folders of this process, each for one scan. */
export interface WorkFolders {
  /** A new one; the first call also removes what processes left that were killed. */
  makeFolder(): Promise<string>;
  /** Never rejects. */
  removeFolder(folder: string): Promise<void>;
  /** Removes all. */
  close(): Promise<void>;
}

const MAX_ATTEMPTS = 5;

/**
 * Under `parent` every process has a folder with a lock that the operating system drops with it, however it ends:
 * a folder whose lock can be taken belongs to no process, in no container.
 */
export function createWorkFolders(folder: string): WorkFolders {
  // Git runs in other folders than Magpie does.
  const parent = resolve(folder);
  let own: Promise<{ folder: string; lock: FolderLock }> | undefined;

  async function take(): Promise<{ folder: string; lock: FolderLock }> {
    await mkdir(parent, { recursive: true, mode: 0o700 });
    await removeLeftovers();
    for (let attempt = 1; ; attempt++) {
      const folder = await mkdtemp(join(parent, 'run-'));
      try {
        const lock = await lockFolder(folder);
        // Another process that starts just now may have taken it for a leftover.
        if (existsSync(join(folder, 'server.lock'))) return { folder, lock };
        lock.release();
      } catch (error) {
        if (attempt >= MAX_ATTEMPTS) throw error;
      }
    }
  }

  async function removeLeftovers(): Promise<void> {
    for (const name of await readdir(parent)) {
      const folder = join(parent, name);
      const lock = name.startsWith('run-') ? await lockFolder(folder).catch(() => undefined) : undefined;
      if (!lock) continue;
      await removeAll(folder);
      lock.release();
    }
  }

  return {
    async makeFolder() {
      own ??= take();
      own.catch(() => {
        own = undefined;
      });
      return mkdtemp(join((await own).folder, 'scan-'));
    },
    removeFolder: removeAll,
    async close() {
      const held = await own?.catch(() => undefined);
      own = undefined;
      if (!held) return;
      await removeAll(held.folder);
      held.lock.release();
    },
  };
}

/** A process that was killed a moment ago may still write, so it tries again; what stays goes at the next start. */
async function removeAll(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => {});
}
