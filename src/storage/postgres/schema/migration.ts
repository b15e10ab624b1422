/** A schema change. Older nodes keep running during an update, so a change may remove only what no node since `oldest` uses. */
export interface PostgresMigration {
  readonly id: number;
  readonly name: string;
  /** Newest migration of the oldest program that can use the changed schema. The number never decreases. */
  readonly oldest: number;
  readonly sql: string;
}
