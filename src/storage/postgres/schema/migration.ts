/** A schema change. Older nodes keep running, so it only adds things, and removes what no program since `oldest` has used. */
export interface PostgresMigration {
  readonly id: number;
  readonly name: string;
  /** Newest migration known to the oldest program that can still use the schema after this one. It never decreases. */
  readonly oldest: number;
  readonly sql: string;
}
