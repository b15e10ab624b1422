/** A schema change. It may remove only what no node since `oldest` uses. */
export interface PostgresMigration {
  readonly id: number;
  readonly name: string;
  /** Newest migration of the oldest program that can use the changed schema. */
  readonly oldest: number;
  readonly sql: string;
}
