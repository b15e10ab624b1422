import type { Config } from '../config/config.ts';
import type { Logger } from '../log.ts';
import type { Stores } from './stores.ts';

const DRIVERS: Readonly<
  Record<'sqlite' | 'postgres', () => Promise<(config: Config, log: Logger) => Stores>>
> = {
  sqlite: async () => (await import('./sqlite-stores.ts')).openSqliteStores,
  postgres: async () => (await import('./postgres-stores.ts')).openPostgresStores,
};

export async function openStores(config: Config, log: Logger): Promise<Stores> {
  const driver = config.database.startsWith('postgres') ? 'postgres' : 'sqlite';
  return (await DRIVERS[driver]())(config, log);
}
