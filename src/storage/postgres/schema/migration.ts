import type { Migration } from '../../migrations/migration.ts';

/** A schema change. Programs that know the migration `oldest` or a later one can use the new schema. */
export interface PostgresMigration extends Migration {
  /** Id of a migration. A program must know at least this migration to use the schema. */
  readonly oldest: number;
}
