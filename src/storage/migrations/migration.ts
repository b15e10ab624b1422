/** One step of the database's growth; ids only ever grow, and a step that has landed is never changed. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly sql: string;
}
