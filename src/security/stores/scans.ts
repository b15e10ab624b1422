import { setImmediate } from 'node:timers/promises';
import { SEVERITIES } from '../../lib/severity.ts';
import { legalOwner } from '../../storage/owner.ts';
import type { Database } from '../../storage/sqlite.ts';
import type { Component, Finding } from '../finding.ts';
import type { Counts, ScanReport, ScanState } from '../scan.ts';
import type { ScanStore, StoredScan } from '../scan-store.ts';

/** Rows written in one step: some milliseconds. */
const STEP = 500;

interface Row {
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
}

/** Scans in SQLite. */
export function createSqliteScanStore(db: Database): ScanStore {
  return {
    add(owner, id, { repository, branch, deep, dependencies }, runner, at, keep) {
      db.transactionSync(() => {
        db.run(
          `INSERT INTO scans (id, owner, repository, branch, deep, dependencies, state, runner, beat_at, message, created_at)
           VALUES (?, ?, ?, ?, ?, ?, 'queued', ?, ?, '', ?)`,
          id,
          legalOwner(owner),
          plain(repository),
          branch === undefined ? null : plain(branch),
          Number(deep),
          Number(dependencies),
          runner,
          at,
          at,
        );
        db.run(
          `DELETE FROM scans WHERE id IN (
             SELECT id FROM scans WHERE owner = ?1 ORDER BY created_at DESC, rowid DESC LIMIT -1 OFFSET ?2
           ) AND state IN ('completed', 'failed')`,
          owner,
          keep,
        );
      });
    },
    start(id, at) {
      db.run("UPDATE scans SET state = 'running', started_at = ?, beat_at = ? WHERE id = ?", at, at, id);
    },
    beat(id, message, at) {
      db.run(
        "UPDATE scans SET beat_at = ?, message = ? WHERE id = ? AND state IN ('queued', 'running')",
        at,
        plain(message),
        id,
      );
    },
    async complete(id, { findings, components, report, counts }, at) {
      for (let from = 0; from < findings.length; from += STEP) {
        db.transactionSync(() => {
          findings.slice(from, from + STEP).forEach((finding, index) => {
            db.run(
              'INSERT OR REPLACE INTO scan_findings (scan, ordinal, severity, finding) VALUES (?, ?, ?, ?)',
              id,
              from + index,
              SEVERITIES.indexOf(finding.severity),
              JSON.stringify(finding),
            );
          });
        });
        await setImmediate();
      }
      db.transactionSync(() => {
        if (components.length > 0) {
          db.run(
            'INSERT INTO scan_components (scan, components) VALUES (?, ?)',
            id,
            JSON.stringify(components),
          );
        }
        db.run(
          "UPDATE scans SET state = 'completed', message = '', ended_at = ?, report = ? WHERE id = ?",
          at,
          JSON.stringify({ report, counts }),
          id,
        );
      });
    },
    fail(id, reason, at) {
      db.run(
        "UPDATE scans SET state = 'failed', message = ?, ended_at = ? WHERE id = ? AND state IN ('queued', 'running')",
        plain(reason),
        at,
        id,
      );
    },
    get(owner, id) {
      const row = db.get<Row>('SELECT * FROM scans WHERE owner = ? AND id = ?', legalOwner(owner), plain(id));
      return row && scanOf(row);
    },
    list: (owner) =>
      db
        .all<Row>(
          'SELECT * FROM scans WHERE owner = ? ORDER BY created_at DESC, rowid DESC',
          legalOwner(owner),
        )
        .map(scanOf),
    findings: (owner, id, { floor = 'info', offset = 0, limit = -1 }) =>
      db
        .all<{ finding: string }>(
          `SELECT finding FROM scan_findings JOIN scans ON scans.id = scan
           WHERE scans.owner = ? AND scan = ? AND scans.state = 'completed' AND severity <= ?
           ORDER BY ordinal LIMIT ? OFFSET ?`,
          legalOwner(owner),
          plain(id),
          SEVERITIES.indexOf(floor),
          limit,
          offset,
        )
        .map(({ finding }) => JSON.parse(finding) as Finding),
    components(owner, id) {
      const row = db.get<{ components: string }>(
        `SELECT components FROM scan_components JOIN scans ON scans.id = scan
         WHERE scans.owner = ? AND scan = ? AND scans.state = 'completed'`,
        legalOwner(owner),
        plain(id),
      );
      return row ? (JSON.parse(row.components) as Component[]) : [];
    },
    remove: (owner, id) =>
      db.run('DELETE FROM scans WHERE owner = ? AND id = ?', legalOwner(owner), plain(id)) > 0,
    unfinished: () => db.all<Row>("SELECT * FROM scans WHERE state IN ('queued', 'running')").map(scanOf),
  };
}

function plain(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

function scanOf(row: Row): StoredScan {
  const { id, owner, repository, branch, state, runner, message } = row;
  const told =
    row.report === null ? undefined : (JSON.parse(row.report) as { report: ScanReport; counts: Counts });
  return {
    id,
    owner,
    runner,
    beatAt: row.beat_at,
    request: {
      repository,
      branch: branch ?? undefined,
      deep: row.deep === 1,
      dependencies: row.dependencies === 1,
    },
    state,
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    reason: state === 'failed' ? message : undefined,
    progress: message !== '' && state !== 'failed' ? { message } : undefined,
    ...told,
  };
}
