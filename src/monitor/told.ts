import type { MonitorFinding } from './finding.ts';
import type { Monitored } from './status.ts';
import type { DeadLetter } from './store.ts';

/** What is told of a monitor, and to whom. */
export interface TellOptions {
  /** All of it, for programs; a model gets the worst. */
  readonly whole: boolean;
  /** What posts to its webhook are signed with: only for the answer that sets one, since answers are kept. */
  readonly secret?: string | undefined;
}

/** Targets, findings, alerts and dead deliveries that a model reads. */
const [TARGETS, FINDINGS, ALERTS, DEAD] = [20, 25, 10, 5];

/** A monitor in the one shape that answers, resources and `--json` have: times are ISO 8601, intervals seconds. */
export function toldOf(monitor: Monitored, { whole, secret }: TellOptions) {
  const { webhook, deadLetters } = monitor;
  const most = (count: number) => (whole ? Infinity : count);
  const findings = monitor.findings.slice(0, most(FINDINGS));
  const left = monitor.findings.length - findings.length;
  return {
    infrastructure_id: monitor.id,
    status: monitor.status,
    score: monitor.score,
    options: {
      alert_threshold: monitor.threshold,
      scan_interval: monitor.intervalMs / 1000,
      webhook,
      webhook_secret: secret,
    },
    runs: {
      started: iso(monitor.startedAt),
      last: monitor.lastRun !== undefined ? iso(monitor.lastRun) : undefined,
      next: monitor.nextRun !== undefined ? iso(monitor.nextRun) : undefined,
      paused: monitor.state === 'paused' ? true : undefined,
      trouble: monitor.trouble,
      uptime: monitor.uptime !== undefined ? rounded(monitor.uptime) : undefined,
      open_alerts: monitor.openAlerts,
      findings_left: left > 0 ? left : undefined,
      deliveries: monitor.deliveries,
      owner: monitor.contact,
      tags: monitor.tags.length > 0 ? [...monitor.tags] : undefined,
    },
    targets: monitor.targets.slice(0, most(TARGETS)).map((one) => ({
      name: one.name,
      kind: one.kind,
      up: one.up,
      uptime: one.uptime !== undefined ? rounded(one.uptime) : undefined,
      ...(one.grade && { grade: one.grade.grade, grade_score: one.grade.score }),
      measures: { ...one.measures },
      last_run: one.lastRun !== undefined ? iso(one.lastRun) : undefined,
      next_run: one.nextRun !== undefined ? iso(one.nextRun) : undefined,
      trouble: Object.keys(one.trouble).length > 0 ? { ...one.trouble } : undefined,
    })),
    findings: findings.map(plainFinding),
    alerts: monitor.alerts
      .slice(0, most(ALERTS))
      .map(({ id, flapping, raisedAt, clearedAt, reason, finding: of }) => ({
        id,
        state: clearedAt === undefined ? ('open' as const) : ('cleared' as const),
        flapping,
        raised_at: iso(raisedAt),
        cleared_at: clearedAt !== undefined ? iso(clearedAt) : undefined,
        cleared_reason: reason,
        finding: plainFinding(of),
      })),
    dead_deliveries: deadLetters.length > 0 ? deadLetters.slice(0, most(DEAD)).map(deadOf) : undefined,
  };
}

/** The same in a line of a list. */
export function brieflyTold({ id, status, score, openAlerts, lastRun }: Monitored) {
  return {
    infrastructure_id: id,
    status,
    score,
    open_alerts: openAlerts,
    last_run: lastRun !== undefined ? iso(lastRun) : undefined,
  };
}

function deadOf({ channel, notice, attempts, triedAt, trouble }: DeadLetter) {
  const { id, finding, raised_at, cleared_at = raised_at } = notice.alert;
  const { title, target: at } = finding;
  return {
    channel,
    event: notice.event,
    alert: id,
    title,
    target: at,
    at: cleared_at,
    attempts,
    last_attempt: triedAt !== undefined ? iso(triedAt) : undefined,
    trouble,
  };
}

function plainFinding({ cwe, scanners: _, ...rest }: MonitorFinding) {
  return { ...rest, cwe: cwe ? [...cwe] : undefined };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

function rounded(share: number): number {
  return Math.round(share * 1e5) / 1e5;
}
