import { setImmediate } from 'node:timers/promises';
import { SEVERITIES } from '../../lib/severity.ts';
import {
  type AnyDatabase,
  NO_ROW_LIMIT,
  type Sql,
  type StepGenerator,
  type StoreDatabase,
  toAnyDatabase,
} from '../../storage/any-database.ts';
import { checkOwnerName } from '../../storage/owner.ts';
import { deleteOwnRow, insertSql, readFirstRow, readRows } from '../../storage/rows.ts';
import { sanitizeDatabaseText, toSanitizedJson } from '../../storage/sanitize-text.ts';
import { fragment, raw } from '../../storage/sql-template.ts';
import type { Finding, SoftwareComponent } from '../findings/finding.ts';
import type { FindingQuery, ScanCounts, ScanReport, ScanRequest, ScanState } from '../scans/scan.ts';
import type { ScanStore, StoredScan } from '../scans/scan-store.ts';

/** Number of findings written in one transaction, which takes some milliseconds. */
const STEP_ROWS = 500;
/** Maximum stored scans of texts and packages per owner. The limit protects scans of repositories. */
const KEPT_CONTENTS = 20;
const CONTENTS = /^(?:text$|text |package )/;

interface ScanRow {
  readonly rowid: number;
  readonly id: string;
  readonly owner: string;
  readonly repository: string;
  readonly branch: string | null;
  readonly deep: number;
  readonly dependencies: number;
  readonly state: ScanState;
  readonly runner: string;
  readonly beat_at: number;
  readonly message: string;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly ended_at: number | null;
  readonly report: string | null;
  /** Options of the scan as JSON for other processes. `terms` is null if only `runner` can run the scan. */
  readonly terms: string | null;
}

export function createScanStore(of: StoreDatabase): ScanStore {
  const db = toAnyDatabase(of);
  return { ...createProgress(db), ...createResults(db), ...createReads(db) };
}

function createProgress(db: AnyDatabase) {
  return {
    async insertScan(owner, { id, request, runner, createdAt, terms = null }, kept) {
      const { repository, branch, deep, dependencies } = request;
      const name = checkOwnerName(owner);
      await db.write(function* (sql) {
        yield* sql.lockName(`scans of ${name}`);
        const row = {
          ...{ id, owner: name, state: 'queued', runner, message: '', terms },
          ...{ created_at: createdAt, beat_at: createdAt },
          repository: sanitizeDatabaseText(repository),
          branch: branch === undefined ? null : sanitizeDatabaseText(branch),
          deep: Number(deep),
          dependencies: Number(dependencies),
        };
        yield* sql.send(...insertSql('scans', row));
        yield* sql.send`DELETE FROM scans WHERE id IN (SELECT id FROM scans WHERE owner = ${name}
          ORDER BY created_at DESC, rowid DESC LIMIT ${raw(NO_ROW_LIMIT)} OFFSET ${kept})
          AND state IN ('completed', 'failed')`;
        if (CONTENTS.test(repository)) {
          yield* sql.send`DELETE FROM scans WHERE id IN (SELECT id FROM scans WHERE owner = ${name}
            AND (repository = 'text' OR substr(repository, 1, 5) = 'text '
            OR substr(repository, 1, 8) = 'package ')
            ORDER BY created_at DESC, rowid DESC LIMIT ${raw(NO_ROW_LIMIT)} OFFSET ${KEPT_CONTENTS})
            AND state IN ('completed', 'failed')`;
        }
      });
    },

    async readTerms(id) {
      const text = `SELECT * FROM scans WHERE id = ? AND state IN ('queued', 'running') AND terms IS NOT NULL`;
      const row = await readFirstRow<ScanRow>(db, text, sanitizeDatabaseText(id));
      return row && { owner: row.owner, request: requestOf(row), terms: row.terms ?? '' };
    },

    startScan: (id, runner, at) =>
      db.write(function* (sql) {
        const started = yield* sql.run`UPDATE scans SET state = 'running', runner = ${runner},
          started_at = coalesce(started_at, ${at}), beat_at = ${at} WHERE id = ${id}
          AND state IN ('queued', 'running')`;
        yield* sql.send`DELETE FROM scan_findings WHERE scan = ${id} AND ${started} = 1`;
        return started > 0;
      }),

    recordHeartbeat: async (id, runner, message, at) =>
      db.write(function* (sql) {
        const changed = yield* sql.run`UPDATE scans SET beat_at = ${at},
          message = ${sanitizeDatabaseText(message)}
          WHERE id = ${id} AND runner = ${runner} AND state IN ('queued', 'running')`;
        return changed > 0;
      }),

    async failScan(id, reason, at, { silentSince = Number.MAX_SAFE_INTEGER, runner } = {}) {
      const ofRunner = runner === undefined ? raw('') : fragment`AND runner = ${runner}`;
      await db.write(
        (sql) => sql.send`UPDATE scans SET state = 'failed', message = ${sanitizeDatabaseText(reason)},
          ended_at = ${at}, terms = NULL
          WHERE id = ${id} AND state IN ('queued', 'running') AND beat_at <= ${silentSince} ${ofRunner}`,
      );
    },

    removeScan: async (owner, id) =>
      deleteOwnRow(db, 'scans', checkOwnerName(owner), sanitizeDatabaseText(id)),
  } satisfies Partial<ScanStore>;
}

