import { type Migration, readMigrations } from './migration.ts';

export const MIGRATIONS: readonly Migration[] = readMigrations(new URL('./schema.sql', import.meta.url));
