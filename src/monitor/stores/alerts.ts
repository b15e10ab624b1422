import {
  type AnyDatabase,
  jsonRows,
  NO_ROW_LIMIT,
  type StoreDatabase,
  toAnyDatabase,
} from '../../storage/any-database.ts';
import { toSanitizedJson } from '../../storage/sanitize-text.ts';
import { raw } from '../../storage/sql-template.ts';
import type { ClearReason, MonitorFinding, StoredAlert } from '../service-types.ts';
import type { AlertStore } from '../store.ts';

interface AlertRow {
  readonly id: number;
  readonly monitor: number;
  readonly check: string;
  readonly target: string;
  readonly fingerprint: string;
  readonly finding: string;
  readonly raised_at: number;
  readonly cleared_at: number | null;
  readonly reason: ClearReason | null;
  readonly good: number;
  readonly flapping: number;
}

const KEPT_ALERTS = 1000;

export function createAlertStore(of: StoreDatabase): AlertStore {
  const db = toAnyDatabase(of);
  return { ...createReads(db), ...createWrites(db) };
}

function createReads(db: AnyDatabase) {
  return {
    async listOpenAt(key, target, check) {
      const rows = await db.read(
        (sql) => sql.all<AlertRow>`SELECT * FROM monitor_alerts WHERE monitor = ${key}
          AND target = ${target} AND "check" = ${check} AND cleared_at IS NULL ORDER BY id`,
      );
      return rows.map(({ id, fingerprint, good, flapping }) => {
        return { id, fingerprint, good, flapping: flapping === 1 };
      });
    },
    listOpen: (key) =>
      db.read(
        (sql) => sql.all`SELECT id, target, "check" FROM monitor_alerts
          WHERE monitor = ${key} AND cleared_at IS NULL ORDER BY id`,
      ),
    async findAlert(alert) {
      const row = await db.read((sql) => sql.get<AlertRow>`SELECT * FROM monitor_alerts WHERE id = ${alert}`);
      return row && alertOf(row);
    },
    async countRaised(key, fingerprints, since) {
      if (fingerprints.length === 0) return new Map();
      const rows = await db.read(
        (sql) => sql.all<{ fingerprint: string; count: number }>`SELECT fingerprint, count(*) AS count
          FROM monitor_alerts WHERE monitor = ${key} AND raised_at >= ${since}
          AND fingerprint IN (SELECT value FROM ${jsonRows(sql, fingerprints)})
          AND (reason IS NULL OR reason = 'recovered') GROUP BY fingerprint`,
      );
      return new Map(rows.map(({ fingerprint, count }) => [fingerprint, count]));
    },
    async listAlerts(key, limit) {
      const rows = await db.read(
        (sql) => sql.all<AlertRow>`SELECT * FROM monitor_alerts WHERE monitor = ${key}
          ORDER BY cleared_at IS NOT NULL, raised_at DESC, id DESC LIMIT ${limit}`,
      );
      return rows.map(alertOf);
    },
    async countOpen(key) {
      const row = await db.read(
        (sql) => sql.get<{ count: number }>`SELECT count(*) AS count FROM monitor_alerts
          WHERE monitor = ${key} AND cleared_at IS NULL`,
      );
      return row?.count ?? 0;
    },
  } satisfies Partial<AlertStore>;
}

function createWrites(db: AnyDatabase) {
  return {
    insertAlert: (key, check, finding, flapping, at) =>
      db.write(function* (sql) {
        yield* sql.send`DELETE FROM monitor_alerts WHERE cleared_at IS NOT NULL AND id IN (SELECT id
          FROM monitor_alerts WHERE monitor = ${key}
          ORDER BY raised_at DESC, id DESC LIMIT ${raw(NO_ROW_LIMIT)} OFFSET ${KEPT_ALERTS - 1})`;
        const row = yield* sql.get<{ id: number }>`INSERT INTO monitor_alerts (monitor, "check", target,
          fingerprint, finding, raised_at, flapping) VALUES (${key}, ${check}, ${finding.target},
          ${finding.fingerprint}, ${toSanitizedJson(finding)}, ${at}, ${Number(flapping)}) RETURNING id`;
        return row?.id ?? 0;
      }),
    setGood: (alert, good) =>
      db.write((sql) => sql.send`UPDATE monitor_alerts SET good = ${good} WHERE id = ${alert}`),
    clearAlert: (alert, at, reason) =>
      db.write(
        (sql) =>
          sql.send`UPDATE monitor_alerts SET cleared_at = ${at}, reason = ${reason} WHERE id = ${alert}`,
      ),
  } satisfies Partial<AlertStore>;
}

function alertOf(row: AlertRow): StoredAlert {
  return {
    id: row.id,
    fingerprint: row.fingerprint,
    good: row.good,
    flapping: row.flapping === 1,
    finding: JSON.parse(row.finding) as MonitorFinding,
    raisedAt: row.raised_at,
    clearedAt: row.cleared_at ?? undefined,
    reason: row.reason ?? undefined,
  };
}
