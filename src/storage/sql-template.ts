export type SqlValue = string | number | bigint | null | Uint8Array;

/** SQL with `?` for values, or a template whose values stand at their places. */
export type SqlStatement = string | TemplateStringsArray;
export type SqlPart = SqlValue | RawSql;

class RawSql {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Marks text that is part of the SQL. Other texts in a template are values and cannot change the SQL. */
export const raw = (text: string): RawSql => new RawSql(text);

/** Returns the SQL with `?` for values, and the values. */
export function readStatement(
  sql: SqlStatement,
  parts: readonly SqlPart[],
): { readonly text: string; readonly values: SqlValue[] } {
  const values = parts.filter((part) => !(part instanceof RawSql)) as SqlValue[];
  if (typeof sql === 'string') return { text: sql, values };
  if (values.length === parts.length) return { text: sql.join('?'), values };
  const texts = parts.map((part) => (part instanceof RawSql ? part.text : '?'));
  return { text: String.raw({ raw: sql }, ...texts), values };
}
