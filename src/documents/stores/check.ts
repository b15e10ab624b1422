import type { Statements } from '../../storage/sqlite.ts';

/** A file; all of the owner's without a name. */
export interface DamagedFile {
  readonly owner: string;
  readonly name?: string;
}

/** The next process makes the passages of these files from their pages again. */
export function reindexFiles(sql: Statements, files: readonly DamagedFile[]): void {
  for (const { owner, name } of files) {
    sql.run(
      'UPDATE documents SET indexed = 0 WHERE owner = ? AND ready = 1 AND (? IS NULL OR name = ?)',
      owner,
      name ?? null,
      name ?? null,
    );
  }
}
