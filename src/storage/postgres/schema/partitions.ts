/** Parts of a table that grows with what users keep: one owner's rows lie in one of them. */
const PARTITIONS = 16;

/** The partitions of a table that is declared with `PARTITION BY HASH (owner)`. */
export function partitionsOf(table: string): string {
  return Array.from(
    { length: PARTITIONS },
    (_, at) =>
      `CREATE TABLE ${table}_${at} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${at});`,
  ).join('\n');
}
