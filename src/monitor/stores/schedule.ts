import { PROCESS_RUNNER_ID } from '../../lib/concurrency/runner.ts';
import {
  type AnyDatabase,
  jsonRows,
  type Sql,
  type StepGenerator,
  type StoreDatabase,
  skipLockedSql,
  toAnyDatabase,
} from '../../storage/any-database.ts';
import { hasRow, insertSql, readRows } from '../../storage/rows.ts';
import { fragment, joinFragments, raw } from '../../storage/sql-template.ts';
import type { FinishedProbe, LeaseStore, PlannedProbe, ProbeJob, ProbeScheduleStore } from '../store.ts';

const COLUMNS = 'id, monitor, target, sort, origin, every_ms AS "everyMs", due_at AS "dueAt"';
/** Value of `every_ms` that marks a running job as removed from the plan. */
const ENDED_INTERVAL_MS = 0;
/** Due time of a job that was removed from the plan. This time never comes. */
const NEVER_MS = 8.64e15;
const isFree = (
  db: Pick<AnyDatabase, 'dialect'>,
  except: readonly number[],
) => fragment`runner IS NULL AND every_ms > 0
  AND monitor NOT IN (SELECT CAST(value AS bigint) FROM ${jsonRows(db, except)})`;

const due = (db: AnyDatabase, except: readonly number[], now: number, limit: number) => fragment`
  SELECT id FROM monitor_jobs WHERE ${isFree(db, except)} AND due_at <= ${now} ORDER BY due_at, id LIMIT ${limit}`;

/** SQL condition for jobs that are due later than any plan allows, because the clock was set back. */
const TOO_FAR = 'runner IS NULL AND every_ms > 0 AND due_at > ?1 + every_ms * 3 / 2 + 1000';

export function createScheduleStore(of: StoreDatabase, runner = PROCESS_RUNNER_ID): ProbeScheduleStore {
  const db = toAnyDatabase(of);
  const { listHolders, ...leases } = createLeaseStore(db, 'monitor_jobs', runner);
  const release = (of: string, held: readonly number[]) =>
    db.write(function* (sql) {
      const isLost = fragment`runner = ${of}
        AND id NOT IN (SELECT CAST(value AS bigint) FROM ${jsonRows(sql, held)})`;
      yield* sql.send`DELETE FROM monitor_jobs WHERE ${isLost} AND every_ms = ${ENDED_INTERVAL_MS}`;
      yield* sql.send`UPDATE monitor_jobs SET runner = NULL WHERE ${isLost}`;
    });
  return {
    listHolders,
    releaseLeases: (of = runner) => release(of, []),
    releaseLost: (held) => release(runner, held),
    releaseExpired: leases.releaseExpired,
    planJobs: (monitor, jobs) => db.write((sql) => planJobs(sql, monitor, jobs)),
    listUpcoming: (monitor) =>
      readRows(
        db,
        `SELECT target, sort, due_at AS "dueAt" FROM monitor_jobs WHERE monitor = ? AND every_ms > 0
           ORDER BY due_at, id`,
        monitor,
      ),
    async takeDue({ limit, now, leaseMs, except, finished }) {
      // Reads first, because usually no job is due and no write is needed.
      const isDue = () => db.read((sql) => sql.get`${due(db, except, now, 1)}`);
      if (finished.length === 0 && !(await isDue())) return [];
      return db.write(function* (sql) {
        yield* recordFinished(sql, finished, runner);
        const untils = Object.entries(leaseMs).map(
          ([sort, ms]) => fragment`WHEN ${sort} THEN CAST(${now + ms} AS bigint)`,
        );
        // `MATERIALIZED` prevents PostgreSQL from running the inner query twice.
        const jobs = yield* sql.all<ProbeJob>`WITH batch (job) AS MATERIALIZED (
            ${due(db, except, now, limit)}${raw(skipLockedSql(db))})
          UPDATE monitor_jobs SET runner = ${runner}, leased_until = CASE sort ${joinFragments(untils, ' ')} END
          FROM batch WHERE id = job RETURNING ${raw(COLUMNS)}`;
        return jobs.sort((a, b) => a.dueAt - b.dueAt || a.id - b.id);
      });
    },
    finishJobs: (finished) => db.write((sql) => recordFinished(sql, finished, runner)),
    async nextDueAt(except) {
      const row = await db.read(
        (sql) => sql.get<{ at: number | null }>`SELECT min(due_at) AS at FROM monitor_jobs
          WHERE ${isFree(sql, except)}`,
      );
      return row?.at ?? undefined;
    },
    hasLeases: (now) =>
      hasRow(db, 'SELECT 1 FROM monitor_jobs WHERE runner IS NOT NULL AND leased_until > ? LIMIT 1', now),
    async bringForward(now) {
      if (!(await hasRow(db, `SELECT 1 FROM monitor_jobs WHERE ${TOO_FAR} LIMIT 1`, now))) return;
      await db.write((sql) =>
        sql.send(`UPDATE monitor_jobs SET due_at = ?1 + (due_at - ?1) % every_ms WHERE ${TOO_FAR}`, now),
      );
    },
  };
}

