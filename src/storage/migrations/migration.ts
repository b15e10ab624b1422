/** One change of the database schema. Ids only increase, and a released migration is never changed. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly sql: string;
}
