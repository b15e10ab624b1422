import { randomUUID } from 'node:crypto';
import { RUNNER } from '../../lib/runner.ts';
import type { Database } from '../../storage/sqlite.ts';
import type { MonitorFinding } from '../finding.ts';
import type { Notice } from '../notice.ts';
import type { AlertStore, Message, StoredAlert } from '../store.ts';

interface Row {
  readonly id: number;
  readonly fingerprint: string;
  readonly finding: string;
  readonly raised_at: number;
  readonly cleared_at: number | null;
  readonly good: number;
  readonly flapping: number;
}

/** Alerts that are kept of one monitor, and messages of it that have arrived or were given up. */
const [ALERTS_KEPT, MESSAGES_KEPT] = [1000, 1000];

/** Alerts and messages in SQLite; `runner` is which process this is. */
export function createSqliteAlertStore(db: Database, runner = RUNNER): AlertStore {
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
    raise(key, check, finding, flapping, at) {
      db.run(
        `DELETE FROM monitor_alerts WHERE cleared_at IS NOT NULL AND id IN (
           SELECT id FROM monitor_alerts WHERE monitor = ? ORDER BY raised_at DESC, id DESC LIMIT -1 OFFSET ?
         )`,
        key,
        ALERTS_KEPT - 1,
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
    clear: (alert, at) => void db.run('UPDATE monitor_alerts SET cleared_at = ? WHERE id = ?', at, alert),
    get(alert) {
      const row = db.get<Row>('SELECT * FROM monitor_alerts WHERE id = ?', alert);
      return row && alertOf(row);
    },
    raisedSince: (key, fingerprint, since) =>
      db.get<{ count: number }>(
        'SELECT count(*) AS count FROM monitor_alerts WHERE monitor = ? AND fingerprint = ? AND raised_at >= ?',
        key,
        fingerprint,
        since,
      )?.count ?? 0,
    list: (key, limit) =>
      db
        .all<Row>(
          'SELECT * FROM monitor_alerts WHERE monitor = ? ORDER BY raised_at DESC, id DESC LIMIT ?',
          key,
          limit,
        )
        .map(alertOf),
    openCount: (key) =>
      db.get<{ count: number }>(
        'SELECT count(*) AS count FROM monitor_alerts WHERE monitor = ? AND cleared_at IS NULL',
        key,
      )?.count ?? 0,
    post(key, channel, notice, at) {
      db.run(
        `DELETE FROM monitor_messages WHERE state <> 'waiting' AND id IN (
           SELECT id FROM monitor_messages WHERE monitor = ? ORDER BY id DESC LIMIT -1 OFFSET ?
         )`,
        key,
        MESSAGES_KEPT - 1,
      );
      db.run(
        'INSERT INTO monitor_messages (monitor, channel, name, notice, made_at, next_at) VALUES (?, ?, ?, ?, ?, ?)',
        key,
        channel,
        randomUUID(),
        JSON.stringify(notice).replaceAll('\0', '').toWellFormed(),
        at,
        at,
      );
    },
    deliveries(key) {
      const rows = db.all<{ state: string; count: number }>(
        'SELECT state, count(*) AS count FROM monitor_messages WHERE monitor = ? GROUP BY state',
        key,
      );
      const count = (state: string) => rows.find((row) => row.state === state)?.count ?? 0;
      return { waiting: count('waiting'), sent: count('sent'), dead: count('dead') };
    },
    takeMessages(limit, now, leaseUntil) {
      const due = `SELECT * FROM monitor_messages WHERE state = 'waiting' AND runner IS NULL AND next_at <= ?
                   ORDER BY next_at LIMIT ?`;
      if (db.all(due, now, 1).length === 0) return [];
      return db.transaction(() => {
        const rows = db.all<Omit<Message, 'notice'> & { notice: string }>(due, now, limit);
        for (const { id } of rows) {
          db.run(
            'UPDATE monitor_messages SET runner = ?, leased_until = ? WHERE id = ?',
            runner,
            leaseUntil,
            id,
          );
        }
        return rows.map(({ id, monitor, channel, name, notice, attempts }) => {
          return { id, monitor, channel, name, notice: JSON.parse(notice) as Notice, attempts };
        });
      });
    },
    nextMessageAt: () =>
      db.get<{ at: number | null }>(
        "SELECT min(next_at) AS at FROM monitor_messages WHERE state = 'waiting' AND runner IS NULL",
      )?.at ?? undefined,
    sent(message) {
      db.run(
        `UPDATE monitor_messages SET state = 'sent', attempts = attempts + 1, runner = NULL, trouble = NULL
         WHERE id = ? AND runner = ?`,
        message,
        runner,
      );
    },
    failed(message, trouble, nextAt) {
      db.run(
        `UPDATE monitor_messages SET state = ?, next_at = ?, attempts = attempts + 1, runner = NULL, trouble = ?
         WHERE id = ? AND runner = ?`,
        nextAt === undefined ? 'dead' : 'waiting',
        nextAt ?? 0,
        trouble.replaceAll('\0', '').toWellFormed(),
        message,
        runner,
      );
    },
  };
}

function alertOf({ id, fingerprint, finding, raised_at, cleared_at, good, flapping }: Row): StoredAlert {
  return {
    id,
    fingerprint,
    good,
    flapping: flapping === 1,
    finding: JSON.parse(finding) as MonitorFinding,
    raisedAt: raised_at,
    ...(cleared_at !== null && { clearedAt: cleared_at }),
  };
}
