import type { Migration } from '../../migrations/migration.ts';

/** A schema change. It removes nothing that programs with migration `oldest` or a later one use. */
export interface PostgresMigration extends Migration {
  /** Newest migration known to the oldest program that can still use the schema. */
  readonly oldest: number;
}
