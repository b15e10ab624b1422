import type { Config } from '../config/config.ts';
import type { Stores } from './stores.ts';

/** The drivers, by the scheme of DATABASE_URL; each makes the whole set of stores. */
const DRIVERS: Readonly<Record<Config['database'], () => Promise<(config: Config) => Stores>>> = {
  'sqlite:': async () => (await import('./sqlite-stores.ts')).openSqliteStores,
};

/** The set that is configured. */
export async function openStores(config: Config): Promise<Stores> {
  return (await DRIVERS[config.database]())(config);
}
