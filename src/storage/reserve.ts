import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Room on the disk that is set aside, so that something can be deleted once the disk is full. */
export interface Reserve {
  /** Gives the room back; false where there is none. */
  release(): boolean;
}

const FILE_NAME = 'magpie.reserve';
/** Above what the log of SQLite holds before it is written back (4 MB). */
const RESERVE_BYTES = 8_000_000;
/** Times the reserve that must be free before it is set aside. */
const ROOM_FACTOR = 2;

/** Deleting needs room itself: SQLite writes what changes to its log first. The file is made at a start with room for it. */
export function openReserve(folder: string): Reserve {
  const path = join(folder, FILE_NAME);
  try {
    if (!existsSync(path)) setAside(path, folder);
  } catch {
    // A folder for reading only, or a disk that is full already: it goes without.
    rmSync(path, { force: true });
  }
  return {
    release() {
      try {
        rmSync(path);
        return true;
      } catch {
        return false;
      }
    },
  };
}

function setAside(path: string, folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < ROOM_FACTOR * RESERVE_BYTES) return;
  const file = openSync(path, 'wx', 0o600);
  try {
    // Random, since a file system may store equal bytes as none.
    writeSync(file, randomBytes(RESERVE_BYTES));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
