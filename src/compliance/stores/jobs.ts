import type { Database } from '../../storage/sqlite.ts';
import type { JobStore, StoredJob } from '../job.ts';

interface Row {
  readonly id: string;
  readonly scope: string;
  readonly runner: string;
  readonly created_at: number;
  readonly beat_at: number;
  readonly progress: string;
  readonly reason: string | null;
}

/** Jobs of compliance in SQLite: a row each until its check has results. */
export function createSqliteJobStore(db: Database): JobStore {
  return {
    add(owner, { id, scope, createdAt, runner }, keep) {
      db.transactionSync(() => {
        db.run(
          `INSERT INTO compliance_jobs (id, owner, scope, runner, created_at, beat_at, progress)
           VALUES (?, ?, ?, ?, ?, ?, '')`,
          id,
          owner,
          scope,
          runner,
          createdAt,
          createdAt,
        );
        db.run(
          `DELETE FROM compliance_jobs WHERE id IN (
             SELECT id FROM compliance_jobs WHERE owner = ?1 ORDER BY created_at DESC, rowid DESC LIMIT -1 OFFSET ?2
           ) AND reason IS NOT NULL`,
          owner,
          keep,
        );
      });
    },
    beat(id, progress, at) {
      db.run(
        'UPDATE compliance_jobs SET beat_at = ?, progress = ? WHERE id = ? AND reason IS NULL',
        at,
        progress,
        id,
      );
    },
    fail(id, reason) {
      db.run('UPDATE compliance_jobs SET reason = ? WHERE id = ? AND reason IS NULL', reason, id);
    },
    get(owner, id) {
      const row = db.get<Row>('SELECT * FROM compliance_jobs WHERE owner = ? AND id = ?', owner, id);
      return row && jobOf(row);
    },
    remove: (owner, id) => db.run('DELETE FROM compliance_jobs WHERE owner = ? AND id = ?', owner, id) > 0,
  };
}

function jobOf({ id, scope, runner, created_at, beat_at, progress, reason }: Row): StoredJob {
  return {
    id,
    scope,
    runner,
    createdAt: created_at,
    beatAt: beat_at,
    progress,
    state: reason === null ? 'running' : 'failed',
    reason: reason ?? undefined,
  };
}