function* planJobs(sql: Sql, monitor: number, jobs: readonly PlannedProbe[]): StepGenerator<void> {
  const rows = yield* sql.all<ProbeJob>`SELECT ${raw(COLUMNS)} FROM monitor_jobs
    WHERE monitor = ${monitor}`;
  const before = new Map(rows.map((row) => [`${row.sort} ${row.target}`, row]));
  for (const { target, sort, everyMs, origin, firstAt } of jobs) {
    const known = before.get(`${sort} ${target}`);
    before.delete(`${sort} ${target}`);
    if (known?.everyMs === everyMs) continue;
    const row = { monitor, target, sort, every_ms: everyMs, origin, due_at: firstAt };
    yield* sql.send(...insertSql('monitor_jobs', row, ['monitor', 'target', 'sort']));
  }
  for (const { id } of before.values()) {
    yield* sql.send`DELETE FROM monitor_jobs WHERE id = ${id} AND runner IS NULL`;
    // A running job is only marked as removed. If it were deleted, a new plan could start it a second time.
    yield* sql.send`UPDATE monitor_jobs SET every_ms = ${ENDED_INTERVAL_MS}, due_at = ${NEVER_MS}
      WHERE id = ${id}`;
  }
}

function* recordFinished(sql: Sql, finished: readonly FinishedProbe[], runner: string): StepGenerator<void> {
  if (finished.length === 0) return;
  yield* sql.sendEach(
    'DELETE FROM monitor_jobs WHERE id = ? AND runner = ? AND every_ms = ?',
    finished.map(({ job }) => [job.id, runner, ENDED_INTERVAL_MS]),
  );
  yield* sql.sendEach(
    `UPDATE monitor_jobs SET runner = NULL, leased_until = NULL,
       due_at = CASE WHEN every_ms = ? AND origin = ? THEN ? ELSE due_at END
     WHERE id = ? AND runner = ?`,
    finished.map(({ job, nextAt }) => [job.everyMs, job.origin, nextAt, job.id, runner]),
  );
}

export function createLeaseStore(
  db: AnyDatabase,
  table: 'monitor_jobs' | 'monitor_messages',
  own: string,
): LeaseStore {
  return {
    listHolders: () =>
      readRows(
        db,
        `SELECT runner, min(leased_until) AS until FROM ${table} WHERE runner IS NOT NULL GROUP BY runner`,
      ),
    async releaseLeases(runner = own) {
      await db.write((sql) => sql.run`UPDATE ${raw(table)} SET runner = NULL WHERE runner = ${runner}`);
    },
    async releaseExpired(runner, now) {
      await db.write(
        (sql) =>
          sql.run`UPDATE ${raw(table)} SET runner = NULL WHERE runner = ${runner} AND leased_until < ${now}`,
      );
    },
  };
}
