import { POSTGRES_MIGRATIONS } from '../../src/storage/postgres/schema/list.ts';
import type { PostgresMigration } from '../../src/storage/postgres/schema/migration.ts';

/**
 * Makes the program that it is loaded into (`node --import`) a newer version, with steps of the schema that no version of ours has:
 * `TEST_NEWER_SCHEMA=1` adds what older nodes can work beside, `2` then takes away what they need.
 */
export const NEWER = 'TEST_NEWER_SCHEMA';

const steps = POSTGRES_MIGRATIONS as PostgresMigration[];
const last = steps.at(-1) as PostgresMigration;
const ADDS: PostgresMigration = {
  id: last.id + 1,
  name: 'adds',
  oldest: last.oldest,
  sql: `
    ALTER TABLE kb_entries ADD COLUMN newer text;
    ALTER TABLE access_usage ADD COLUMN newer bigint NOT NULL DEFAULT 0;
    CREATE INDEX kb_entries_newer ON kb_entries (owner, updated);
    CREATE TABLE newer (id bigint PRIMARY KEY);
  `,
};
const TAKES_AWAY: PostgresMigration = {
  id: last.id + 2,
  name: 'takes away',
  oldest: last.id + 1,
  sql: 'DROP TABLE newer',
};
steps.push(...[ADDS, TAKES_AWAY].slice(0, Number(process.env[NEWER] ?? 0)));
