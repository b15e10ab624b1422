/** Number of partitions of a table with users' data. All rows of an owner are in one partition. */
const PARTITIONS = 16;

export function partitionsOf(table: string): string {
  return Array.from(
    { length: PARTITIONS },
    (_, at) =>
      `CREATE TABLE ${table}_${at} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${at});`,
  ).join('\n');
}
