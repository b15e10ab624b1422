import { legalOwner } from '../../storage/owner.ts';
import type { Database } from '../../storage/sqlite.ts';
import type { MonitorFinding } from '../finding.ts';
import type { MonitorState, MonitorStore, StoredMonitor, StoredResult } from '../store.ts';

interface Row {
  readonly id: number;
  readonly owner: string;
  readonly infrastructure: string;
  readonly state: MonitorState;
  readonly threshold: number;
  readonly interval_ms: number;
  readonly webhook: string | null;
  readonly started_at: number;
  readonly trouble: string | null;
}

interface ResultRow {
  readonly target: string;
  readonly check: string;
  readonly at: number;
  readonly seen_at: number | null;
  readonly unseen: string | null;
  readonly trouble: string | null;
  readonly findings: string;
  readonly measures: string;
  readonly points: string;
}

/** Days of looks that are kept. */
const DAYS = 90;
/** Changes back from the newest for which the removal of a monitor is remembered. */
const REMEMBERED = 10_000;

/** Monitors in SQLite. */
export function createSqliteMonitorStore(db: Database): MonitorStore {
  const touch = (key: number) =>
    void db.run(
      `INSERT OR REPLACE INTO monitor_changes (owner, infrastructure)
       SELECT owner, infrastructure FROM monitors WHERE id = ?`,
      key,
    );
  const byKey = (key: number) => optional(db.get<Row>('SELECT * FROM monitors WHERE id = ?', key));
  return {
    atomically: (work) => db.transactionSync(work),
    put(owner, id, { threshold, intervalMs, webhook }, at) {
      db.run(
        `INSERT INTO monitors (owner, infrastructure, state, threshold, interval_ms, webhook, started_at)
         VALUES (?, ?, 'active', ?, ?, ?, ?)
         ON CONFLICT (owner, infrastructure) DO UPDATE
         SET threshold = excluded.threshold, interval_ms = excluded.interval_ms, webhook = excluded.webhook,
             started_at = iif(state = 'active', started_at, excluded.started_at), state = 'active',
             trouble = NULL`,
        legalOwner(owner),
        id,
        threshold,
        intervalMs,
        webhook ?? null,
        at,
      );
      const made = this.get(owner, id);
      if (!made) throw new Error('a monitor that was just kept is not there');
      touch(made.key);
      return made;
    },
    get: (owner, id) =>
      optional(
        db.get<Row>('SELECT * FROM monitors WHERE owner = ? AND infrastructure = ?', legalOwner(owner), id),
      ),
    byKey,
    list: (owner) =>
      db
        .all<Row>('SELECT * FROM monitors WHERE owner = ? ORDER BY infrastructure', legalOwner(owner))
        .map(monitorOf),
    active: () => db.all<Row>("SELECT * FROM monitors WHERE state = 'active' ORDER BY id").map(monitorOf),
    setState(key, state) {
      db.run('UPDATE monitors SET state = ? WHERE id = ?', state, key);
      touch(key);
    },
    setTrouble(key, trouble) {
      db.run('UPDATE monitors SET trouble = ? WHERE id = ?', trouble ?? null, key);
      touch(key);
    },
    remove(key) {
      touch(key);
      db.run(
        `DELETE FROM monitor_changes AS c WHERE id <= (SELECT max(id) FROM monitor_changes) - ? AND NOT EXISTS (
           SELECT 1 FROM monitors AS m WHERE m.owner = c.owner AND m.infrastructure = c.infrastructure
         )`,
        REMEMBERED,
      );
      db.run(
        `UPDATE monitor_messages SET monitor = NULL, webhook = (SELECT webhook FROM monitors WHERE id = ?)
         WHERE monitor = ? AND state = 'waiting'`,
        key,
        key,
      );
      db.run('DELETE FROM monitors WHERE id = ?', key);
    },
    touch,
    changedSince(mark) {
      const rows = db.all<{ id: number; owner: string; infrastructure: string }>(
        'SELECT * FROM monitor_changes WHERE id > ? ORDER BY id',
        mark,
      );
      return {
        mark: rows.at(-1)?.id ?? mark,
        changes: rows.map(({ owner, infrastructure }) => ({ owner, id: infrastructure })),
      };
    },
    results: (key) =>
      db
        .all<ResultRow>('SELECT * FROM monitor_results WHERE monitor = ? ORDER BY target, "check"', key)
        .map(resultOf),
    result(key, target, check) {
      const row = db.get<ResultRow>(
        'SELECT * FROM monitor_results WHERE monitor = ? AND target = ? AND "check" = ?',
        key,
        target,
        check,
      );
      return row && resultOf(row);
    },
    tried: (key, since) =>
      db.all('SELECT target, "check" FROM monitor_results WHERE monitor = ? AND at >= ?', key, since),
    putResult(key, { target, check, at, seenAt, unseen, trouble, findings, measures, points }) {
      db.run(
        `INSERT OR REPLACE INTO monitor_results (monitor, target, "check", at, seen_at, unseen, trouble, findings,
           measures, points)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        key,
        target,
        check,
        at,
        seenAt ?? null,
        unseen === undefined ? null : plain(unseen),
        trouble === undefined ? null : plain(trouble),
        plain(JSON.stringify(findings)),
        JSON.stringify(measures),
        JSON.stringify(points),
      );
    },
    keepResults(key, isMade) {
      const known = db.all<{ target: string; check: string }>(
        'SELECT target, "check" FROM monitor_results WHERE monitor = ?',
        key,
      );
      for (const { target, check } of known) {
        if (isMade(target, check)) continue;
        db.run(
          'DELETE FROM monitor_results WHERE monitor = ? AND target = ? AND "check" = ?',
          key,
          target,
          check,
        );
      }
    },
    countLook(key, target, day, up) {
      const fresh = db.run(
        'UPDATE monitor_days SET looks = looks + 1, ups = ups + ? WHERE monitor = ? AND target = ? AND day = ?',
        Number(up),
        key,
        target,
        day,
      );
      if (fresh > 0) return;
      db.run(
        'DELETE FROM monitor_days WHERE monitor = ? AND target = ? AND day < ?',
        key,
        target,
        day - DAYS,
      );
      db.run(
        'INSERT INTO monitor_days (monitor, target, day, looks, ups) VALUES (?, ?, ?, 1, ?)',
        key,
        target,
        day,
        Number(up),
      );
    },
    uptime: (key, sinceDay) =>
      db.all(
        'SELECT target, sum(looks) AS looks, sum(ups) AS ups FROM monitor_days WHERE monitor = ? AND day >= ? GROUP BY target',
        key,
        sinceDay,
      ),
  };
}

function plain(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

function optional(row: Row | undefined): StoredMonitor | undefined {
  return row && monitorOf(row);
}

function monitorOf(row: Row): StoredMonitor {
  return {
    key: row.id,
    owner: row.owner,
    id: row.infrastructure,
    state: row.state,
    threshold: row.threshold,
    intervalMs: row.interval_ms,
    startedAt: row.started_at,
    webhook: row.webhook ?? undefined,
    trouble: row.trouble ?? undefined,
  };
}

function resultOf({ seen_at, unseen, trouble, findings, measures, points, ...row }: ResultRow): StoredResult {
  return {
    target: row.target,
    check: row.check,
    at: row.at,
    seenAt: seen_at ?? undefined,
    unseen: unseen ?? undefined,
    trouble: trouble ?? undefined,
    findings: JSON.parse(findings) as MonitorFinding[],
    measures: JSON.parse(measures) as Record<string, number | string>,
    points: JSON.parse(points) as Record<string, number>,
  };
}
