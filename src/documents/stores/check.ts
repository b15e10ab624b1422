import type { Statements } from '../../storage/sqlite.ts';

export function markForReindexing(
  sql: Statements,
  files: readonly { readonly owner: string; readonly name?: string }[],
): void {
  for (const { owner, name } of files) {
    sql.run`UPDATE documents SET indexed = 0 WHERE owner = ${owner} AND ready = 1
      AND (${name ?? null} IS NULL OR name = ${name ?? null})`;
  }
}
