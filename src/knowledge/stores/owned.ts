import type { Dialect } from '../../storage/any-database.ts';

/**
 * SQL on passages, words and vectors that names their owner: its value comes where `is` stands. PostgreSQL keeps an owner's rows in
 * one of 16 partitions, and asks that one alone. In SQLite the keys begin with the owner's number, and the value is tested
 * once a statement.
 */
export function ofOwner(text: (is: string) => string, table = ''): Readonly<Record<Dialect, string>> {
  return { sqlite: text('? IS NOT NULL'), postgres: text(`${table}owner = ?`) };
}

/** The same beside an entry `e`, whose owner is named: the passages `p` are of that owner. */
export function besideEntry(
  text: (ofEntry: string, dialect: Dialect) => string,
): Readonly<Record<Dialect, string>> {
  return { sqlite: text('', 'sqlite'), postgres: text(' AND p.owner = e.owner', 'postgres') };
}
