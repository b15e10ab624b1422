import type { Migration } from '../../migrations/migration.ts';

/** A schema change, which removes only what no program with migration `oldest` or a later one uses. */
export interface PostgresMigration extends Migration {
  /** Newest migration that the oldest program which can still use the schema knows. */
  readonly oldest: number;
}
