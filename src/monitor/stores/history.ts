import {
  jsonRows,
  NO_ROW_LIMIT,
  type Sql,
  type StepGenerator,
  type StoreDatabase,
  toAnyDatabase,
} from '../../storage/any-database.ts';
import { insertSql, readRows } from '../../storage/rows.ts';
import { sanitizeDatabaseText } from '../../storage/sanitize-text.ts';
import { fragment, raw } from '../../storage/sql-template.ts';
import {
  KEPT_DAYS,
  KEPT_HOURS,
  MAX_INCIDENTS_PER_MONITOR,
  type PeriodSums,
  type ProbeObservation,
  type StoredIncident,
  type UptimeStore,
} from '../history/history-store.ts';
import { decodeLatency, encodeLatency, findLatencyBucket, mergeLatencies } from '../history/latency.ts';

interface PeriodRow extends Omit<PeriodSums, 'times'> {
  readonly times: Uint8Array | null;
}

const [HOUR_MS, HOURS_A_DAY] = [3_600_000, 24];
const MAX_WHY_CHARACTERS = 300;

/** Uses handwritten SQL for speed: a thousand targets produce about a hundred results a second. */
export function createUptimeStore(of: StoreDatabase): UptimeStore {
  const db = toAnyDatabase(of);
  return {
    recordProbe: (key, target, look) =>
      db.write(function* (sql) {
        yield* sql.lockName(`looks of ${key} ${target}`);
        const isFirst = yield* countHour(sql, key, target, look);
        yield* countDay(sql, key, target, look);
        if (isFirst) yield* tidy(sql, key, target, Math.floor(look.at / HOUR_MS));
        yield* keepIncident(sql, key, target, look);
      }),
    listUptime: (key, sinceDay) =>
      readRows(
        db,
        `SELECT target, sum(up_ms) AS "upMs", sum(down_ms) AS "downMs" FROM monitor_days
           WHERE monitor = ? AND day >= ? GROUP BY target`,
        key,
        sinceDay,
      ),
    listHours: (key, since, target) =>
      db.read((sql) => listPeriods(sql, 'monitor_hours', 'hour', key, since, target)),
    listDays: (key, since, target) =>
      db.read((sql) => listPeriods(sql, 'monitor_days', 'day', key, since, target)),
    async listIncidents(key, limit) {
      const text = `SELECT id, target, from_at AS "from", to_at AS "to", why FROM monitor_incidents
        WHERE monitor = ? ORDER BY from_at DESC, id DESC LIMIT ?`;
      const rows = await readRows<StoredIncident>(db, text, key, limit);
      return rows.map(({ to, ...row }) => ({ ...row, to: to ?? undefined }));
    },
    async listOpenIncidents(key) {
      const text = 'SELECT target FROM monitor_incidents WHERE monitor = ? AND to_at IS NULL ORDER BY target';
      return (await readRows<{ target: string }>(db, text, key)).map(({ target }) => target);
    },
    async endIncidents(key, at, targets) {
      await db.write((sql) => {
        const isGone = targets
          ? fragment`AND target IN (SELECT value FROM ${jsonRows(sql, targets)})`
          : raw('');
        return sql.send`UPDATE monitor_incidents SET to_at = CASE WHEN from_at > ${at} THEN from_at ELSE ${at} END
          WHERE monitor = ${key} AND to_at IS NULL ${isGone}`;
      });
    },
  };
}

function* countHour(sql: Sql, key: number, target: string, look: ProbeObservation): StepGenerator<boolean> {
  const hour = Math.floor(look.at / HOUR_MS);
  const [upMs, downMs] = timesOf(look);
  const row = yield* sql.get<{ times: Uint8Array }>`SELECT times FROM monitor_hours
    WHERE monitor = ${key} AND target = ${target} AND hour = ${hour}`;
  const now = look.up && look.ms !== undefined ? [new Map([[findLatencyBucket(look.ms), 1]])] : [];
  const times = encodeLatency(mergeLatencies([...(row ? [decodeLatency(row.times)] : []), ...now]));
  yield* sql.send`INSERT INTO monitor_hours (monitor, target, hour, looks, up_ms, down_ms, times)
    VALUES (${key}, ${target}, ${hour}, 1, ${upMs}, ${downMs}, ${times})
    ON CONFLICT (monitor, target, hour) DO UPDATE SET looks = monitor_hours.looks + 1,
    up_ms = monitor_hours.up_ms + excluded.up_ms, down_ms = monitor_hours.down_ms + excluded.down_ms,
    times = excluded.times`;
  return row === undefined;
}

