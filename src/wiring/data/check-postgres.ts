import { checkOwners } from '../../knowledge/stores/postgres/check.ts';
import { counted } from '../../lib/text/counted.ts';
import type { DataProblem } from '../../storage/data-problem.ts';
import { wrongEncoding } from '../../storage/postgres/encoding.ts';
import { examinePostgres, type PostgresFacts } from '../../storage/postgres/examine.ts';
import { oldPgvector, oldPostgres } from '../../storage/postgres/oldest.ts';
import type { Watch } from '../../storage/salvage.ts';

/** What was found in a database of PostgreSQL. */
export interface DatabaseReport {
  readonly facts: PostgresFacts;
  /** Rows by what they are; empty where the tables are not there or of another version. */
  readonly counts: Readonly<Record<string, number>>;
  readonly problems: readonly DataProblem[];
  /** What works, and is to be known. */
  readonly notes: readonly string[];
}

/** From the counters of owners and entries, since counting millions of passages reads all of them. */
const COUNTS = `
  SELECT count(*) AS users, coalesce(sum(records), 0) AS entries, coalesce(sum(searched), 0) AS passages,
    (SELECT count(*) FROM documents) AS files, (SELECT count(*) FROM pages) AS pages,
    (SELECT count(*) FROM monitors) AS monitors, (SELECT count(*) FROM access_keys) AS keys
  FROM kb_owners`;

/** Jobs that wait for a node or are run by one. */
const JOBS = "SELECT count(*) AS jobs FROM magpie_jobs.job WHERE state <= 'active'";

/** Checks the database of a URL. It changes nothing and may run beside servers; `whole` compares the rows of all users too. */
export function checkPostgres(url: string, whole: boolean, watch: Watch): Promise<DatabaseReport> {
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
      watch.progress(`${counted(done, 'user')} checked`);
      after = step.last;
    }
    return { facts, counts, problems, notes };
  });
}

function problemsOf({ major, version, encoding, schema, jobs, place }: PostgresFacts): DataProblem[] {
  const found: DataProblem[] = [];
  const add = (problem: string) => found.push({ part: 'database', problem });
  const old = oldPostgres({ version, major });
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

/** What is not created yet comes in the version that the server offers. */
function notesOn({ vectors: { created, offered } }: PostgresFacts): string[] {
  const version = created ?? offered;
  const old = version === undefined ? undefined : oldPgvector(version);
  return old === undefined ? [] : [old];
}
