/**
 * One migration of the schema. Older nodes keep running while a newer one starts, so a migration only adds things (tables,
 * indexes, columns that may be null or have a default), and removes only what no program since `oldest` has used.
 */
export interface PostgresMigration {
  /** Number of the migration. It increases by one. */
  readonly id: number;
  readonly name: string;
  /** Newest migration known to the oldest program that can still use the schema after this one. It never decreases. */
  readonly oldest: number;
  readonly sql: string;
}
