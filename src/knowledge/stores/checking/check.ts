import type { DataProblem } from '../../../storage/data-problem.ts';
import { isDamage, type KeyHint, type TaskControl } from '../../../storage/salvage.ts';
import { inStatementTransaction, type Statements } from '../../../storage/sqlite.ts';
import {
  checkCounters,
  checkVectors,
  emptyWordIndex,
  fillWordIndex,
  isWordIndexSound,
} from './check-derived.ts';
import {
  type Check,
  checkEntries,
  checkOrphans,
  recoveredName,
  reportMissingEntries,
} from './check-entries.ts';

/** Keys that other tables refer to. They find rows that damage has cut off. */
export const ENTRY_KEYS: readonly KeyHint[] = [
  {
    table: 'kb_entries',
    sql: `SELECT DISTINCT p.id >> 31, p.entry FROM kb_passages p
      WHERE NOT EXISTS (SELECT 1 FROM kb_entries e WHERE e.owner = p.id >> 31 AND e.at = p.entry)`,
  },
  {
    table: 'kb_passages',
    sql: `WITH RECURSIVE wanted (id, last) AS (
        SELECT (owner << 31) + first, (owner << 31) + first + passages - 1 FROM kb_entries WHERE passages > 0
        UNION ALL SELECT id + 1, last FROM wanted WHERE id < last)
      SELECT id FROM wanted WHERE id NOT IN (SELECT id FROM kb_passages)`,
  },
];
export const ENTRY_TABLES: readonly string[] = [
  'kb_owners',
  'kb_entries',
  'kb_passages',
  'kb_models',
  'kb_embedded',
  'kb_vectors',
  'kb_changes',
];

export interface CheckOptions {
  /** True to repair damage where possible. Nothing else may use the database during the repair. */
  readonly mend: boolean;
  readonly recover?: boolean;
}

/** Checks the tables of the knowledge base. Skips unreadable data, which another check reports as damage of the file. */
export async function checkKnowledge(
  sql: Statements,
  { mend, recover = false }: CheckOptions,
  watch: TaskControl,
) {
  const problems: DataProblem[] = [];
  const files: { owner: number; name?: string }[] = [];
  const check: Check = {
    ...{ sql, mend, recover, watch },
    step: (work) => (mend ? inStatementTransaction(sql, work) : work()),
    report: (problem) => void problems.push(problem),
    reindex: (owner, name) => void files.push({ owner, ...(name !== undefined && { name }) }),
  };
  watch.progress('checking the index of words');
  const sound = recover || isWordIndexSound(check);
  if (!sound)
    check.report({ part: 'words', problem: 'the index of words is damaged, or does not fit the texts' });
  if (mend && !sound) emptyWordIndex(check);
  if (mend) nameOwners(check);
  await readable(() => checkOrphans(check));
  if (mend) nameOwners(check);
  if (recover) reportMissingEntries(check);
  await readable(() => checkEntries(check));
  watch.progress('checking vectors');
  await readable(() => checkVectors(check));
  if (mend && (recover || !sound)) await fillWordIndex(check);
  await readable(() => checkCounters(check));
  const names = new Map(readOwners(sql).map(({ id, name }) => [id, name]));
  return {
    problems,
    files: files.map(({ owner, name }) => ({ owner: names.get(owner) ?? recoveredName(owner), name })),
  };
}

function readOwners(sql: Statements): { id: number; name: string }[] {
  try {
    return sql.all('SELECT id, name FROM kb_owners');
  } catch (error) {
    if (isDamage(error)) return [];
    throw error;
  }
}

async function readable(work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

function nameOwners({ sql, report, step }: Check): void {
  step(() => {
    const lost = sql.all<{ owner: number }>(
      'SELECT DISTINCT owner FROM kb_entries WHERE owner NOT IN (SELECT id FROM kb_owners)',
    );
    for (const { owner } of lost) {
      sql.run('INSERT INTO kb_owners (id, name) VALUES (?, ?)', owner, recoveredName(owner));
      report({
        part: 'entries',
        problem: `the name of a user is lost: the entries are now those of ${recoveredName(owner)} (MAGPIE_USER)`,
        lost: true,
      });
    }
    sql.run(
      `UPDATE kb_owners SET next = max(kb_owners.next, c.next) FROM (
         SELECT owner, max(first + passages) AS next FROM kb_entries GROUP BY owner) c WHERE c.owner = kb_owners.id`,
    );
  });
}
