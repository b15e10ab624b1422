import type { Dialect } from '../../../storage/any-database.ts';

export const VECTOR_TABLES: Readonly<Record<Dialect, string>> = {
  sqlite: 'kb_vectors',
  postgres: 'kb_halfvecs',
};

export function buildOwnerSql(
  text: (is: string, dialect: Dialect) => string,
  table = '',
): Readonly<Record<Dialect, string>> {
  return { sqlite: text('? IS NOT NULL', 'sqlite'), postgres: text(`${table}owner = ?`, 'postgres') };
}

/** Builds SQL that joins entries `e` and passages `p`. In PostgreSQL it reads only the owner's partition. */
export function buildEntryJoinSql(
  text: (ofEntry: string, dialect: Dialect) => string,
): Readonly<Record<Dialect, string>> {
  return { sqlite: text('', 'sqlite'), postgres: text(' AND p.owner = e.owner', 'postgres') };
}
