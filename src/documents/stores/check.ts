import type { Statements } from '../../storage/sqlite.ts';

/** A damaged file. If `name` is missing, all files of the owner are damaged. */
export interface DamagedFile {
  readonly owner: string;
  readonly name?: string;
}

export function markForReindexing(sql: Statements, files: readonly DamagedFile[]): void {
  for (const { owner, name } of files) {
    sql.run(
      'UPDATE documents SET indexed = 0 WHERE owner = ? AND ready = 1 AND (? IS NULL OR name = ?)',
      owner,
      name ?? null,
      name ?? null,
    );
  }
}
