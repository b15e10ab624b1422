import type { Migration } from '../../migrations/migration.ts';

export interface PostgresMigration extends Migration {
  /** Id of the oldest migration that a program must know to use the schema. */
  readonly oldest: number;
}
