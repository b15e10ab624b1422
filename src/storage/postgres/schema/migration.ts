/** Older nodes keep running, so a migration only adds things, and removes only what no program since `oldest` has used. */
export interface PostgresMigration {
  readonly id: number;
  readonly name: string;
  /** Newest migration known to the oldest program that can still use the schema after this one. It never decreases. */
  readonly oldest: number;
  readonly sql: string;
}
