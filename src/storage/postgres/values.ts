import type { Value } from '../any-database.ts';

/**
 * PostgreSQL's text cannot hold NUL, and SQLite's can: an owner named "a\0" is another one than "a" on both. So NUL is
 * written as a character that no text has (Unicode has set it aside) and a digit, and that character itself too.
 */
const MARK = '\u{10fffe}';

/** A value as it is sent. */
export function sent(value: Value): Value {
  if (typeof value !== 'string' || !(value.includes('\0') || value.includes(MARK))) return value;
  return value.replaceAll(MARK, `${MARK}1`).replaceAll('\0', `${MARK}0`);
}

/** A text as it was before it was sent. */
export function received(text: string): string {
  return text.includes(MARK) ? text.replaceAll(`${MARK}0`, '\0').replaceAll(`${MARK}1`, MARK) : text;
}
