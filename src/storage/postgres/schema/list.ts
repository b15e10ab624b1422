import { readMigrations } from '../../migrations/migration.ts';
import type { PostgresMigration } from './migration.ts';

/** Number of partitions of a table with users' data. All rows of an owner are in the same partition. */
const PARTITIONS = 16;

/** Replaces each line `PARTITIONS OF a_table;` of the schema with statements that create the partitions. */
export const POSTGRES_MIGRATIONS: readonly PostgresMigration[] = readMigrations(
  new URL('./schema.sql', import.meta.url),
).map((migration) => ({
  ...migration,
  sql: migration.sql.replace(/^PARTITIONS OF (\w+);$/gm, (_, table) => partitionsOf(table)),
}));

function partitionsOf(table: string): string {
  return Array.from(
    { length: PARTITIONS },
    (_, at) =>
      `CREATE TABLE ${table}_${at} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${at});`,
  ).join('\n');
}
