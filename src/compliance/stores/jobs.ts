import { NO_ROW_LIMIT, type StoreDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import { deleteOwnRow, readFirstRow, readRows } from '../../storage/rows.ts';
import { fragment, joinFragments, raw, type SqlFragment } from '../../storage/sql-template.ts';
import type { ComplianceJobStore, JobInsertion, StoredJob } from '../assessing/job.ts';

interface JobRow {
  readonly id: string;
  readonly scope: string;
  readonly runner: string;
  readonly created_at: number;
  readonly beat_at: number;
  readonly progress: string;
  readonly reason: string | null;
  readonly terms: string | null;
}

export function createJobStore(of: StoreDatabase): ComplianceJobStore {
  const db = toAnyDatabase(of);
  const updateRunning = (id: string, set: SqlFragment, only = raw('')) =>
    db.write(function* (sql) {
      const changed = yield* sql.run`UPDATE compliance_jobs SET ${set} WHERE id = ${id}
        AND reason IS NULL ${only}`;
      return changed > 0;
    });

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
        yield* sql.send`INSERT INTO compliance_jobs (id, owner, scope, runner, created_at, beat_at,
          progress, terms) VALUES (${id}, ${owner}, ${scope}, ${runner}, ${createdAt}, ${createdAt}, '',
          ${terms})`;
        yield* sql.send`DELETE FROM compliance_jobs WHERE id IN (SELECT id FROM compliance_jobs
          WHERE owner = ${owner}
          ORDER BY created_at DESC, rowid DESC LIMIT ${raw(NO_ROW_LIMIT)} OFFSET ${limits.kept})
          AND reason IS NOT NULL`;
        return { ...running, inserted: true };
      });
    },
    readTerms: (id) =>
      db.read(
        (sql) => sql.get`SELECT id, owner, scope, terms FROM compliance_jobs
          WHERE id = ${id} AND reason IS NULL AND terms IS NOT NULL`,
      ),
    takeJob: (id, runner, at) => updateRunning(id, fragment`runner = ${runner}, beat_at = ${at}`),
    recordProgress: (id, runner, progress, at) =>
      updateRunning(id, fragment`beat_at = ${at}, progress = ${progress}`, fragment`AND runner = ${runner}`),
    failJob(id, reason, { beatAt, runner } = {}) {
      const only = [
        ...(beatAt === undefined ? [] : [fragment`AND beat_at = ${beatAt}`]),
        ...(runner === undefined ? [] : [fragment`AND runner = ${runner}`]),
      ];
      return updateRunning(id, fragment`reason = ${reason}, terms = NULL`, joinFragments(only, ' '));
    },
    async readJob(owner, id) {
      const text = 'SELECT * FROM compliance_jobs WHERE owner = ? AND id = ?';
      const row = await readFirstRow<JobRow>(db, text, owner, id);
      return row && jobOf(row);
    },
    async listJobs(owner) {
      const text = 'SELECT * FROM compliance_jobs WHERE owner = ? ORDER BY created_at DESC, id';
      return (await readRows<JobRow>(db, text, owner)).map(jobOf);
    },
    async listRunning() {
      const text = 'SELECT * FROM compliance_jobs WHERE reason IS NULL ORDER BY created_at';
      return (await readRows<JobRow>(db, text)).map(({ id, runner, beat_at: beatAt, terms }) => {
        return { id, runner, beatAt, isShared: terms !== null };
      });
    },
    removeJob: (owner, id) => deleteOwnRow(db, 'compliance_jobs', owner, id),
  };
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
