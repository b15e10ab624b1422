import {
  type AnyDatabase,
  type Sql,
  type StepGenerator,
  type StoreDatabase,
  toAnyDatabase,
} from '../../storage/any-database.ts';
import { checkOwnerName } from '../../storage/owner.ts';
import { insertSql, readFirstRow, readRows } from '../../storage/rows.ts';
import { sanitizeDatabaseText, toSanitizedJson } from '../../storage/sanitize-text.ts';
import { fragment, type SqlFragment } from '../../storage/sql-template.ts';
import type { ProbeOptions } from '../probing/probe-options.ts';
import type { MonitorFinding, MonitorState } from '../service-types.ts';
import type { MonitorStore, StoredMonitor, StoredResult } from '../store.ts';

interface MonitorRow {
  readonly id: number;
  readonly owner: string;
  readonly infrastructure: string;
  readonly state: MonitorState;
  readonly threshold: number;
  readonly interval_ms: number;
  readonly webhook: string | null;
  readonly started_at: number;
  readonly trouble: string | null;
  readonly probing: string;
}

/** Number of changes kept for other processes. A process that misses more may overlook removed monitors. */
const REMEMBERED_CHANGES = 10_000;

/** With `changed`, adds the keys of changed monitors to this set. The transaction records them at its end. */
export function createMonitorStore(of: StoreDatabase, changed?: Set<number>): MonitorStore {
  const db = toAnyDatabase(of);
  const mark: MonitorMark = changed
    ? // biome-ignore lint/correctness/useYield: it asks nothing
      function* (_, key) {
        changed.add(key);
      }
    : (sql, key) => markMonitorsChanged(sql, [key]);
  return {
    ...createReads(db),
    ...createWrites(db, mark),
    ...createChanges(db, mark),
    ...createResultMethods(db),
  };
}

type MonitorMark = (sql: Sql, key: number) => StepGenerator<void>;

function createReads(db: AnyDatabase) {
  const find = async (where: SqlFragment) => {
    const row = await db.read((sql) => sql.get<MonitorRow>`SELECT * FROM monitors WHERE ${where}`);
    return row && monitorOf(row);
  };
  const list = async (where: SqlFragment) =>
    (await db.read((sql) => sql.all<MonitorRow>`SELECT * FROM monitors WHERE ${where}`)).map(monitorOf);
  return {
    findMonitor: async (owner, id) =>
      find(fragment`owner = ${checkOwnerName(owner)} AND infrastructure = ${id}`),
    findByKey: (key) => find(fragment`id = ${key}`),
    listMonitors: async (owner) => list(fragment`owner = ${checkOwnerName(owner)} ORDER BY infrastructure`),
    async countMonitors(owner) {
      const row = await db.read(
        (sql) => sql.get<{ count: number }>`SELECT count(*) AS count FROM monitors
          WHERE owner = ${checkOwnerName(owner)}`,
      );
      return row?.count ?? 0;
    },
    listActive: () => list(fragment`state = 'active' ORDER BY id`),
  } satisfies Partial<MonitorStore>;
}

function createWrites(db: AnyDatabase, mark: MonitorMark) {
  return {
    putMonitor: (owner, id, { threshold, intervalMs, webhook, probing = {} }, at) =>
      db.write(function* (sql) {
        const row = yield* sql.get<MonitorRow>`INSERT INTO monitors (owner, infrastructure, state,
          threshold, interval_ms, webhook, probing, started_at)
          VALUES (${checkOwnerName(owner)}, ${id}, 'active', ${threshold}, ${intervalMs},
          ${webhook ?? null}, ${JSON.stringify(probing)}, ${at}) ON CONFLICT (owner, infrastructure)
          DO UPDATE SET threshold = excluded.threshold, interval_ms = excluded.interval_ms,
          webhook = excluded.webhook, probing = excluded.probing, started_at = CASE WHEN
          monitors.state = 'active' THEN monitors.started_at
          ELSE excluded.started_at END, state = 'active', trouble = NULL RETURNING *`;
        if (!row) throw new Error('a monitor that was just stored is not there');
        yield* mark(sql, row.id);
        return monitorOf(row);
      }),
    setState: (key, state) =>
      db.write(function* (sql) {
        yield* sql.send`UPDATE monitors SET state = ${state} WHERE id = ${key}`;
        yield* mark(sql, key);
      }),
    setTrouble: (key, trouble) =>
      db.write(function* (sql) {
        yield* sql.send`UPDATE monitors SET trouble = ${trouble ?? null} WHERE id = ${key}`;
        yield* mark(sql, key);
      }),
    removeMonitor: (key) =>
      db.write(function* (sql) {
        // The change is recorded before the deletion, because recording reads the monitor's row.
        yield* markMonitorsChanged(sql, [key]);
        yield* sql.send`DELETE FROM monitor_changes AS c WHERE id <= (SELECT max(id)
          FROM monitor_changes) - ${REMEMBERED_CHANGES} AND NOT EXISTS (SELECT 1 FROM monitors AS m
          WHERE m.owner = c.owner AND m.infrastructure = c.infrastructure)`;
        yield* sql.send`UPDATE monitor_messages SET monitor = NULL, webhook = (SELECT webhook
          FROM monitors WHERE id = ${key}) WHERE monitor = ${key} AND state = 'waiting'`;
        yield* sql.send`DELETE FROM monitors WHERE id = ${key}`;
      }),
  } satisfies Partial<MonitorStore>;
}

