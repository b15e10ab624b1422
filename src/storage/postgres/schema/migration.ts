/**
 * One step of the schema. An older node goes on while a newer one starts: so a step only adds (tables, columns that may be
 * null or have a default, indexes), and what a step takes away has not been used by any program since `oldest`.
 */
export interface PostgresMigration {
  /** Rises by one. */
  readonly id: number;
  readonly name: string;
  /** The newest migration that the oldest program knows which can work with the schema from here on; never falls. */
  readonly oldest: number;
  readonly sql: string;
}
