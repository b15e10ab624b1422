import { readMigrations } from '../../migrations/migration.ts';
import type { PostgresMigration } from './migration.ts';
import { partitionsOf } from './partitions.ts';

/** In the place of `PARTITIONS OF a_table;` in the schema stand the statements that create its partitions. */
export const POSTGRES_MIGRATIONS: readonly PostgresMigration[] = readMigrations(
  new URL('./schema.sql', import.meta.url),
).map((migration) => ({
  ...migration,
  sql: migration.sql.replace(/^PARTITIONS OF (\w+);$/gm, (_, table) => partitionsOf(table)),
}));