function* countDay(sql: Sql, key: number, target: string, look: ProbeObservation): StepGenerator<void> {
  const [upMs, downMs] = timesOf(look);
  yield* sql.send`INSERT INTO monitor_days (monitor, target, day, looks, ups, up_ms, down_ms)
    VALUES (${key}, ${target}, ${Math.floor(look.at / HOUR_MS / HOURS_A_DAY)}, 1, ${Number(look.up)},
    ${upMs}, ${downMs}) ON CONFLICT (monitor, target, day) DO UPDATE
    SET looks = monitor_days.looks + 1, ups = monitor_days.ups + excluded.ups, up_ms = monitor_days.up_ms
    + excluded.up_ms, down_ms = monitor_days.down_ms + excluded.down_ms`;
}

function timesOf({ up, forMs }: ProbeObservation): [upMs: number, downMs: number] {
  const ms = Math.round(forMs);
  return up ? [ms, 0] : [0, ms];
}

function* tidy(sql: Sql, key: number, target: string, hour: number): StepGenerator<void> {
  const day = Math.floor(hour / HOURS_A_DAY);
  const open = yield* sql.all<{ day: number }>`SELECT day FROM monitor_days WHERE monitor = ${key}
    AND target = ${target} AND day < ${day} AND times IS NULL ORDER BY day DESC LIMIT 2`;
  for (const one of open) {
    const first = one.day * HOURS_A_DAY;
    const hours = yield* sql.all<{ times: Uint8Array }>`SELECT times FROM monitor_hours
      WHERE monitor = ${key} AND target = ${target} AND hour BETWEEN ${first}
      AND ${first + HOURS_A_DAY - 1}`;
    yield* sql.send`UPDATE monitor_days
      SET times = ${encodeLatency(mergeLatencies(hours.map(({ times }) => decodeLatency(times))))}
      WHERE monitor = ${key} AND target = ${target} AND day = ${one.day}`;
  }
  yield* sql.send`DELETE FROM monitor_hours WHERE monitor = ${key} AND target = ${target}
    AND hour <= ${hour - KEPT_HOURS}`;
  yield* sql.send`DELETE FROM monitor_days WHERE monitor = ${key} AND target = ${target}
    AND day <= ${day - KEPT_DAYS}`;
}

function* keepIncident(sql: Sql, key: number, target: string, { at, up, why, lostAt }: ProbeObservation) {
  const open = yield* sql.get<{ id: number; from_at: number }>`SELECT id, from_at
    FROM monitor_incidents WHERE monitor = ${key} AND target = ${target} AND to_at IS NULL`;
  if (up && open) {
    // After a gap without probes, the incident ends before the gap, because the state in the gap is unknown.
    const end = Math.max(open.from_at, lostAt ?? at);
    yield* sql.send`UPDATE monitor_incidents SET to_at = ${end} WHERE id = ${open.id}`;
  } else if (!up && !open) {
    yield* sql.send`DELETE FROM monitor_incidents WHERE monitor = ${key} AND to_at IS NOT NULL
      AND id IN (SELECT id FROM monitor_incidents WHERE monitor = ${key}
      ORDER BY id DESC LIMIT ${raw(NO_ROW_LIMIT)} OFFSET ${MAX_INCIDENTS_PER_MONITOR - 1})`;
    const reason = sanitizeDatabaseText(why ?? '').slice(0, MAX_WHY_CHARACTERS);
    yield* sql.send(...insertSql('monitor_incidents', { monitor: key, target, from_at: at, why: reason }));
  }
}

function* listPeriods(
  sql: Sql,
  table: 'monitor_hours' | 'monitor_days',
  unit: 'hour' | 'day',
  key: number,
  since: number,
  target: string | undefined,
): StepGenerator<PeriodSums[]> {
  const isOfTarget = target === undefined ? raw('') : fragment`AND target = ${target}`;
  const rows = yield* sql.all<PeriodRow>`SELECT target, ${raw(unit)} AS at, looks, up_ms AS "upMs",
    down_ms AS "downMs", times FROM ${raw(table)}
    WHERE monitor = ${key} AND ${raw(unit)} >= ${since} ${isOfTarget} ORDER BY target, ${raw(unit)}`;
  return rows.map((row) => ({ ...row, times: row.times ? decodeLatency(row.times) : new Map() }));
}
