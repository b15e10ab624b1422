import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { open, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** Room on the disk that is set aside, so that something can be deleted once the disk is full. */
export interface Reserve {
  /** Gives the room back; false where there is none. It is set aside again when the disk has room. */
  release(): boolean;
  close(): void;
}

export interface ReserveOptions {
  /** Milliseconds between attempts to set room aside again; default 5 s. */
  readonly retryMs?: number;
}

const FILE_NAME = 'magpie.reserve';
/** Above what the log of SQLite holds before it is written back (4 MB). */
const RESERVE_BYTES = 8_000_000;
/** Times the reserve that must be free before it is set aside. */
const ROOM_FACTOR = 1.25;
const RETRY_MS = 5000;

/**
 * Deleting needs room itself: SQLite writes what changes to its log first. The file is made at a start with room for it, or
 * else, like one that was released, as soon as there is room.
 */
export function openReserve(folder: string, { retryMs = RETRY_MS }: ReserveOptions = {}): Reserve {
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
    // It may have been released while the attempt ended.
    if (!made || wanted) retry();
  };
  const retry = (): void => {
    wanted = true;
    if (!closed && !working) timer ??= setTimeout(attempt, retryMs).unref();
  };

  try {
    if (!existsSync(path) && !setAside(path, folder)) retry();
  } catch {
    // A folder for reading only, or a disk that is full already: it goes without.
    rmSync(path, { force: true });
    retry();
  }
  return {
    release() {
      retry();
      try {
        rmSync(path);
        return true;
      } catch {
        return false;
      }
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

function hasRoom({ bavail, bsize }: { readonly bavail: number; readonly bsize: number }): boolean {
  return bavail * bsize >= ROOM_FACTOR * RESERVE_BYTES;
}

/** False without room for it. */
function setAside(path: string, folder: string): boolean {
  if (!hasRoom(statfsSync(folder))) return false;
  const file = openSync(path, 'wx', 0o600);
  try {
    // Random, since a file system may store equal bytes as none.
    writeSync(file, randomBytes(RESERVE_BYTES));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return true;
}

/** The same while the process works: nothing waits for the disk. True when the reserve is there. */
async function setAsideLater(path: string, folder: string, isClosed: () => boolean): Promise<boolean> {
  const part = `${path}.${process.pid}`;
  try {
    if (existsSync(path)) return true;
    if (!hasRoom(await statfs(folder)) || isClosed()) return false;
    const file = await open(part, 'w', 0o600);
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
