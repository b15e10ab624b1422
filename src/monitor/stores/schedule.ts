import { createHash } from 'node:crypto';
import { isGone, RUNNER } from '../../lib/runner.ts';
import type { Logger } from '../../log.ts';
import type { Database } from '../../storage/sqlite.ts';
import type { Sort } from '../check.ts';
import { createPump, type Pump } from '../pump.ts';
import { type Job, nextDue, type Schedule } from '../schedule.ts';

export interface SqliteScheduleOptions {
  readonly db: Database;
  readonly log: Logger;
  /** Jobs at once. */
  readonly atOnce: number;
  /** Milliseconds that one job of each sort may take. */
  readonly limits: Readonly<Record<Sort, number>>;
  /** Which process this is; a test may be several. */
  readonly runner?: string;
}

/** Milliseconds between the first looks of a monitor's targets. */
const APART = 100;
/** Stands for an interval where a job is planned no more, but still under way: it is deleted when that ends. */
const OVER = 0;
/** When such a job falls due; milliseconds since the epoch. */
const NEVER = 8.64e15;
/** Milliseconds beyond its limit that a job is still taken for running. */
const SLACK = 5000;

interface Row {
  readonly id: number;
  readonly monitor: number;
  readonly target: string;
  readonly sort: Sort;
  readonly every_ms: number;
  readonly origin: number;
  readonly due_at: number;
}

