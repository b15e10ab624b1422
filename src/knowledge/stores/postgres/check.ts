import type { Sql, StepGenerator } from '../../../storage/any-database.ts';
import type { DataProblem } from '../../../storage/data-problem.ts';
import { fragment } from '../../../storage/sql-template.ts';
import { buildEntryId, IS_LIVE_ROW_SQL } from '../entries/rows.ts';

const OWNERS_AT_ONCE = 100;
const NAMED = 1000;
const COUNTERS = ['records', 'passages', 'bytes', 'searched', 'words'] as const;
const SUM = (what: string, condition: string) => `coalesce(sum(${what}) FILTER (WHERE ${condition}), 0)`;
const IS_ENTRY = 'e.digest IS NOT NULL AND e.trash <= 0';
const OWNERS = `
  SELECT o.id, o.name, ${COUNTERS.map((name) => `o.${name} = counted.${name}`).join(' AND ')} AS right
  FROM kb_owners o, LATERAL (
    SELECT ${SUM('1', IS_ENTRY)} AS records, ${SUM('e.passages', IS_ENTRY)} AS passages, ${SUM('e.bytes', IS_ENTRY)} AS bytes,
      ${SUM('e.passages', IS_LIVE_ROW_SQL)} AS searched, ${SUM('e.words', IS_LIVE_ROW_SQL)} AS words
    FROM kb_entries e WHERE e.owner = o.id
  ) AS counted WHERE o.id > ? ORDER BY o.id LIMIT ?`;

const incomplete = (id: number) => fragment`
  SELECT e.at, e.file FROM kb_entries e WHERE e.owner = ${id} AND e.passages <> (
    SELECT count(*) FROM kb_passages p WHERE p.owner = ${id} AND p.id >= (CAST(${id} AS bigint) << 31) + e.first
      AND p.id < (CAST(${id} AS bigint) << 31) + e.first + e.passages)
  ORDER BY e.at LIMIT ${NAMED}`;
const unfound = (id: number) => fragment`
  SELECT count(*) AS n FROM kb_passages p WHERE p.owner = ${id} AND NOT EXISTS (
    SELECT 1 FROM kb_words w WHERE w.owner = ${id} AND w.id = p.id)`;
const stray = (id: number) => fragment`
  SELECT count(*) AS n FROM kb_halfvecs v WHERE v.owner = ${id} AND NOT EXISTS (
    SELECT 1 FROM kb_passages p WHERE p.owner = ${id} AND p.id = (v.id & ((CAST(1 AS bigint) << 55) - 1)))`;

export interface CheckedOwners {
  readonly problems: readonly DataProblem[];
  readonly owners: number;
  readonly last: number | undefined;
}

interface OwnerState {
  readonly id: number;
  readonly name: string;
  readonly right: number;
}

export function* checkOwners(sql: Sql, after: number): StepGenerator<CheckedOwners> {
  const owners = yield* sql.all<OwnerState>(OWNERS, after, OWNERS_AT_ONCE);
  const ids = owners.map(({ id }) => id);
  const lacking = yield* sql.allEach<{ at: number; file: string | null }>(ids.map(incomplete));
  const counts = yield* sql.allEach<{ n: number }>(ids.flatMap((id) => [unfound(id), stray(id)]));
  const problems = owners.flatMap(({ name, right }, at): DataProblem[] => {
    const missing = lacking[at] ?? [];
    const [words = 0, vectors = 0] = counts.slice(2 * at).map(([row]) => row?.n ?? 0);
    const found: DataProblem[] = [];
    if (!right) found.push({ part: 'counters', problem: `the counters of ${name} do not fit the entries` });
    if (missing.length > 0) {
      const ids = missing.map(({ at: time, file }) =>
        file === null ? buildEntryId(name, time) : `doc://${file}`,
      );
      const problem = `entries or files of ${name} lack passages: ${missing.length}`;
      found.push({ part: 'entries', problem, ids, lost: true });
    }
    if (words > 0) found.push({ part: 'words', problem: `passages of ${name} that no word finds: ${words}` });
    if (vectors > 0) {
      found.push({ part: 'vectors', problem: `vectors of ${name} whose passages are not there: ${vectors}` });
    }
    return found;
  });
  return { problems, owners: owners.length, last: owners.length < OWNERS_AT_ONCE ? undefined : ids.at(-1) };
}
