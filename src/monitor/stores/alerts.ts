import type { Generated, Selectable } from 'kysely';
import {
  type AnyDatabase,
  NO_ROW_LIMIT,
  type StoreDatabase,
  toAnyDatabase,
} from '../../storage/any-database.ts';
import { queryBuilder } from '../../storage/query-builder.ts';
import { toSanitizedJson } from '../../storage/sanitize-text.ts';
import type { ClearReason, MonitorFinding, StoredAlert } from '../service-types.ts';
import type { AlertStore } from '../store.ts';

interface AlertTable {
  readonly id: Generated<number>;
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

interface AlertTables {
  readonly monitor_alerts: AlertTable;
}

const KEPT_ALERTS = 1000;

export function createAlertStore(of: StoreDatabase): AlertStore {
  const db = toAnyDatabase(of);
  return { ...createReads(db), ...createWrites(db) };
}

function createReads(db: AnyDatabase) {
  const alerts = queryBuilder<AlertTables>(db).selectFrom('monitor_alerts');
  const open = alerts.where('cleared_at', 'is', null);
  return {
    // Handwritten SQL is faster than the query builder. This query runs for each result of a probe.
    async listOpenAt(key, target, check) {
      const rows = await db.read((sql) =>
        sql.all<Selectable<AlertTable>>(
          `SELECT * FROM monitor_alerts WHERE monitor = ? AND target = ? AND "check" = ? AND cleared_at IS NULL
             ORDER BY id`,
          key,
          target,
          check,
        ),
      );
      return rows.map(({ id, fingerprint, good, flapping }) => ({
        id,
        fingerprint,
        good,
        flapping: flapping === 1,
      }));
    },
    listOpen: (key) =>
      open.select(['id', 'target', 'check']).where('monitor', '=', key).orderBy('id').execute(),
    async findAlert(alert) {
      const row = await alerts.selectAll().where('id', '=', alert).executeTakeFirst();
      return row && alertOf(row);
    },
    async countRaised(key, fingerprints, since) {
      if (fingerprints.length === 0) return new Map();
      const rows = await alerts
        .select(['fingerprint', (of) => of.fn.countAll<number>().as('count')])
        .where('monitor', '=', key)
        .where('fingerprint', 'in', fingerprints)
        .where('raised_at', '>=', since)
        .where((of) => of.or([of('reason', 'is', null), of('reason', '=', 'recovered')]))
        .groupBy('fingerprint')
        .execute();
      return new Map(rows.map(({ fingerprint, count }) => [fingerprint, count]));
    },
    async listAlerts(key, limit) {
      const rows = await alerts
        .selectAll()
        .where('monitor', '=', key)
        .orderBy((of) => of('cleared_at', 'is not', null))
        .orderBy('raised_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(alertOf);
    },
    async countOpen(key) {
      const { count } = await open
        .select((of) => of.fn.countAll<number>().as('count'))
        .where('monitor', '=', key)
        .executeTakeFirstOrThrow();
      return count;
    },
  } satisfies Partial<AlertStore>;
}

function createWrites(db: AnyDatabase) {
  const update = queryBuilder<AlertTables>(db).updateTable('monitor_alerts');
  return {
    insertAlert: (key, check, finding, flapping, at) =>
      db.write(function* (sql) {
        yield* sql.send(
          `DELETE FROM monitor_alerts WHERE cleared_at IS NOT NULL AND id IN (
             SELECT id FROM monitor_alerts WHERE monitor = ? ORDER BY raised_at DESC, id DESC LIMIT ${NO_ROW_LIMIT} OFFSET ?
           )`,
          key,
          KEPT_ALERTS - 1,
        );
        const row = yield* sql.get<{ id: number }>(
          `INSERT INTO monitor_alerts (monitor, "check", target, fingerprint, finding, raised_at, flapping)
           VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
          key,
          check,
          finding.target,
          finding.fingerprint,
          toSanitizedJson(finding),
          at,
          Number(flapping),
        );
        return row?.id ?? 0;
      }),
    async setGood(alert, good) {
      await update.set({ good }).where('id', '=', alert).execute();
    },
    async clearAlert(alert, at, reason) {
      await update.set({ cleared_at: at, reason }).where('id', '=', alert).execute();
    },
  } satisfies Partial<AlertStore>;
}

function alertOf(row: Selectable<AlertTable>): StoredAlert {
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