/** The schedule in SQLite, shared by all processes on a data folder. */
export function createSqliteSchedule(options: SqliteScheduleOptions): Schedule {
  const { db, log, atOnce, limits, runner = RUNNER } = options;
  let pump: Pump | undefined;
  let others: () => readonly number[] = () => [];

  /** Free jobs that are this process's business. */
  const MINE = 'runner IS NULL AND monitor NOT IN (SELECT value FROM json_each(?))';

  /** Jobs that are done, whose next time is written down with the next that are taken. */
  let finished: Row[] = [];

  function take(limit: number): Row[] {
    const now = Date.now();
    const due = `SELECT * FROM monitor_jobs WHERE ${MINE} AND due_at <= ? ORDER BY due_at LIMIT ?`;
    const left = JSON.stringify(others());
    // Most looks find nothing: those write nothing.
    if (finished.length === 0 && db.all(due, left, now, 1).length === 0) return [];
    const taken = db.transactionSync(() => {
      writeFinished();
      const rows = db.all<Row>(due, left, now, limit);
      for (const { id, sort } of rows) {
        const until = now + limits[sort] + SLACK;
        db.run('UPDATE monitor_jobs SET runner = ?, leased_until = ? WHERE id = ?', runner, until, id);
      }
      return rows;
    });
    finished = [];
    return taken;
  }

  /** Their next time, unless the plan has changed meanwhile; within a transaction. */
  function writeFinished(): void {
    const now = Date.now();
    for (const { id, origin, every_ms, due_at } of finished) {
      db.run('DELETE FROM monitor_jobs WHERE id = ? AND runner = ? AND every_ms = ?', id, runner, OVER);
      const next = nextDue(origin, every_ms, due_at, now);
      db.run(
        `UPDATE monitor_jobs SET runner = NULL, leased_until = NULL,
           due_at = iif(every_ms = ? AND origin = ?, ?, due_at)
         WHERE id = ? AND runner = ?`,
        every_ms,
        origin,
        next,
        id,
        runner,
      );
    }
  }

  /** Reads first: where nobody is gone, nothing is written. */
  function tidy(): void {
    const now = Date.now();
    // Others may do the work by now, so that nothing more is taken.
    if (finished.length > 0) {
      db.transactionSync(writeFinished);
      finished = [];
    }
    for (const table of ['monitor_jobs', 'monitor_messages']) {
      const holders = db.all<{ runner: string; until: number }>(
        `SELECT runner, min(leased_until) AS until FROM ${table} WHERE runner IS NOT NULL GROUP BY runner`,
      );
      for (const { runner: holder, until } of holders) {
        // How long it has been silent says nothing here: the lease bounds that.
        if (holder !== runner && isGone(holder, 0)) {
          db.run(`UPDATE ${table} SET runner = NULL WHERE runner = ?`, holder);
        } else if (until < now) {
          db.run(`UPDATE ${table} SET runner = NULL WHERE runner = ? AND leased_until < ?`, holder, now);
        }
      }
    }
  }

  return {
    plan(monitor, plans) {
      const now = Date.now();
      db.transactionSync(() => {
        const before = new Map(
          db
            .all<Row>('SELECT * FROM monitor_jobs WHERE monitor = ?', monitor)
            .map((row) => [`${row.sort} ${row.target}`, row]),
        );
        plans.forEach(({ target, sort, everyMs }, index) => {
          const known = before.get(`${sort} ${target}`);
          before.delete(`${sort} ${target}`);
          if (known?.every_ms === everyMs) return;
          const phase = (fractionOf(monitor) + index / plans.length) % 1;
          const origin = Math.round(now + phase * everyMs);
          const first = now + Math.round(index * Math.min(APART, everyMs / plans.length));
          db.run(
            `INSERT INTO monitor_jobs (monitor, target, sort, every_ms, origin, due_at) VALUES (?, ?, ?, ?, ?, ?)
             ON CONFLICT (monitor, target, sort) DO UPDATE
             SET every_ms = excluded.every_ms, origin = excluded.origin, due_at = excluded.due_at`,
            monitor,
            target,
            sort,
            everyMs,
            origin,
            first,
          );
        });
        for (const { id } of before.values()) {
          db.run('DELETE FROM monitor_jobs WHERE id = ? AND runner IS NULL', id);
          // Planned again before it has ended, it must not be done twice at once.
          db.run('UPDATE monitor_jobs SET every_ms = ?, due_at = ? WHERE id = ?', OVER, NEVER, id);
        }
      });
      pump?.wake();
    },
    upcoming: (monitor) =>
      db
        .all<Row>('SELECT * FROM monitor_jobs WHERE monitor = ? AND every_ms > 0 ORDER BY due_at', monitor)
        .map(({ target, sort, due_at }) => ({ target, sort, dueAt: due_at })),
    isWorked() {
      const held = 'SELECT 1 FROM monitor_jobs WHERE runner IS NOT NULL AND leased_until > ? LIMIT 1';
      return pump !== undefined || db.all(held, Date.now()).length > 0;
    },
    work(run, leaves = () => [], isLeft = () => false) {
      others = leaves;
      pump ??= createPump<Row>({
        take,
        nextAt: () =>
          db.get<{ at: number | null }>(
            `SELECT min(due_at) AS at FROM monitor_jobs WHERE ${MINE}`,
            JSON.stringify(others()),
          )?.at ?? undefined,
        tidy,
        atOnce,
        isLeft,
        log,
        async run(row, signal) {
          const limit = AbortSignal.any([signal, AbortSignal.timeout(limits[row.sort])]);
          try {
            await run(jobOf(row), limit);
          } finally {
            // Broken off by the end of this process, it is still due.
            if (!signal.aborted) finished.push(row);
          }
        },
      });
    },
    wake: () => pump?.wake(),
    async close() {
      await pump?.close();
      if (!pump) return;
      db.transactionSync(() => {
        writeFinished();
        db.run('UPDATE monitor_jobs SET runner = NULL WHERE runner = ?', runner);
      });
    },
  };
}

function jobOf({ monitor, target, sort, every_ms, due_at }: Row): Job {
  return { monitor, target, sort, everyMs: every_ms, dueAt: due_at };
}

/** The same for the same monitor, and even over many: monitors that begin together do not stay together. */
function fractionOf(monitor: number): number {
  return createHash('sha256').update(String(monitor)).digest().readUInt32BE(0) / 2 ** 32;
}
