import { randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { open, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';

export type DiskReserve = ReturnType<typeof openDiskReserve>;

export interface ReserveOptions {
  readonly setsAside: boolean;
  readonly retryMs?: number;
}

const FILE_NAME = 'magpie.reserve';
/** Size of the reserve file in bytes. SQLite's log needs at most 4 MB of it. */
export const RESERVE_BYTES = 8_000_000;
const ROOM_FACTOR = 1.25;
const RETRY_MS = 5000;
/** Age in ms from which an unfinished reserve file must be from a killed process. */
const LEFT_MS = 600_000;

/** Opens the reserve file. It is removed when the disk is full, so that deletions have space for the log. */
export function openDiskReserve(folder: string, { setsAside, retryMs = RETRY_MS }: ReserveOptions) {
  const path = join(folder, FILE_NAME);
  let timer: NodeJS.Timeout | undefined;
  let working = false;
  let wanted = false;
  let closed = false;

  const attempt = async () => {
    timer = undefined;
    wanted = false;
    working = true;
    const made = await setAsideLater(path, folder, () => closed);
    working = false;
    if (!made || wanted) retry();
  };
  const retry = (): void => {
    if (!setsAside) return;
    wanted = true;
    if (!closed && !working) timer ??= setTimeout(attempt, retryMs).unref();
  };

  try {
    if (setsAside) removeLeft(folder);
    if (setsAside && !isWhole(path) && !setAside(path, folder)) retry();
  } catch {
    retry();
  }
  return {
    release(): boolean {
      retry();
      try {
        rmSync(path);
        return true;
      } catch {
        return false;
      }
    },
    isReserved: () => isWhole(path),
    close(): void {
      closed = true;
      clearTimeout(timer);
    },
  };
}

function hasRoom({ bavail, bsize }: { readonly bavail: number; readonly bsize: number }): boolean {
  return bavail * bsize >= ROOM_FACTOR * RESERVE_BYTES;
}

function isWhole(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= RESERVE_BYTES;
}

/** Returns a unique name, because containers that share the folder may have equal process ids. */
const partOf = (path: string): string => `${path}.${randomUUID()}`;

function removeLeft(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${FILE_NAME}.`)) continue;
    const part = join(folder, name);
    const { mtimeMs } = statSync(part, { throwIfNoEntry: false }) ?? { mtimeMs: Number.POSITIVE_INFINITY };
    if (Date.now() - mtimeMs > LEFT_MS) rmSync(part, { force: true });
  }
}

function setAside(path: string, folder: string): boolean {
  if (!hasRoom(statfsSync(folder))) return false;
  const part = partOf(path);
  try {
    const file = openSync(part, 'wx', 0o600);
    try {
      // Writes random bytes, because some file systems store equal bytes without using space.
      writeSync(file, randomBytes(RESERVE_BYTES));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    // The size is checked, because a full disk may accept a part of a write without an error.
    if (!isWhole(part)) throw new Error('the disk is full');
    renameSync(part, path);
    return true;
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

async function setAsideLater(path: string, folder: string, isClosed: () => boolean): Promise<boolean> {
  const part = partOf(path);
  try {
    if (isWhole(path)) return true;
    if (!hasRoom(await statfs(folder)) || isClosed()) return false;
    const file = await open(part, 'wx', 0o600);
    try {
      await file.writeFile(randomBytes(RESERVE_BYTES));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
    return true;
  } catch {
    await rm(part, { force: true }).catch(() => {});
    return false;
  }
}
