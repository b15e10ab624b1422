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

/** Room on the disk that is set aside, so that something can be deleted once the disk is full. */
export interface Reserve {
  /** Gives the room back; false where there is none. It is set aside again when the disk has room. */
  release(): boolean;
  /** Whether the room is set aside. */
  isThere(): boolean;
  close(): void;
}

export interface ReserveOptions {
  /** Makes the file where it is missing, now and after each release. Without it only a file that is there is used. */
  readonly setsAside: boolean;
  /** Milliseconds between attempts to set room aside again; default 5 s. */
  readonly retryMs?: number;
}

const FILE_NAME = 'magpie.reserve';
/** Above what the log of SQLite holds before it is written back (4 MB). */
export const RESERVE_BYTES = 8_000_000;
/** Times the reserve that must be free before it is set aside. */
const ROOM_FACTOR = 1.25;
const RETRY_MS = 5000;
/** Milliseconds after which a part that is not a reserve yet is what a killed process left: it is written in one go. */
const LEFT_MS = 600_000;

/**
 * Deleting needs room itself: SQLite writes what changes to its log first. The file is made at a start with room for it, or
 * else, like one that was released, as soon as there is room.
 */
export function openReserve(folder: string, { setsAside, retryMs = RETRY_MS }: ReserveOptions): Reserve {
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
    if (!setsAside) return;
    wanted = true;
    if (!closed && !working) timer ??= setTimeout(attempt, retryMs).unref();
  };

  try {
    if (setsAside) removeLeft(folder);
    if (setsAside && !isWhole(path) && !setAside(path, folder)) retry();
  } catch {
    // A folder for reading only, or a disk that is full already: it goes without.
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
    isThere: () => isWhole(path),
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

function hasRoom({ bavail, bsize }: { readonly bavail: number; readonly bsize: number }): boolean {
  return bavail * bsize >= ROOM_FACTOR * RESERVE_BYTES;
}

/** A shorter file is what a process left that was killed while it wrote. */
function isWhole(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= RESERVE_BYTES;
}

/** A name of this attempt alone: other processes, even of the same number in another container, set room aside too. */
function partOf(path: string): string {
  return `${path}.${randomUUID()}`;
}

/** Removes the parts of processes that were killed while they wrote. */
function removeLeft(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${FILE_NAME}.`)) continue;
    const part = join(folder, name);
    const { mtimeMs } = statSync(part, { throwIfNoEntry: false }) ?? { mtimeMs: Number.POSITIVE_INFINITY };
    if (Date.now() - mtimeMs > LEFT_MS) rmSync(part, { force: true });
  }
}

/** False without room for it. Of two processes at once, the file of the later one stays, and is whole like the other. */
function setAside(path: string, folder: string): boolean {
  if (!hasRoom(statfsSync(folder))) return false;
  const part = partOf(path);
  try {
    const file = openSync(part, 'wx', 0o600);
    try {
      // Random, since a file system may store equal bytes as none.
      writeSync(file, randomBytes(RESERVE_BYTES));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    // A full disk takes a part of what is written without an error.
    if (!isWhole(part)) throw new Error('the disk is full');
    renameSync(part, path);
    return true;
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** The same while the process works: nothing waits for the disk. True when the reserve is there. */
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
