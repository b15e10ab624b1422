import type { Dialect } from '../../../storage/any-database.ts';

/** Name of the table of vectors. PostgreSQL stores them in a type that it compares itself. */
export const VECTORS: Readonly<Record<Dialect, string>> = { sqlite: 'kb_vectors', postgres: 'kb_halfvecs' };

/**
 * Builds SQL on passages, words or vectors of one owner. The owner's number is bound where `is` is inserted. PostgreSQL keeps an
 * owner's rows in one of 16 partitions and reads only that one. In SQLite the keys begin with the owner's number, and the value
 * is only tested once per statement.
 */
export function ofOwner(
  text: (is: string, dialect: Dialect) => string,
  table = '',
): Readonly<Record<Dialect, string>> {
  return { sqlite: text('? IS NOT NULL', 'sqlite'), postgres: text(`${table}owner = ?`, 'postgres') };
}

/** Builds SQL on the passages `p` of an entry `e` whose owner is given. In PostgreSQL `p` is limited to that owner. */
export function besideEntry(
  text: (ofEntry: string, dialect: Dialect) => string,
): Readonly<Record<Dialect, string>> {
  return { sqlite: text('', 'sqlite'), postgres: text(' AND p.owner = e.owner', 'postgres') };
}
