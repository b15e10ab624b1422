import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type FolderLock, lockDataFolder } from '../../../storage/lock.ts';

const MAX_ATTEMPTS = 5;

/** Creates temporary folders in a folder that this process locks. Other processes remove unlocked folders. */
export function createWorkFolders(folder: string) {
  // Git needs an absolute path, because it runs in other folders.
  const parent = resolve(folder);
  let own: Promise<{ folder: string; lock: FolderLock }> | undefined;

  async function take(): Promise<{ folder: string; lock: FolderLock }> {
    await mkdir(parent, { recursive: true, mode: 0o700 });
    await removeLeftovers();
    for (let attempt = 1; ; attempt++) {
      const folder = await mkdtemp(join(parent, 'run-'));
      try {
        const lock = await lockDataFolder(folder);
        // Another process may have removed the folder before it was locked. Then the lock file is missing.
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
      const lock = name.startsWith('run-') ? await lockDataFolder(folder).catch(() => undefined) : undefined;
      if (!lock) continue;
      await removeAll(folder);
      lock.release();
    }
  }

  return {
    /** Creates a temporary folder. The first call also removes folders of processes that were killed. */
    async makeFolder(): Promise<string> {
      own ??= take();
      own.catch(() => {
        own = undefined;
      });
      return mkdtemp(join((await own).folder, 'scan-'));
    },
    removeFolder: removeAll,
    async close(): Promise<void> {
      const held = await own?.catch(() => undefined);
      own = undefined;
      if (!held) return;
      await removeAll(held.folder);
      held.lock.release();
    },
  };
}

async function removeAll(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => {});
}
