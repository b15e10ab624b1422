import type { Migration } from '../../migrations/migration.ts';

/** A schema change. It removes only what no node since migration `oldest` uses. */
export interface PostgresMigration extends Migration {
  /** Newest migration of the oldest program that can use the schema after this change. */
  readonly oldest: number;
}
