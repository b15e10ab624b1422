/** A schema change. Since older nodes keep running, it only adds parts and removes those unused since `oldest`. */
export interface PostgresMigration {
  readonly id: number;
  readonly name: string;
  /** Number of the newest migration in the oldest program that can still use the changed schema. It never decreases. */
  readonly oldest: number;
  readonly sql: string;
}
