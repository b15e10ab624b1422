import type { Dialect } from '../../../storage/any-database.ts';

/** Names of the table of vectors. PostgreSQL stores vectors in a type that it compares itself. */
export const VECTOR_TABLES: Readonly<Record<Dialect, string>> = {
  sqlite: 'kb_vectors',
  postgres: 'kb_halfvecs',
};

/**
 * Builds SQL on one owner's passages, words or vectors. The owner's number is bound at `is`. In PostgreSQL an owner is in one of
 * 16 partitions. In SQLite the keys begin with the owner's number.
 */
export function buildOwnerSql(
  text: (is: string, dialect: Dialect) => string,
  table = '',
): Readonly<Record<Dialect, string>> {
  return { sqlite: text('? IS NOT NULL', 'sqlite'), postgres: text(`${table}owner = ?`, 'postgres') };
}

/** Builds SQL on the passages `p` of an entry `e` whose owner is given. In PostgreSQL, limits `p` to the owner's partition. */
export function buildEntryJoinSql(
  text: (ofEntry: string, dialect: Dialect) => string,
): Readonly<Record<Dialect, string>> {
  return { sqlite: text('', 'sqlite'), postgres: text(' AND p.owner = e.owner', 'postgres') };
}
