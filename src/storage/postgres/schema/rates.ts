import type { PostgresMigration } from './migration.ts';

/**
 * Requests a minute over all nodes: when the whole quota of a subject (a digest of it) is there again, in milliseconds since
 * 1970. After a crash of the database it is empty, which costs a minute's count.
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
