export type SqlValue = string | number | bigint | null | Uint8Array;

/** SQL with `?` for values, or a template whose values stand at their places. */
export type SqlStatement = string | TemplateStringsArray;
export type SqlPart = SqlValue | SqlFragment;

/** A statement, or a part of one: its text with `?` for values, and the values. */
export class SqlFragment {
  readonly text: string;
  readonly values: readonly SqlValue[];
  constructor(text: string, values: readonly SqlValue[]) {
    this.text = text;
    this.values = values;
  }
}

/** Marks text that is part of the SQL. Other texts in a template are values and cannot change the SQL. */
export function raw(text: string, ...values: readonly SqlValue[]): SqlFragment {
  return new SqlFragment(text, values);
}

export function fragment(template: TemplateStringsArray, ...parts: readonly SqlPart[]): SqlFragment {
  return readStatement(template, parts);
}

export function joinFragments(all: readonly SqlFragment[], separator: string): SqlFragment {
  const text = all.map((one) => one.text).join(separator);
  return new SqlFragment(
    text,
    all.flatMap(({ values }) => values),
  );
}

export function readStatement(sql: SqlStatement, parts: readonly SqlPart[]): SqlFragment {
  if (typeof sql === 'string') return new SqlFragment(sql, parts as readonly SqlValue[]);
  if (!parts.some((part) => part instanceof SqlFragment)) return readStatement(sql.join('?'), parts);
  const fragments = parts.map((part) => (part instanceof SqlFragment ? part : raw('?', part)));
  const text = String.raw({ raw: sql }, ...fragments.map((one) => one.text));
  return new SqlFragment(
    text,
    fragments.flatMap(({ values }) => values),
  );
}
