import { checkOwners } from '../../knowledge/stores/postgres/check.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import type { DataProblem } from '../../storage/data-problem.ts';
import { wrongEncoding } from '../../storage/postgres/encoding.ts';
import { examinePostgres, type PostgresFacts } from '../../storage/postgres/examine.ts';
import { describeOldPgvector, describeOldPostgres } from '../../storage/postgres/oldest-versions.ts';
import type { TaskControl } from '../../storage/salvage.ts';

export interface DatabaseReport {
  readonly facts: PostgresFacts;
  /** Number of rows by kind of data. `counts` is empty if tables are missing or have another version. */
  readonly counts: Readonly<Record<string, number>>;
  readonly problems: readonly DataProblem[];
  readonly notes: readonly string[];
}

/** Query that adds up the counters of users, because counting passages would read millions of rows. */
const COUNTS = `
  SELECT count(*) AS users, coalesce(sum(records), 0) AS entries, coalesce(sum(searched), 0) AS passages,
    (SELECT count(*) FROM documents) AS files, (SELECT count(*) FROM pages) AS pages,
    (SELECT count(*) FROM monitors) AS monitors, (SELECT count(*) FROM access_keys) AS keys
  FROM kb_owners`;

const JOBS = "SELECT count(*) AS jobs FROM magpie_jobs.job WHERE state <= 'active'";

export function checkPostgres(url: string, whole: boolean, watch: TaskControl): Promise<DatabaseReport> {
  return examinePostgres(url, async ({ facts, read }) => {
    const problems = problemsOf(facts);
    const notes = notesOn(facts);
    if (facts.schema.done !== facts.schema.known) return { facts, counts: {}, problems, notes };
    const counts = {
      ...(await read((sql) => sql.get<Record<string, number>>(COUNTS))),
      ...(facts.jobs === 'tables' && (await read((sql) => sql.get<Record<string, number>>(JOBS)))),
    };
    let done = 0;
    for (let after: number | undefined = whole ? 0 : undefined; after !== undefined; ) {
      watch.signal.throwIfAborted();
      const last: number = after;
      const step = await read((sql) => checkOwners(sql, last));
      problems.push(...step.problems);
      done += step.owners;
      watch.progress(`${formatCount(done, 'user')} checked`);
      after = step.last;
    }
    return { facts, counts, problems, notes };
  });
}

function problemsOf({ major, version, encoding, schema, jobs, place }: PostgresFacts): DataProblem[] {
  const found: DataProblem[] = [];
  const add = (problem: string) => found.push({ part: 'database', problem });
  const old = describeOldPostgres({ version, major });
  if (old !== undefined) add(old);
  const wrong = wrongEncoding(encoding);
  if (wrong !== undefined) add(wrong);
  if (jobs === 'refused') {
    add(
      'it has no schema for jobs, and this user may not make it: its administrator runs CREATE SCHEMA magpie_jobs AUTHORIZATION and the name of this user',
    );
  }
  if (schema.done > schema.known) {
    add(
      `its tables are of version ${schema.done}, and this Magpie knows ${schema.known}: update Magpie on ${place}'s nodes`,
    );
  }
  return found;
}

function notesOn({ vectors: { created, offered } }: PostgresFacts): string[] {
  const version = created ?? offered;
  const old = version === undefined ? undefined : describeOldPgvector(version);
  return old === undefined ? [] : [old];
}
