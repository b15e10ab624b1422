import type { Dialect, Sql } from '../../../storage/any-database.ts';
import { fragment, raw, type SqlFragment } from '../../../storage/sql-template.ts';

export const VECTOR_TABLES: Readonly<Record<Dialect, string>> = {
  sqlite: 'kb_vectors',
  postgres: 'kb_halfvecs',
};

/** Returns a condition for passages or vectors. In PostgreSQL it reads only the owner's partition. */
export function isOfOwner({ dialect }: Pick<Sql, 'dialect'>, owner: number, table = ''): SqlFragment {
  return dialect === 'sqlite' ? raw('TRUE') : fragment`${raw(table)}owner = ${owner}`;
}

/** Returns the SQL that joins an owner's entries `e` and passages `p`. */
export function fromOwnPassages({ dialect }: Pick<Sql, 'dialect'>, owner: number): SqlFragment {
  const partition = raw(dialect === 'sqlite' ? '' : ' AND p.owner = e.owner');
  return fragment`FROM kb_passages p JOIN kb_entries e ON e.owner = ${owner} AND e.at = p.entry${partition}`;
}

/** Selects an owner's passages by key: from one on, and up to another. */
export function fromPassages(
  sql: Pick<Sql, 'dialect'>,
  owner: number,
  from: number,
  to: number,
): SqlFragment {
  return fragment`FROM kb_passages WHERE ${isOfOwner(sql, owner)} AND id >= ${from} AND id < ${to}`;
}

/** Selects a model's vectors of an owner's passages from a key on and up to another. */
export function fromVectors(
  sql: Pick<Sql, 'dialect'>,
  owner: number,
  model: number,
  [from, to]: readonly [number, number],
): SqlFragment {
  const start = fragment`(CAST(${model} AS bigint) << 55)`;
  return fragment`FROM ${raw(VECTOR_TABLES[sql.dialect])} WHERE ${isOfOwner(sql, owner)}
    AND id >= (${start} | ${from}) AND id < (${start} | ${to})`;
}
