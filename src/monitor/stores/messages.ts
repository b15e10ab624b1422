import { randomUUID } from 'node:crypto';
import { RUNNER } from '../../lib/runner.ts';
import type { Database } from '../../storage/sqlite.ts';
import type { Notice } from '../notice.ts';
import { type DeadLetter, type Message, type MessageStore, OWN } from '../store.ts';

interface Row {
  readonly id: number;
  readonly monitor: number | null;
  readonly owner: string;
  readonly webhook: string | null;
  readonly channel: string;
  readonly name: string;
  readonly notice: string;
  readonly made_at: number;
  readonly attempts: number;
  readonly tried_at: number | null;
  readonly trouble: string | null;
}

/** Messages of one monitor that are kept when they have arrived or were given up, besides those of alerts that stand. */
const KEPT = 1000;
/** Messages, of all monitors, after which one looks for what to delete; a prime, so that none is passed by for ever. */
const PRUNED = 97;
/** Milliseconds after which one is given up for which no process has the channel. */
const FORLORN = 604_800_000;
/** Messages on their way to one place at once: one that hangs holds nothing up but itself. */
const AT_ONCE = 2;

/**
 * Nobody has it in hand, and it is the first of its line: what is told about a fault comes in the order in which it
 * happened, also when an earlier message is sent once more while a later one is on its way.
 */
const FREE = `m.state = 'waiting' AND m.runner IS NULL AND NOT EXISTS (
  SELECT 1 FROM monitor_messages AS other WHERE other.line = m.line AND other.state = 'waiting'
  AND (other.id < m.id OR (other.id > m.id AND other.runner IS NOT NULL))
)`;

