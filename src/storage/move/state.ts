import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unavailableError } from '../../errors.ts';

export interface MoveState {
  readonly between: string;
  /** Key of the last copied row of each table. The key is null if all rows of the table are copied. */
  readonly tables: Record<string, readonly (string | number)[] | null>;
  files: number;
}

const FILE_NAME = 'migrate.json';

/** Returns the progress of a move, or undefined. Throws AppError `unavailable` if the file is damaged. */
export function readMove(folder: string): MoveState | undefined {
  const path = join(folder, FILE_NAME);
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as MoveState;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unavailableError(`${path} cannot be read: delete it, empty the target, and begin again`, { cause });
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
