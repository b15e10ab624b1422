import type { PostgresMigration } from './migration.ts';

/** Rate limits. At `full_at`, in milliseconds since 1970, the full quota is available again. A crash empties the table. */
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