/** Stores findings and components. Uses plain SQL, because it is faster for thousands of rows. */
function createResults(db: AnyDatabase) {
  return {
    async completeScan(id, runner, { findings, components, report, counts }, at) {
      // Writes findings in several transactions. They are invisible until the scan is completed.
      for (let from = 0; from < findings.length; from += STEP_ROWS) {
        const there = await db.write(function* (sql) {
          return yield* insertFindings(sql, { id, runner }, findings.slice(from, from + STEP_ROWS), from);
        });
        if (!there) return false;
        await setImmediate();
      }
      return db.write(function* (sql) {
        if (!(yield* isRunBy(sql, id, runner))) return false;
        if (components.length > 0) {
          const text = JSON.stringify(components);
          yield* sql.send`INSERT INTO scan_components (scan, components) VALUES (${id}, ${text})`;
        }
        yield* sql.send`UPDATE scans SET state = 'completed', message = '', ended_at = ${at},
          report = ${JSON.stringify({ report, counts })}, terms = NULL WHERE id = ${id}`;
        return true;
      });
    },

    listFindings: async (owner, id, query) =>
      db.read(function* (sql) {
        const scan = yield* readRow(sql, owner, id);
        return scan && (yield* readFindings(sql, scan, query));
      }),

    listComponents: async (owner, id) =>
      db.read(function* (sql) {
        const scan = yield* readRow(sql, owner, id);
        return scan && (yield* readComponents(sql, scan));
      }),

    readContents: async (owner, id) =>
      db.read(function* (sql) {
        const scan = yield* readRow(sql, owner, id);
        if (!scan) return undefined;
        return {
          scan: scanOf(scan),
          findings: yield* readFindings(sql, scan, {}),
          components: yield* readComponents(sql, scan),
        };
      }),
  } satisfies Partial<ScanStore>;
}

function createReads(db: AnyDatabase) {
  return {
    readScan: async (owner, id) =>
      db.read(function* (sql) {
        const row = yield* readRow(sql, owner, id);
        return row && scanOf(row);
      }),

    async listScans(owner) {
      const text = 'SELECT * FROM scans WHERE owner = ? ORDER BY created_at DESC, rowid DESC';
      return (await readRows<ScanRow>(db, text, checkOwnerName(owner))).map(scanOf);
    },

    // SQLite uses the index of unfinished scans only if the states are literals in the SQL.
    listUnfinished: async () =>
      (await readRows<ScanRow>(db, "SELECT * FROM scans WHERE state IN ('queued', 'running')")).map(scanOf),
  } satisfies Partial<ScanStore>;
}

function* isRunBy(sql: Sql, id: string, runner: string): StepGenerator<boolean> {
  const lock = sql.dialect === 'postgres' ? ' FOR UPDATE' : '';
  const found = yield* sql.get(
    `SELECT 1 FROM scans WHERE id = ? AND runner = ? AND state IN ('queued', 'running')${lock}`,
    id,
    runner,
  );
  return found !== undefined;
}

function* insertFindings(
  sql: Sql,
  { id: scan, runner }: { readonly id: string; readonly runner: string },
  findings: readonly Finding[],
  first: number,
): StepGenerator<boolean> {
  if (!(yield* isRunBy(sql, scan, runner))) return false;
  yield* sql.sendEach(
    `INSERT INTO scan_findings (scan, ordinal, severity, finding) VALUES (?, ?, ?, ?)
     ON CONFLICT (scan, ordinal) DO UPDATE SET severity = excluded.severity, finding = excluded.finding`,
    findings.map((finding, at) => [
      scan,
      first + at,
      SEVERITIES.indexOf(finding.severity),
      toSanitizedJson(finding),
    ]),
  );
  return true;
}

function* readRow(sql: Sql, owner: string, id: string): StepGenerator<ScanRow | undefined> {
  return yield* sql.get<ScanRow>`SELECT * FROM scans WHERE owner = ${checkOwnerName(owner)}
    AND id = ${sanitizeDatabaseText(id)}`;
}

function* readFindings(
  sql: Sql,
  { id, state }: ScanRow,
  { floor = 'info', offset = 0, limit = Number.MAX_SAFE_INTEGER }: FindingQuery,
): StepGenerator<Finding[]> {
  if (state !== 'completed') return [];
  const rows = yield* sql.all<{ finding: string }>`SELECT finding FROM scan_findings
    WHERE scan = ${id} AND severity <= ${SEVERITIES.indexOf(floor)}
    ORDER BY ordinal LIMIT ${limit} OFFSET ${offset}`;
  return rows.map(({ finding }) => JSON.parse(finding) as Finding);
}

function* readComponents(sql: Sql, { id, state }: ScanRow): StepGenerator<SoftwareComponent[]> {
  if (state !== 'completed') return [];
  const row = yield* sql.get<{ components: string }>`SELECT components FROM scan_components
    WHERE scan = ${id}`;
  return row ? (JSON.parse(row.components) as SoftwareComponent[]) : [];
}

function scanOf(row: Omit<ScanRow, 'rowid'>): StoredScan {
  const { id, owner, state, runner, message } = row;
  const result =
    row.report === null ? undefined : (JSON.parse(row.report) as { report: ScanReport; counts: ScanCounts });
  return {
    id,
    owner,
    runner,
    beatAt: row.beat_at,
    isShared: row.terms !== null,
    request: requestOf(row),
    state,
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    reason: state === 'failed' ? message : undefined,
    progress: message !== '' && state !== 'failed' ? { message } : undefined,
    ...result,
  };
}

function requestOf({
  repository,
  branch,
  deep,
  dependencies,
}: Pick<ScanRow, 'repository' | 'branch' | 'deep' | 'dependencies'>): ScanRequest {
  return { repository, branch: branch ?? undefined, deep: deep === 1, dependencies: dependencies === 1 };
}
