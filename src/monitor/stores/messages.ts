import { randomUUID } from 'node:crypto';
import { PROCESS_RUNNER_ID } from '../../lib/concurrency/runner.ts';
import {
  type AnyDatabase,
  jsonRows,
  NO_ROW_LIMIT,
  type Sql,
  type StepGenerator,
  type StoreDatabase,
  toAnyDatabase,
} from '../../storage/any-database.ts';
import { hasRow, readRows } from '../../storage/rows.ts';
import { sanitizeDatabaseText, toSanitizedJson } from '../../storage/sanitize-text.ts';
import { raw } from '../../storage/sql-template.ts';
import type { AlertNotification, DeadLetter, DeliveryCounts } from '../service-types.ts';
import { type NotificationStore, OWN_WEBHOOK_CHANNEL, type QueuedMessage } from '../store.ts';
import { createLeaseStore } from './schedule.ts';

interface MessageRow extends Pick<QueuedMessage, 'id' | 'owner' | 'channel' | 'name' | 'attempts'> {
  readonly monitor: number | null;
  readonly webhook: string | null;
  readonly notice: string;
  readonly made_at: number;
  readonly tried_at: number | null;
  readonly trouble: string | null;
}

const KEPT_MESSAGES = 1000;
/** Old messages are deleted when a new message's id is a multiple of this prime number. */
const PRUNE_INTERVAL_MESSAGES = 97;
const NO_CHANNEL_MS = 604_800_000;
/** Maximum messages in progress to one receiver, so that a receiver that hangs cannot block all others. */
const MAX_UNDER_WAY = 2;
/** Number of waiting messages to read. It is large, because many messages may have the same receiver. */
const CANDIDATES = 256;

const FREE = `m.state = 'waiting' AND m.runner IS NULL AND NOT EXISTS (
  SELECT 1 FROM monitor_messages AS other WHERE other.line = m.line AND other.state = 'waiting'
  AND (other.id < m.id OR (other.id > m.id AND other.runner IS NOT NULL))
)`;

export function createNotificationStore(of: StoreDatabase, runner = PROCESS_RUNNER_ID): NotificationStore {
  const db = toAnyDatabase(of);
  return {
    ...createLeaseStore(db, 'monitor_messages', runner),
    ...createLetters(db),
    ...createDeliveries(db),
    ...createAttempts(db, runner),
  };
}

function createLetters(db: AnyDatabase) {
  return {
    insertMessage: (key, channel, notification, at) =>
      db.write((sql) => insertMessage(sql, key, channel, notification, at)),
    async listNotifiedChannels(key, alert) {
      const text = `SELECT DISTINCT channel FROM monitor_messages WHERE monitor = ? AND alert = ?
        ORDER BY channel`;
      return (await readRows<{ channel: string }>(db, text, key, alert)).map(({ channel }) => channel);
    },
    async giveUp(key, channel, trouble) {
      await db.write(
        (sql) =>
          sql.run`UPDATE monitor_messages SET state = 'dead', trouble = ${sanitizeDatabaseText(trouble)}
          WHERE monitor = ${key} AND channel = ${channel} AND state = 'waiting' AND runner IS NULL`,
      );
    },
  } satisfies Partial<NotificationStore>;
}

function createDeliveries(db: AnyDatabase) {
  return {
    countDeliveries: (key) => db.read((sql) => countDeliveries(sql, key)),
    async listDead(key, limit) {
      const text = `SELECT * FROM monitor_messages WHERE monitor = ? AND state = 'dead' ORDER BY id DESC LIMIT ?`;
      return (await readRows<MessageRow>(db, text, key, limit)).map(letterOf);
    },
    resendDead: (key, at) =>
      db.write(function* (sql) {
        // Skips a message if a later message about the same alert has been sent.
        const again = yield* sql.run`UPDATE monitor_messages AS m
          SET state = 'waiting', attempts = 0, made_at = ${at}, next_at = ${at}
          WHERE m.monitor = ${key} AND m.state = 'dead' AND NOT EXISTS (SELECT 1
          FROM monitor_messages AS later WHERE later.line = m.line AND later.alert = m.alert
          AND later.id > m.id AND later.state = 'sent')`;
        return { again, outdated: (yield* countDeliveries(sql, key)).dead };
      }),
  } satisfies Partial<NotificationStore>;
}

/** SQL condition for messages that were tried or stored in the future, because the clock was set back. */
const OF_LATER =
  "state = 'waiting' AND runner IS NULL AND next_at > ?1 AND coalesce(tried_at, made_at) > ?1 + 1000";

