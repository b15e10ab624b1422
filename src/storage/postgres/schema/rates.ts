import type { PostgresMigration } from './migration.ts';

/** `full_at` is when the full quota is available again (ms since 1970). */
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
