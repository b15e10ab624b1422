import type { PostgresMigration } from './migration.ts';

/**
 * Request rates over all nodes. `full_at` is the time when the full quota of a subject is available again, in milliseconds since
 * 1970; subjects are stored as digests. After a crash of the database the table is empty, which loses the counts of a minute.
 */
export const POSTGRES_RATES: PostgresMigration = {
  id: 13,
  name: 'rates',
  oldest: 1,
  sql: `
    CREATE UNLOGGED TABLE access_rates (
      subject text COLLATE "C" PRIMARY KEY,
      full_at double precision NOT NULL
    ) WITH (fillfactor = 50);
  `,
};
