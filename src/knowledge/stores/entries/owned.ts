import type { Dialect } from '../../../storage/any-database.ts';

/** The table of vectors; PostgreSQL has them as values that it compares itself. */
export const VECTORS: Readonly<Record<Dialect, string>> = { sqlite: 'kb_vectors', postgres: 'kb_halfvecs' };

/**
 * SQL on passages, words and vectors that names their owner: its value comes where `is` stands. PostgreSQL keeps an owner's rows in
 * one of 16 partitions, and asks that one alone. In SQLite the keys begin with the owner's number, and the value is tested
 * once a statement.
 */
export function ofOwner(
  text: (is: string, dialect: Dialect) => string,
  table = '',
): Readonly<Record<Dialect, string>> {
  return { sqlite: text('? IS NOT NULL', 'sqlite'), postgres: text(`${table}owner = ?`, 'postgres') };
}

/** The same beside an entry `e`, whose owner is named: the passages `p` are of that owner. */
export function besideEntry(
  text: (ofEntry: string, dialect: Dialect) => string,
): Readonly<Record<Dialect, string>> {
  return { sqlite: text('', 'sqlite'), postgres: text(' AND p.owner = e.owner', 'postgres') };
}
