import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';

/** How far a move is, in the data folder: what was broken off is taken up there. */

export interface MoveState {
  /** Host and name of the database, without what is secret, and the direction. */
  readonly between: string;
  /** Of each table the key of the last row that is there, null where all are. */
  readonly tables: Record<string, readonly (string | number)[] | null>;
  /** Number of the last file whose bytes are there. */
  files: number;
}

const FILE_NAME = 'migrate.json';

/** AppError `unavailable` for a file that is damaged. */
export function readMove(folder: string): MoveState | undefined {
  const path = join(folder, FILE_NAME);
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as MoveState;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new AppError(
      'unavailable',
      `${path} cannot be read: delete it, empty the target, and begin again`,
      {
        cause,
      },
    );
  }
}

export function writeMove(folder: string, state: MoveState): void {
  const path = join(folder, FILE_NAME);
  writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export function forgetMove(folder: string): void {
  rmSync(join(folder, FILE_NAME), { force: true });
}
