import type {
  DeadLetter,
  DescribeMonitorOptions,
  MonitorFacts,
  MonitorFinding,
  StoredAlert,
  TargetStatus,
} from './alert-types.ts';
import { describeHistory } from './history/history-description.ts';
import type { ProbeExpectations, ProbeOptions } from './probing/probe-options.ts';

const [MAX_TARGETS, MAX_FINDINGS, MAX_ALERTS, MAX_DEAD] = [20, 25, 10, 5];

export type MonitorDescription = ReturnType<typeof describeMonitor>;
export type MonitorSummary = ReturnType<typeof summarizeMonitor>;
export type MonitorHistoryDescription = ReturnType<typeof describeHistory>;

/** Describes a monitor as JSON, with times in ISO 8601 and intervals in seconds. */
export function describeMonitor(
  monitor: MonitorFacts,
  { whole, secret, heartbeatToken, history, detailed = false }: DescribeMonitorOptions,
) {
  const { deadLetters } = monitor;
  const most = (count: number) => (whole ? Infinity : count);
  const findings = monitor.findings.slice(0, most(MAX_FINDINGS));
  const left = monitor.findings.length - findings.length;
  return {
    infrastructure_id: monitor.id,
    status: monitor.status,
    score: monitor.score,
    options: {
      alert_threshold: monitor.threshold,
      scan_interval: monitor.intervalMs / 1000,
      webhook: monitor.webhook,
      webhook_secret: secret,
      ...describeProbing(monitor.probing),
      heartbeat: heartbeatToken !== undefined ? `/heartbeat/${heartbeatToken}` : undefined,
    },
    runs: runsOf(monitor, left),
    targets: monitor.targets.slice(0, most(MAX_TARGETS)).map(describeTarget),
    history: history && describeHistory(history, detailed),
    findings: findings.map(describeFinding),
    alerts: monitor.alerts.slice(0, most(MAX_ALERTS)).map(describeAlert),
    dead_deliveries:
      deadLetters.length > 0 ? deadLetters.slice(0, most(MAX_DEAD)).map(describeDead) : undefined,
  };
}

function describeProbing({ expect, page, retries, retryMs, graceMs, maintenance }: ProbeOptions) {
  return {
    expect: expect && describeExpectations(expect),
    page: page && { ...page },
    retries,
    grace: graceMs !== undefined ? graceMs / 1000 : undefined,
    retry_interval: retryMs !== undefined ? retryMs / 1000 : undefined,
    maintenance: maintenance?.map((window) =>
      'from' in window ? { from: iso(window.from), to: iso(window.to) } : { ...window },
    ),
  };
}

function describeExpectations({ status, contains, lacks, json, responseMs }: ProbeExpectations) {
  const listOf = (texts?: readonly string[]) => (texts ? [...texts] : undefined);
  return {
    status,
    contains: listOf(contains),
    lacks: listOf(lacks),
    json: listOf(json),
    response_ms: responseMs,
  };
}

function runsOf(monitor: MonitorFacts, left: number) {
  return {
    started: iso(monitor.startedAt),
    last: optionalIso(monitor.lastRun),
    next: optionalIso(monitor.nextRun),
    paused: monitor.state === 'paused' ? true : undefined,
    maintenance_until: optionalIso(monitor.maintenanceUntil),
    trouble: monitor.trouble,
    uptime: monitor.uptime !== undefined ? rounded(monitor.uptime) : undefined,
    open_alerts: monitor.openAlerts,
    findings_left: left > 0 ? left : undefined,
    deliveries: monitor.deliveries,
    group: monitor.probing.group,
    name: monitor.probing.name,
    owner: monitor.contact,
    tags: monitor.tags.length > 0 ? [...monitor.tags] : undefined,
  };
}

function describeTarget(target: TargetStatus) {
  return {
    name: target.name,
    kind: target.kind,
    up: target.up,
    uptime: target.uptime !== undefined ? rounded(target.uptime) : undefined,
    grade: target.grade?.grade,
    grade_score: target.grade?.score,
    measures: { ...target.measures },
    last_run: optionalIso(target.lastRun),
    next_run: optionalIso(target.nextRun),
    trouble: Object.keys(target.trouble).length > 0 ? { ...target.trouble } : undefined,
  };
}

function describeAlert(alert: StoredAlert) {
  return {
    id: alert.id,
    state: alert.clearedAt === undefined ? ('open' as const) : ('cleared' as const),
    flapping: alert.flapping,
    raised_at: iso(alert.raisedAt),
    cleared_at: optionalIso(alert.clearedAt),
    cleared_reason: alert.reason,
    finding: describeFinding(alert.finding),
  };
}

export function summarizeMonitor(monitor: MonitorFacts) {
  const { id, status, score, openAlerts, lastRun, probing } = monitor;
  return {
    infrastructure_id: id,
    status,
    score,
    open_alerts: openAlerts,
    group: probing.group,
    last_run: optionalIso(lastRun),
  };
}

function describeDead({ channel, notification, attempts, triedAt, trouble }: DeadLetter) {
  const { id, finding, raised_at, cleared_at = raised_at } = notification.alert;
  const { title, target: at } = finding;
  return {
    channel,
    event: notification.event,
    alert: id,
    title,
    target: at,
    at: cleared_at,
    attempts,
    last_attempt: optionalIso(triedAt),
    trouble,
  };
}

function describeFinding({ cwe, change, scanners: _, ...rest }: MonitorFinding) {
  return { ...rest, cwe: cwe ? [...cwe] : undefined, change: change && { ...change } };
}

const iso = (time: number): string => new Date(time).toISOString();

function optionalIso(time: number | undefined): string | undefined {
  return time === undefined ? undefined : iso(time);
}

const rounded = (share: number): number => Math.round(share * 1e5) / 1e5;