function createAttempts(db: AnyDatabase, runner: string) {
  return {
    async takeMessages(limit, channels, now, leaseUntil) {
      const isIdle = await db.read(function* (sql) {
        return (yield* freeBeside(sql, yield* countUnderWay(sql), now, channels, 1)).length === 0;
      });
      if (isIdle) return [];
      return db.write(function* (sql) {
        yield* sql.lockName('monitor messages');
        const underWay = yield* countUnderWay(sql);
        const taken: MessageRow[] = [];
        for (let isMore = true; isMore && taken.length < limit; ) {
          const free = yield* freeBeside(sql, underWay, now, channels, CANDIDATES);
          const ids = withinPlaces(free, underWay, limit - taken.length);
          taken.push(...(yield* leaseAll(sql, ids, runner, leaseUntil)));
          isMore = free.length === CANDIDATES;
        }
        return taken.map(messageOf);
      });
    },
    async nextMessageAt(channels) {
      const row = await db.read(
        (sql) => sql.get<{ at: number }>`SELECT m.next_at AS at FROM monitor_messages AS m
          WHERE ${raw(FREE)} AND m.channel IN (SELECT value FROM ${jsonRows(sql, channels)})
          AND m.place NOT IN (
            SELECT place FROM monitor_messages WHERE runner IS NOT NULL GROUP BY place
            HAVING count(*) >= ${MAX_UNDER_WAY}
          ) ORDER BY m.next_at LIMIT 1`,
      );
      return row?.at;
    },
    markSent: (message, at) => db.write((sql) => markSent(sql, runner, message, at)),
    markFailed: (message, trouble, at, nextAt) =>
      db.write((sql) => markFailed(sql, runner, message, trouble, at, nextAt)),
    async bringForward(now) {
      if (!(await hasRow(db, `SELECT 1 FROM monitor_messages WHERE ${OF_LATER} LIMIT 1`, now))) return;
      await db.write((sql) =>
        sql.send(
          `UPDATE monitor_messages SET next_at = CASE WHEN next_at < coalesce(tried_at, made_at) THEN ?1
             ELSE ?1 + next_at - coalesce(tried_at, made_at) END,
           made_at = CASE WHEN made_at < ?1 THEN made_at ELSE ?1 END,
           tried_at = CASE WHEN tried_at > ?1 THEN ?1 ELSE tried_at END WHERE ${OF_LATER}`,
          now,
        ),
      );
    },
  } satisfies Partial<NotificationStore>;
}

function* markSent(sql: Sql, runner: string, message: number, at: number): StepGenerator<void> {
  const changed = yield* sql.run`UPDATE monitor_messages SET state = 'sent', attempts = attempts + 1,
    runner = NULL, trouble = NULL WHERE id = ${message} AND runner = ${runner}`;
  if (changed === 0) return;
  // The receiver works, so its other messages become due. For a user's webhook: only this monitor's messages.
  yield* sql.send`UPDATE monitor_messages AS m SET next_at = ${at} FROM monitor_messages AS sent
    WHERE sent.id = ${message} AND m.place = sent.place AND (m.channel <> '${raw(OWN_WEBHOOK_CHANNEL)}'
    OR m.monitor IS NOT DISTINCT FROM sent.monitor) AND m.state = 'waiting' AND m.runner IS NULL
    AND m.next_at > ${at}`;
  yield* sql.send`DELETE FROM monitor_messages WHERE id = ${message} AND monitor IS NULL
    AND state = 'sent'`;
}

function* insertMessage(sql: Sql, key: number, channel: string, notification: AlertNotification, at: number) {
  yield* sql.send`UPDATE monitor_messages SET state = 'dead',
    trouble = 'no running Magpie has this channel' WHERE monitor = ${key} AND state = 'waiting'
    AND runner IS NULL AND attempts = 0 AND made_at < ${at - NO_CHANNEL_MS}`;
  const inserted = yield* sql.get<{ id: number }>`INSERT INTO monitor_messages (monitor, owner, alert,
    channel, place, line, name, notice, made_at, next_at) SELECT id, owner, ${notification.alert.id},
    ${channel}, CASE WHEN CAST(${channel} AS text) = '${raw(OWN_WEBHOOK_CHANNEL)}'
    THEN '${raw(OWN_WEBHOOK_CHANNEL)} ' || owner ELSE ${channel} END,
    ${`${key} ${channel} ${notification.alert.finding.fingerprint}`}, ${randomUUID()},
    ${toSanitizedJson(notification)}, ${at}, ${at} FROM monitors WHERE id = ${key} RETURNING id`;
  if (inserted && inserted.id % PRUNE_INTERVAL_MESSAGES === 0) yield* pruneMessages(sql, key);
}

