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
    ...(monitor.score !== undefined && { score: monitor.score }),
    options: {
      alert_threshold: monitor.threshold,
      scan_interval: monitor.intervalMs / 1000,
      ...(webhook !== undefined && { webhook }),
      ...(secret !== undefined && { webhook_secret: secret }),
    },
    runs: {
      started: iso(monitor.startedAt),
      ...(monitor.lastRun !== undefined && { last: iso(monitor.lastRun) }),
      ...(monitor.nextRun !== undefined && { next: iso(monitor.nextRun) }),
      ...(monitor.state === 'paused' && { paused: true }),
      ...(monitor.trouble !== undefined && { trouble: monitor.trouble }),
      ...(monitor.uptime !== undefined && { uptime: rounded(monitor.uptime) }),
      open_alerts: monitor.openAlerts,
      ...(left > 0 && { findings_left: left }),
      deliveries: monitor.deliveries,
      ...(monitor.contact !== undefined && { owner: monitor.contact }),
      ...(monitor.tags.length > 0 && { tags: [...monitor.tags] }),
    },
    targets: monitor.targets.slice(0, most(TARGETS)).map((one) => ({
      name: one.name,
      kind: one.kind,
      ...(one.up !== undefined && { up: one.up }),
      ...(one.uptime !== undefined && { uptime: rounded(one.uptime) }),
      ...(one.grade && { grade: one.grade.grade, grade_score: one.grade.score }),
      measures: { ...one.measures },
      ...(one.lastRun !== undefined && { last_run: iso(one.lastRun) }),
      ...(one.nextRun !== undefined && { next_run: iso(one.nextRun) }),
      ...(Object.keys(one.trouble).length > 0 && { trouble: { ...one.trouble } }),
    })),
    findings: findings.map(plainFinding),
    alerts: monitor.alerts
      .slice(0, most(ALERTS))
      .map(({ id, flapping, raisedAt, clearedAt, reason, finding: of }) => ({
        id,
        state: clearedAt === undefined ? ('open' as const) : ('cleared' as const),
        flapping,
        raised_at: iso(raisedAt),
        ...(clearedAt !== undefined && { cleared_at: iso(clearedAt) }),
        ...(reason !== undefined && { cleared_reason: reason }),
        finding: plainFinding(of),
      })),
    ...(deadLetters.length > 0 && { dead_deliveries: deadLetters.slice(0, most(DEAD)).map(deadOf) }),
  };
}

/** The same in a line of a list. */
export function brieflyTold({ id, status, score, openAlerts, lastRun }: Monitored) {
  return {
    infrastructure_id: id,
    status,
    ...(score !== undefined && { score }),
    open_alerts: openAlerts,
    ...(lastRun !== undefined && { last_run: iso(lastRun) }),
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
    ...(triedAt !== undefined && { last_attempt: iso(triedAt) }),
    trouble,
  };
}

function plainFinding({ cwe, scanners: _, ...rest }: MonitorFinding) {
  return { ...rest, ...(cwe && { cwe: [...cwe] }) };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

function rounded(share: number): number {
  return Math.round(share * 1e5) / 1e5;
}