function createChanges(db: AnyDatabase, mark: MonitorMark) {
  return {
    markChanged: (key) => db.write((sql) => mark(sql, key)),
    async changedSince(seen) {
      const rows = await db.read(
        (sql) => sql.all<{ mark: number; owner: string; id: string }>`SELECT id AS mark, owner,
          infrastructure AS id FROM monitor_changes WHERE monitor_changes.id > ${seen} ORDER BY mark`,
      );
      return { mark: rows.at(-1)?.mark ?? seen, changes: rows.map(({ owner, id }) => ({ owner, id })) };
    },
    async newestMark() {
      const find = 'SELECT max(id) AS newest FROM monitor_changes';
      return (await readFirstRow<{ newest: number | null }>(db, find))?.newest ?? 0;
    },
  } satisfies Partial<MonitorStore>;
}

/** Records changes with ascending ids. A lock prevents readers from seeing a higher id before a lower one. */
export function* markMonitorsChanged(sql: Sql, keys: Iterable<number>): StepGenerator<void> {
  yield* sql.lockName('monitor changes');
  for (const key of keys) {
    yield* sql.send`DELETE FROM monitor_changes WHERE (owner, infrastructure) IN (SELECT owner,
      infrastructure FROM monitors WHERE id = ${key})`;
    yield* sql.send`INSERT INTO monitor_changes (owner, infrastructure) SELECT owner, infrastructure
      FROM monitors WHERE id = ${key}`;
  }
}

function monitorOf(row: MonitorRow): StoredMonitor {
  const { id: key, infrastructure: id, interval_ms: intervalMs, started_at: startedAt, ...rest } = row;
  const probing = JSON.parse(row.probing) as ProbeOptions;
  const [webhook, trouble] = [row.webhook ?? undefined, row.trouble ?? undefined];
  return { ...rest, key, id, intervalMs, startedAt, probing, webhook, trouble };
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
  readonly suspects: string;
  readonly watched?: string | null;
}

/** Uses handwritten SQL for speed: a thousand targets produce hundreds of results a second. */
function createResultMethods(db: AnyDatabase) {
  return {
    async listResults(key) {
      const text = `SELECT target, "check", at, seen_at, unseen, trouble, findings, measures, points, suspects
        FROM monitor_results WHERE monitor = ? ORDER BY target, "check"`;
      return (await readRows<ResultRow>(db, text, key)).map(resultOf);
    },
    async findResult(key, target, check) {
      const text = 'SELECT * FROM monitor_results WHERE monitor = ? AND target = ? AND "check" = ?';
      const row = await readFirstRow<ResultRow>(db, text, key, target, check);
      return row && resultOf(row);
    },
    listTried: (key, since) =>
      readRows(db, 'SELECT target, "check" FROM monitor_results WHERE monitor = ? AND at >= ?', key, since),
    putResult: (key, result) => db.write((sql) => putResult(sql, key, result)),
    removeResults: (key, which) =>
      db.write(function* (sql) {
        for (const { target, check } of which) {
          yield* sql.send`DELETE FROM monitor_results WHERE monitor = ${key} AND target = ${target}
            AND "check" = ${check}`;
        }
      }),
  } satisfies Partial<MonitorStore>;
}

function* putResult(sql: Sql, key: number, result: StoredResult): StepGenerator<void> {
  const {
    target,
    check,
    at,
    seenAt,
    unseen,
    trouble,
    findings,
    measures,
    points,
    suspects = {},
    watched,
  } = result;
  const row = {
    ...{ monitor: key, target, check, at },
    seen_at: seenAt ?? null,
    unseen: unseen === undefined ? null : sanitizeDatabaseText(unseen),
    trouble: trouble === undefined ? null : sanitizeDatabaseText(trouble),
    findings: toSanitizedJson(findings),
    measures: JSON.stringify(measures),
    points: JSON.stringify(points),
    suspects: JSON.stringify(suspects),
    ...(watched !== undefined && { watched: sanitizeDatabaseText(watched) }),
  };
  yield* sql.send(...insertSql('monitor_results', row, ['monitor', 'target', 'check']));
}

function resultOf(row: ResultRow): StoredResult {
  const { seen_at, unseen, trouble, findings, measures, points } = row;
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
    ...(typeof row.watched === 'string' && { watched: row.watched }),
    ...(row.suspects !== '{}' && { suspects: JSON.parse(row.suspects) as Record<string, number> }),
  };
}
