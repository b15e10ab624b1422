import type { Value } from '../any-database.ts';

/**
 * Character that escapes NUL, which PostgreSQL's text cannot hold but SQLite's can (an owner "a\0" differs from "a"). NUL is
 * stored as this character, which Unicode reserves as a noncharacter, and a digit; the character itself is escaped too.
 */
const MARK = '\u{10fffe}';

/** Escapes a value before it is sent. */
export function sent(value: Value): Value {
  if (typeof value !== 'string' || !(value.includes('\0') || value.includes(MARK))) return value;
  return value.replaceAll(MARK, `${MARK}1`).replaceAll('\0', `${MARK}0`);
}

/** Restores the original text of a received value. */
export function received(text: string): string {
  return text.includes(MARK) ? text.replaceAll(`${MARK}0`, '\0').replaceAll(`${MARK}1`, MARK) : text;
}
