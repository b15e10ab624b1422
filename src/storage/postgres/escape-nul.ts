import type { SqlValue } from '../any-database.ts';

/** Character that replaces NUL, which PostgreSQL's text type cannot store. */
const MARK = '\u{10fffe}';

export function escapeNul(value: SqlValue): SqlValue {
  if (typeof value !== 'string' || !(value.includes('\0') || value.includes(MARK))) return value;
  return value.replaceAll(MARK, `${MARK}1`).replaceAll('\0', `${MARK}0`);
}

export function unescapeNul(text: string): string {
  return text.includes(MARK) ? text.replaceAll(`${MARK}0`, '\0').replaceAll(`${MARK}1`, MARK) : text;
}