function* pruneMessages(sql: Sql, key: number): StepGenerator<void> {
  yield* sql.send`DELETE FROM monitor_messages WHERE state <> 'waiting' AND id IN (SELECT id
    FROM monitor_messages WHERE monitor = ${key}
    ORDER BY id DESC LIMIT ${raw(NO_ROW_LIMIT)} OFFSET ${KEPT_MESSAGES}) AND alert NOT IN (SELECT id
    FROM monitor_alerts WHERE monitor = ${key} AND cleared_at IS NULL)`;
}

function* countDeliveries(sql: Sql, key: number): StepGenerator<DeliveryCounts> {
  const rows = yield* sql.all<{ state: string; count: number }>`SELECT state, count(*) AS count
    FROM monitor_messages WHERE monitor = ${key} GROUP BY state`;
  const count = (state: string) => rows.find((row) => row.state === state)?.count ?? 0;
  return { waiting: count('waiting'), sent: count('sent'), dead: count('dead') };
}

interface FreeMessage {
  readonly id: number;
  readonly place: string;
}

function* countUnderWay(sql: Sql): StepGenerator<Map<string, number>> {
  const rows = yield* sql.all<{ place: string; count: number }>`SELECT place, count(*) AS count
    FROM monitor_messages WHERE runner IS NOT NULL GROUP BY place`;
  return new Map(rows.map(({ place, count }) => [place, count]));
}

function* freeBeside(
  sql: Sql,
  underWay: ReadonlyMap<string, number>,
  now: number,
  channels: readonly string[],
  limit: number,
): StepGenerator<FreeMessage[]> {
  const full = [...underWay].filter(([, count]) => count >= MAX_UNDER_WAY).map(([place]) => place);
  return yield* sql.all<FreeMessage>`SELECT m.id, m.place FROM monitor_messages AS m
    WHERE ${raw(FREE)} AND m.next_at <= ${now}
    AND m.channel IN (SELECT value FROM ${jsonRows(sql, channels)})
    AND m.place NOT IN (SELECT value FROM ${jsonRows(sql, full)}) ORDER BY m.next_at, m.id LIMIT ${limit}`;
}

function withinPlaces(free: readonly FreeMessage[], underWay: Map<string, number>, limit: number): number[] {
  const ids: number[] = [];
  for (const { id, place } of free) {
    const count = underWay.get(place) ?? 0;
    if (count >= MAX_UNDER_WAY) continue;
    if (ids.length === limit) break;
    underWay.set(place, count + 1);
    ids.push(id);
  }
  return ids;
}

function* leaseAll(sql: Sql, ids: readonly number[], runner: string, until: number) {
  if (ids.length === 0) return [];
  const rows = yield* sql.all<MessageRow>`UPDATE monitor_messages SET runner = ${runner},
    leased_until = ${until} WHERE id IN (SELECT CAST(value AS bigint) FROM ${jsonRows(sql, ids)})
    AND state = 'waiting' RETURNING *`;
  return rows.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

function* markFailed(
  sql: Sql,
  runner: string,
  message: number,
  trouble: string,
  at: number,
  nextAt: number | undefined,
): StepGenerator<void> {
  const changed = yield* sql.run`UPDATE monitor_messages
    SET state = ${nextAt === undefined ? 'dead' : 'waiting'}, next_at = ${nextAt ?? 0},
    attempts = attempts + 1, tried_at = ${at}, runner = NULL, trouble = ${sanitizeDatabaseText(trouble)}
    WHERE id = ${message} AND runner = ${runner}`;
  if (changed === 0) return;
  // Deletes the message if its monitor was removed, because it can be neither listed nor sent again.
  yield* sql.send`DELETE FROM monitor_messages WHERE id = ${message} AND monitor IS NULL
    AND state = 'dead'`;
  // Later messages about the same problem must wait for this message.
  yield* sql.send`UPDATE monitor_messages SET next_at = ${nextAt ?? 0} WHERE state = 'waiting'
    AND next_at < ${nextAt ?? 0} AND id > ${message} AND line = (SELECT line FROM monitor_messages
    WHERE id = ${message})`;
}

function messageOf(row: MessageRow): QueuedMessage {
  const { id, monitor, owner, webhook, channel, name, notice, made_at, attempts } = row;
  return {
    id,
    owner,
    channel,
    name,
    notification: JSON.parse(notice) as AlertNotification,
    madeAt: made_at,
    attempts,
    monitor: monitor ?? undefined,
    webhook: webhook ?? undefined,
  };
}

function letterOf({ channel, notice, attempts, tried_at, trouble }: MessageRow): DeadLetter {
  return {
    channel,
    notification: JSON.parse(notice) as AlertNotification,
    attempts,
    triedAt: tried_at ?? undefined,
    trouble: trouble ?? 'the log of that time has the reason',
  };
}