/** Messages in SQLite, shared by all processes on a data folder; `runner` is which process this is. */
export function createSqliteMessageStore(db: Database, runner = RUNNER): MessageStore {
  /** Those of the place that can go now, oldest first. */
  function freeAt(place: string, now: number, limit: number): Row[] {
    const held = db.get<{ count: number }>(
      'SELECT count(*) AS count FROM monitor_messages WHERE place = ? AND runner IS NOT NULL',
      place,
    );
    const room = Math.min(limit, AT_ONCE - (held?.count ?? 0));
    if (room <= 0) return [];
    return db.all<Row>(
      `SELECT * FROM monitor_messages AS m WHERE m.place = ? AND m.next_at <= ? AND ${FREE}
       ORDER BY m.next_at, m.id LIMIT ?`,
      place,
      now,
      room,
    );
  }

  function prune(key: number): void {
    db.run(
      `DELETE FROM monitor_messages WHERE state <> 'waiting' AND id IN (
         SELECT id FROM monitor_messages WHERE monitor = ? ORDER BY id DESC LIMIT -1 OFFSET ?
       ) AND alert NOT IN (SELECT id FROM monitor_alerts WHERE monitor = ? AND cleared_at IS NULL)`,
      key,
      KEPT,
      // Who was told of these is to be told of their end.
      key,
    );
  }

  return {
    post(key, channel, notice, at) {
      db.run(
        `UPDATE monitor_messages SET state = 'dead', trouble = 'no Magpie that runs has this channel'
         WHERE monitor = ? AND state = 'waiting' AND runner IS NULL AND attempts = 0 AND made_at < ?`,
        key,
        at - FORLORN,
      );
      const posted = db.get<{ id: number }>(
        `INSERT INTO monitor_messages (monitor, owner, alert, channel, place, line, name, notice, made_at, next_at)
         SELECT id, owner, ?, ?, iif(? = '${OWN}', '${OWN} ' || owner, ?), ?, ?, ?, ?, ? FROM monitors WHERE id = ?
         RETURNING id`,
        notice.alert.id,
        channel,
        channel,
        channel,
        `${key} ${channel} ${notice.alert.finding.fingerprint}`,
        randomUUID(),
        JSON.stringify(notice).replaceAll('\0', '').toWellFormed(),
        at,
        at,
        key,
      );
      if (posted && posted.id % PRUNED === 0) prune(key);
    },
    told: (key, alert) =>
      db
        .all<{ channel: string }>(
          'SELECT DISTINCT channel FROM monitor_messages WHERE monitor = ? AND alert = ? ORDER BY channel',
          key,
          alert,
        )
        .map(({ channel }) => channel),
    deliveries(key) {
      const rows = db.all<{ state: string; count: number }>(
        'SELECT state, count(*) AS count FROM monitor_messages WHERE monitor = ? GROUP BY state',
        key,
      );
      const count = (state: string) => rows.find((row) => row.state === state)?.count ?? 0;
      return { waiting: count('waiting'), sent: count('sent'), dead: count('dead') };
    },
    dead: (key, limit) =>
      db
        .all<Row>(
          "SELECT * FROM monitor_messages WHERE monitor = ? AND state = 'dead' ORDER BY id DESC LIMIT ?",
          key,
          limit,
        )
        .map(letterOf),
    resend(key, at) {
      return db.transactionSync(() => {
        // Whoever was told that an alert is over must not hear afterwards that it was raised.
        const again = db.run(
          `UPDATE monitor_messages AS m SET state = 'waiting', attempts = 0, made_at = ?, next_at = ?
           WHERE m.monitor = ? AND m.state = 'dead' AND NOT EXISTS (
             SELECT 1 FROM monitor_messages AS later WHERE later.line = m.line AND later.alert = m.alert
             AND later.id > m.id AND later.state = 'sent'
           )`,
          at,
          at,
          key,
        );
        return { again, outdated: this.deliveries(key).dead };
      });
    },
    giveUp(key, channel, trouble) {
      db.run(
        `UPDATE monitor_messages SET state = 'dead', trouble = ?
         WHERE monitor = ? AND channel = ? AND state = 'waiting' AND runner IS NULL`,
        trouble,
        key,
        channel,
      );
    },
    takeMessages(limit, channels, now, leaseUntil) {
      const due = `SELECT place FROM monitor_messages WHERE state = 'waiting' AND runner IS NULL AND next_at <= ?
                   AND channel IN (SELECT value FROM json_each(?)) GROUP BY place ORDER BY min(next_at)`;
      const own = JSON.stringify(channels);
      if (db.all(due, now, own).length === 0) return [];
      return db.transactionSync(() => {
        const rows: Row[] = [];
        for (const { place } of db.all<{ place: string }>(due, now, own)) {
          for (const row of freeAt(place, now, limit - rows.length)) {
            db.run(
              'UPDATE monitor_messages SET runner = ?, leased_until = ? WHERE id = ?',
              runner,
              leaseUntil,
              row.id,
            );
            rows.push(row);
          }
        }
        return rows.map(messageOf);
      });
    },
    nextMessageAt: (channels) =>
      db.get<{ at: number }>(
        `SELECT m.next_at AS at FROM monitor_messages AS m
         WHERE ${FREE} AND m.channel IN (SELECT value FROM json_each(?)) AND m.place NOT IN (
           SELECT place FROM monitor_messages WHERE runner IS NOT NULL GROUP BY place HAVING count(*) >= ${AT_ONCE}
         ) ORDER BY m.next_at LIMIT 1`,
        JSON.stringify(channels),
      )?.at,
    sent(message) {
      db.run(
        `UPDATE monitor_messages SET state = 'sent', attempts = attempts + 1, runner = NULL, trouble = NULL
         WHERE id = ? AND runner = ?`,
        message,
        runner,
      );
      db.run("DELETE FROM monitor_messages WHERE id = ? AND monitor IS NULL AND state = 'sent'", message);
    },
    failed(message, trouble, at, nextAt) {
      db.transactionSync(() => {
        const mine = db.run(
          `UPDATE monitor_messages SET state = ?, next_at = ?, attempts = attempts + 1, tried_at = ?, runner = NULL,
             trouble = ?
           WHERE id = ? AND runner = ?`,
          nextAt === undefined ? 'dead' : 'waiting',
          nextAt ?? 0,
          at,
          trouble.replaceAll('\0', '').toWellFormed(),
          message,
          runner,
        );
        if (mine === 0) return;
        // Nobody is left to ask about it, nor to send it again.
        db.run("DELETE FROM monitor_messages WHERE id = ? AND monitor IS NULL AND state = 'dead'", message);
        // Those behind it need not be looked at before it.
        db.run(
          `UPDATE monitor_messages SET next_at = ? WHERE state = 'waiting' AND next_at < ? AND id > ?
           AND line = (SELECT line FROM monitor_messages WHERE id = ?)`,
          nextAt ?? 0,
          nextAt ?? 0,
          message,
          message,
        );
      });
    },
  };
}

function messageOf({ id, monitor, owner, webhook, channel, name, notice, made_at, attempts }: Row): Message {
  return {
    id,
    owner,
    channel,
    name,
    notice: JSON.parse(notice) as Notice,
    madeAt: made_at,
    attempts,
    monitor: monitor ?? undefined,
    webhook: webhook ?? undefined,
  };
}

function letterOf({ channel, notice, attempts, tried_at, trouble }: Row): DeadLetter {
  return {
    channel,
    notice: JSON.parse(notice) as Notice,
    attempts,
    triedAt: tried_at ?? undefined,
    trouble: trouble ?? 'the log of that time tells why',
  };
}
