import {
  type AnyDatabase,
  NO_ROW_LIMIT,
  type StoreDatabase,
  toAnyDatabase,
} from '../../storage/any-database.ts';
import { deleteOwnRow } from '../../storage/rows.ts';
import { fragment, raw, type SqlFragment } from '../../storage/sql-template.ts';
import type { ComplianceJobStore, JobInsertion, StoredJob } from '../assessing/job.ts';

interface JobRow extends Pick<StoredJob, 'id' | 'scope' | 'runner'> {
  readonly owner: string;
  readonly created_at: number;
  readonly beat_at: number;
  readonly progress: string;
  readonly reason: string | null;
  readonly terms: string | null;
}

export function createJobStore(of: StoreDatabase): ComplianceJobStore {
  const db = toAnyDatabase(of);
  const updateRunning = async (id: string, set: SqlFragment, isWanted = raw('TRUE')): Promise<boolean> =>
    (await db.write(
      (sql) => sql.run`UPDATE compliance_jobs SET ${set} WHERE id = ${id} AND reason IS NULL AND ${isWanted}`,
    )) > 0;

  return {
    insertJob(owner, { id, scope, createdAt, runner, terms = null }, limits) {
      return db.write(function* (sql) {
        yield* sql.lockName('compliance jobs');
        const running = (yield* sql.get<Pick<JobInsertion, 'ownRunning' | 'allRunning'>>`SELECT
          count(*) AS "allRunning", count(CASE WHEN owner = ${owner} THEN 1 END) AS "ownRunning"
          FROM compliance_jobs WHERE reason IS NULL`) ?? { ownRunning: 0, allRunning: 0 };
        if (running.ownRunning >= limits.ownRunning || running.allRunning >= limits.allRunning) {
          return { ...running, inserted: false };
        }
        yield* sql.send`INSERT INTO compliance_jobs (id, owner, scope, runner, created_at, beat_at, progress,
          terms)
          VALUES (${id}, ${owner}, ${scope}, ${runner}, ${createdAt}, ${createdAt}, '', ${terms})`;
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
      const row = await db.read(
        (sql) => sql.get<Pick<JobRow, 'id' | 'owner' | 'scope' | 'terms'>>`SELECT id, owner, scope, terms
          FROM compliance_jobs WHERE id = ${id} AND reason IS NULL`,
      );
      return row && row.terms !== null ? { ...row, terms: row.terms } : undefined;
    },
    takeJob: (id, runner, at) => updateRunning(id, fragment`runner = ${runner}, beat_at = ${at}`),
    recordProgress: (id, runner, progress, at) =>
      updateRunning(id, fragment`beat_at = ${at}, progress = ${progress}`, fragment`runner = ${runner}`),
    failJob(id, reason, { beatAt, runner } = {}) {
      const hasBeat = beatAt === undefined ? raw('TRUE') : fragment`beat_at = ${beatAt}`;
      const isOfRunner = runner === undefined ? raw('TRUE') : fragment`runner = ${runner}`;
      const set = fragment`reason = ${reason}, terms = NULL`;
      return updateRunning(id, set, fragment`${hasBeat} AND ${isOfRunner}`);
    },
    ...readersOf(db),
    removeJob: (owner, id) => deleteOwnRow(db, 'compliance_jobs', owner, id),
  };
}

function readersOf(db: AnyDatabase) {
  return {
    async readJob(owner, id) {
      const row = await db.read(
        (sql) => sql.get<JobRow>`SELECT * FROM compliance_jobs WHERE owner = ${owner} AND id = ${id}`,
      );
      return row && jobOf(row);
    },
    async listJobs(owner) {
      const rows = await db.read(
        (sql) => sql.all<JobRow>`SELECT * FROM compliance_jobs WHERE owner = ${owner}
          ORDER BY created_at DESC, id`,
      );
      return rows.map(jobOf);
    },
    async listRunning() {
      const rows = await db.read(
        (sql) =>
          sql.all<Pick<StoredJob, 'id' | 'runner' | 'beatAt'> & Pick<JobRow, 'terms'>>`SELECT id, runner,
            beat_at AS "beatAt", terms FROM compliance_jobs WHERE reason IS NULL ORDER BY created_at`,
      );
      return rows.map(({ terms, ...job }) => ({ ...job, isShared: terms !== null }));
    },
  } satisfies Partial<ComplianceJobStore>;
}

function jobOf(row: JobRow): StoredJob {
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
