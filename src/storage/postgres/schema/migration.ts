import type { Migration } from '../../migrations/migration.ts';

/** A schema change. It may remove only what no node since `oldest` uses. */
export interface PostgresMigration extends Migration {
  /** Newest migration of the oldest program that can use the changed schema. */
  readonly oldest: number;
}
