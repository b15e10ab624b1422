import type { Database } from '../../storage/sqlite.ts';
import type { ClearReason } from '../alerts.ts';
import type { MonitorFinding } from '../finding.ts';
import type { AlertStore, StoredAlert } from '../store.ts';

interface Row {
  readonly id: number;
  readonly fingerprint: string;
  readonly finding: string;
  readonly raised_at: number;
  readonly cleared_at: number | null;
  readonly reason: ClearReason | null;
  readonly good: number;
  readonly flapping: number;
}

/** Alerts that are kept of one monitor. */
const KEPT = 1000;

/** Alerts in SQLite. */
export function createSqliteAlertStore(db: Database): AlertStore {
  return {
    open: (key, target, check) =>
      db
        .all<Row>(
          `SELECT * FROM monitor_alerts WHERE monitor = ? AND target = ? AND "check" = ? AND cleared_at IS NULL`,
          key,
          target,
          check,
        )
        .map(({ id, fingerprint, good, flapping }) => ({ id, fingerprint, good, flapping: flapping === 1 })),
    standing: (key) =>
      db.all(
        'SELECT id, target, "check" FROM monitor_alerts WHERE monitor = ? AND cleared_at IS NULL ORDER BY id',
        key,
      ),
    raise(key, check, finding, flapping, at) {
      db.run(
        `DELETE FROM monitor_alerts WHERE cleared_at IS NOT NULL AND id IN (
           SELECT id FROM monitor_alerts WHERE monitor = ? ORDER BY raised_at DESC, id DESC LIMIT -1 OFFSET ?
         )`,
        key,
        KEPT - 1,
      );
      const row = db.get<{ id: number }>(
        `INSERT INTO monitor_alerts (monitor, "check", target, fingerprint, finding, raised_at, flapping)
         VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
        key,
        check,
        finding.target,
        finding.fingerprint,
        JSON.stringify(finding).replaceAll('\0', '').toWellFormed(),
        at,
        Number(flapping),
      );
      return row?.id ?? 0;
    },
    setGood: (alert, good) => void db.run('UPDATE monitor_alerts SET good = ? WHERE id = ?', good, alert),
    clear(alert, at, reason) {
      db.run('UPDATE monitor_alerts SET cleared_at = ?, reason = ? WHERE id = ?', at, reason, alert);
    },
    get(alert) {
      const row = db.get<Row>('SELECT * FROM monitor_alerts WHERE id = ?', alert);
      return row && alertOf(row);
    },
    raisedSince: (key, fingerprint, since) =>
      db.get<{ count: number }>(
        `SELECT count(*) AS count FROM monitor_alerts WHERE monitor = ? AND fingerprint = ? AND raised_at >= ?
         AND coalesce(reason, 'recovered') = 'recovered'`,
        key,
        fingerprint,
        since,
      )?.count ?? 0,
    list: (key, limit) =>
      db
        .all<Row>(
          `SELECT * FROM monitor_alerts WHERE monitor = ?
           ORDER BY cleared_at IS NOT NULL, raised_at DESC, id DESC LIMIT ?`,
          key,
          limit,
        )
        .map(alertOf),
    openCount: (key) =>
      db.get<{ count: number }>(
        'SELECT count(*) AS count FROM monitor_alerts WHERE monitor = ? AND cleared_at IS NULL',
        key,
      )?.count ?? 0,
  };
}

function alertOf({
  id,
  fingerprint,
  finding,
  raised_at,
  cleared_at,
  reason,
  good,
  flapping,
}: Row): StoredAlert {
  return {
    id,
    fingerprint,
    good,
    flapping: flapping === 1,
    finding: JSON.parse(finding) as MonitorFinding,
    raisedAt: raised_at,
    clearedAt: cleared_at ?? undefined,
    reason: reason ?? undefined,
  };
}
