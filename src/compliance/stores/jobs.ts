import type { Selectable } from 'kysely';
import { NO_ROW_LIMIT, type StoreDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import { queryBuilder } from '../../storage/query-builder.ts';
import { deleteOwnRow } from '../../storage/rows.ts';
import type { ComplianceJobStore, JobInsertion, StoredJob } from '../assessing/job.ts';

interface JobTables {
  compliance_jobs: {
    id: string;
    owner: string;
    scope: string;
    runner: string;
    created_at: number;
    beat_at: number;
    progress: string;
    reason: string | null;
    terms: string | null;
  };
}

export function createJobStore(of: StoreDatabase): ComplianceJobStore {
  const db = toAnyDatabase(of);
  const query = queryBuilder<JobTables>(db);
  const updateRunning = (id: string) =>
    query.updateTable('compliance_jobs').where('id', '=', id).where('reason', 'is', null);

  return {
    insertJob(owner, { id, scope, createdAt, runner, terms = null }, limits) {
      return db.write(function* (sql) {
        yield* sql.lockName('compliance jobs');
        const running = (yield* sql.get<Pick<JobInsertion, 'ownRunning' | 'allRunning'>>(
          `SELECT count(*) AS "allRunning", count(CASE WHEN owner = ? THEN 1 END) AS "ownRunning"
           FROM compliance_jobs WHERE reason IS NULL`,
          owner,
        )) ?? { ownRunning: 0, allRunning: 0 };
        if (running.ownRunning >= limits.ownRunning || running.allRunning >= limits.allRunning) {
          return { ...running, inserted: false };
        }
        yield* sql.send(
          `INSERT INTO compliance_jobs (id, owner, scope, runner, created_at, beat_at, progress, terms)
           VALUES (?, ?, ?, ?, ?, ?, '', ?)`,
          id,
          owner,
          scope,
          runner,
          createdAt,
          createdAt,
          terms,
        );
        yield* sql.send(
          `DELETE FROM compliance_jobs WHERE id IN (
             SELECT id FROM compliance_jobs WHERE owner = ?1 ORDER BY created_at DESC, rowid DESC LIMIT ${NO_ROW_LIMIT} OFFSET ?2
           ) AND reason IS NOT NULL`,
          owner,
          limits.kept,
        );
        return { ...running, inserted: true };
      });
    },
    async readTerms(id) {
      const row = await query
        .selectFrom('compliance_jobs')
        .select(['id', 'owner', 'scope', 'terms'])
        .where('id', '=', id)
        .where('reason', 'is', null)
        .executeTakeFirst();
      return row && row.terms !== null ? { ...row, terms: row.terms } : undefined;
    },
    async takeJob(id, runner, at) {
      const { numUpdatedRows } = await updateRunning(id)
        .set({ runner, beat_at: at })
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
    async recordProgress(id, runner, progress, at) {
      const { numUpdatedRows } = await updateRunning(id)
        .where('runner', '=', runner)
        .set({ beat_at: at, progress })
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
    async failJob(id, reason, { beatAt, runner } = {}) {
      const { numUpdatedRows } = await updateRunning(id)
        .set({ reason, terms: null })
        .$if(beatAt !== undefined, (update) => update.where('beat_at', '=', beatAt ?? 0))
        .$if(runner !== undefined, (update) => update.where('runner', '=', runner ?? ''))
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
    ...readersOf(query),
    removeJob: (owner, id) => deleteOwnRow(db, 'compliance_jobs', owner, id),
  };
}

function readersOf(query: ReturnType<typeof queryBuilder<JobTables>>) {
  return {
    async readJob(owner, id) {
      const row = await query
        .selectFrom('compliance_jobs')
        .selectAll()
        .where('owner', '=', owner)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && jobOf(row);
    },
    async listJobs(owner) {
      const rows = await query
        .selectFrom('compliance_jobs')
        .selectAll()
        .where('owner', '=', owner)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute();
      return rows.map(jobOf);
    },
    async listRunning() {
      const rows = await query
        .selectFrom('compliance_jobs')
        .select(['id', 'runner', 'beat_at as beatAt', 'terms'])
        .where('reason', 'is', null)
        .orderBy('created_at')
        .execute();
      return rows.map(({ terms, ...job }) => ({ ...job, isShared: terms !== null }));
    },
  } satisfies Partial<ComplianceJobStore>;
}

function jobOf(row: Selectable<JobTables['compliance_jobs']>): StoredJob {
  const { id, scope, runner, created_at, beat_at, progress, reason, terms } = row;
  return {
    id,
    scope,
    runner,
    createdAt: created_at,
    beatAt: beat_at,
    isShared: terms !== null,
    progress,
    state: reason === null ? 'running' : 'failed',
    reason: reason ?? undefined,
  };
}
