import type { Severity } from '../lib/severity.ts';
import type { HistoryDescription, MonitorHistory } from './history/history-types.ts';
import type { ProbeOptionChanges, ProbeOptions } from './probing/probe-options.ts';
import type { HeartbeatSignal } from './scheduling/heartbeat-store.ts';
import type {
  StatusPage,
  StatusPageSettingChanges,
  StatusPageSettings,
} from './status-page/status-page-types.ts';
import type { Infrastructure, MonitorTarget, RepositoryTarget } from './targets/target.ts';

export type { MaintenanceWindow } from './alerts/maintenance.ts';
export type * from './history/history-types.ts';
export type {
  ProbeExpectations as Expectations,
  ProbeOptionChanges,
  ProbeOptions,
} from './probing/probe-options.ts';
export type { HeartbeatSignal } from './scheduling/heartbeat-store.ts';
export type * from './status-page/status-page-types.ts';
export type { Infrastructure, MonitorTarget as Target, RepositoryTarget } from './targets/target.ts';
export type MonitorState = 'active' | 'paused' | 'stopped';
export type MonitorStatus = 'active' | 'degraded' | 'down' | 'alerting' | 'stopped';

/** Why an alert ended, for example because its problem is gone or is no longer checked. */
export type ClearReason =
  | 'recovered'
  | 'below_threshold'
  | 'target_removed'
  | 'monitor_stopped'
  | 'monitor_removed';

export interface MonitorFinding {
  readonly id: string;
  readonly severity: Severity;
  /** CVSS score from 0 to 10. */
  readonly score: number;
  readonly title: string;
  readonly description: string;
  readonly fix: string;
  readonly cwe?: readonly string[];
  readonly target: string;
  readonly scanners?: readonly string[];
  readonly fingerprint: string;
}

export interface OpenAlert {
  readonly id: number;
  readonly fingerprint: string;
  readonly good: number;
  /** True if the problem came and went several times before. */
  readonly flapping: boolean;
}

export interface StoredAlert extends OpenAlert {
  readonly finding: MonitorFinding;
  readonly raisedAt: number;
  readonly clearedAt?: number;
  readonly reason?: ClearReason;
}

export interface AlertNotification {
  readonly event: AlertEvent;
  readonly infrastructure_id: string;
  readonly alert: {
    readonly id: number;
    readonly finding: MonitorFinding;
    readonly flapping: boolean;
    readonly raised_at: string;
    readonly cleared_at?: string;
    readonly cleared_reason?: ClearReason;
  };
}

export interface DeadLetter {
  readonly channel: string;
  readonly notification: AlertNotification;
  readonly attempts: number;
  readonly triedAt?: number;
  readonly trouble: string;
}

export interface DeliveryCounts {
  readonly waiting: number;
  readonly sent: number;
  readonly dead: number;
}

export interface SecurityGrade {
  readonly score: number;
  readonly grade: string;
}

/** Status of a target. Times are in milliseconds since 1970. */
export interface TargetStatus {
  readonly name: string;
  readonly kind: MonitorTarget['kind'];
  /** True if the target is up. Undefined for repositories, before the first probe, and without a network. */
  readonly up?: boolean;
  /** Share (0 to 1) of the last 30 days in which the target was up. Time without probes does not count. */
  readonly uptime?: number;
  readonly grade?: SecurityGrade;
  readonly measures: Readonly<Record<string, number | string>>;
  readonly lastRun?: number;
  readonly nextRun?: number;
  readonly trouble: Readonly<Record<string, string>>;
}

export interface CheckCoverage {
  readonly check: string;
  readonly target: string;
  /** Time of the last probe that could examine the target, in milliseconds since 1970. */
  readonly at?: number;
  readonly reason?: string;
  readonly everyMs: number;
}

/** Status of a monitor. Times are in milliseconds since the epoch. */
export interface MonitorFacts {
  readonly id: string;
  readonly status: MonitorStatus;
  readonly state: MonitorState;
  readonly trouble?: string;
  /** From 0 to 100 (see `computeMonitorScore`). `score` is undefined before the first successful probe. */
  readonly score?: number;
  readonly threshold: number;
  readonly intervalMs: number;
  /** Scheme and host of the webhook. The rest of the URL may be secret. */
  readonly webhook?: string;
  readonly probing: ProbeOptions;
  readonly heartbeatToken?: string | undefined;
  readonly maintenanceUntil?: number;
  readonly contact?: string;
  readonly tags: readonly string[];
  readonly startedAt: number;
  readonly lastRun?: number;
  readonly nextRun?: number;
  readonly uptime?: number;
  readonly targets: readonly TargetStatus[];
  readonly findings: readonly MonitorFinding[];
  readonly openAlerts: number;
  readonly alerts: readonly StoredAlert[];
  readonly deliveries: DeliveryCounts;
  readonly deadLetters: readonly DeadLetter[];
  readonly coverage: readonly CheckCoverage[];
}

export interface DescribeMonitorOptions {
  /** True for programs, which get all findings. Language models get only the worst. */
  readonly whole: boolean;
  readonly history?: MonitorHistory | undefined;
  readonly detailed?: boolean;
  /** Key with which a receiver verifies the webhook's requests. It is set when the webhook is changed. */
  readonly secret?: string | undefined;
  readonly heartbeatToken?: string | undefined;
}

export interface FindingDescription extends Omit<MonitorFinding, 'cwe' | 'scanners'> {
  readonly cwe?: string[];
}

export interface MaintenanceDescription {
  readonly from?: string;
  readonly to?: string;
  readonly cron?: string;
  readonly minutes?: number;
  readonly zone?: string;
}

export interface ExpectationsDescription {
  readonly status?: string;
  readonly contains?: string[];
  readonly lacks?: string[];
  readonly json?: string[];
  readonly response_ms?: number;
}

/** A monitor as JSON, with times in ISO 8601 and intervals in seconds. */
export interface MonitorDescription {
  readonly infrastructure_id: string;
  readonly status: MonitorStatus;
  readonly score?: number;
  readonly options: {
    readonly alert_threshold: number;
    readonly scan_interval: number;
    readonly webhook?: string;
    readonly webhook_secret?: string;
    readonly expect?: ExpectationsDescription;
    readonly retries?: number;
    readonly retry_interval?: number;
    readonly maintenance?: MaintenanceDescription[];
    readonly grace?: number;
    readonly heartbeat?: string;
  };
  readonly runs: {
    readonly started: string;
    readonly last?: string;
    readonly next?: string;
    readonly paused?: boolean;
    readonly maintenance_until?: string;
    readonly trouble?: string;
    readonly uptime?: number;
    readonly open_alerts: number;
    readonly findings_left?: number;
    readonly deliveries: DeliveryCounts;
    readonly group?: string;
    readonly name?: string;
    readonly owner?: string;
    readonly tags?: string[];
  };
  readonly targets: {
    readonly name: string;
    readonly kind: MonitorTarget['kind'];
    readonly up?: boolean;
    readonly uptime?: number;
    readonly grade?: string;
    readonly grade_score?: number;
    readonly measures: Record<string, number | string>;
    readonly last_run?: string;
    readonly next_run?: string;
    readonly trouble?: Record<string, string>;
  }[];
  readonly history?: HistoryDescription;
  readonly findings: FindingDescription[];
  readonly alerts: {
    readonly id: number;
    readonly state: 'open' | 'cleared';
    readonly flapping: boolean;
    readonly raised_at: string;
    readonly cleared_at?: string;
    readonly cleared_reason?: ClearReason;
    readonly finding: FindingDescription;
  }[];
  readonly dead_deliveries?: {
    readonly channel: string;
    readonly event: string;
    readonly alert: number;
    readonly title: string;
    readonly target: string;
    readonly at: string;
    readonly attempts: number;
    readonly last_attempt?: string;
    readonly trouble: string;
  }[];
}

export interface MonitorGroup {
  readonly name: string;
  readonly status: MonitorStatus;
  readonly monitors: number;
  readonly down: number;
}

export interface MonitorSummary {
  readonly group?: string;
  readonly infrastructure_id: string;
  readonly status: MonitorStatus;
  readonly score?: number;
  readonly open_alerts: number;
  readonly last_run?: string;
}

/** Changes of a monitor. Missing options keep their values. Null removes the webhook. */
export interface StartMonitorOptions {
  readonly threshold?: number | undefined;
  readonly intervalMs?: number | undefined;
  readonly webhook?: string | null | undefined;
  readonly probing?: ProbeOptionChanges | undefined;
  readonly newToken?: boolean | undefined;
}

export interface ResendResult {
  readonly again: number;
  readonly outdated: number;
}

export interface FirstProbeWatch {
  readonly signal: AbortSignal;
  progress(message: string): void;
}

export interface MonitorService {
  /** Throws AppError `bad_request`, `forbidden` for a private address, or `too_large` for many monitors. */
  startMonitor(
    owner: string,
    id: string,
    options: StartMonitorOptions,
    signal: AbortSignal,
  ): Promise<MonitorFacts>;
  /** Waits some seconds for the first results of a new monitor, then returns its status. */
  waitForFirstProbe(owner: string, id: string, watch: FirstProbeWatch): Promise<MonitorFacts>;
  /** Throws AppError `not_found` for an unknown id. */
  getMonitor(owner: string, id: string): Promise<MonitorFacts>;
  listMonitors(owner: string): Promise<MonitorFacts[]>;
  groupsOf(monitors: readonly MonitorFacts[]): MonitorGroup[];
  getPage(owner: string): Promise<StatusPageSettings | undefined>;
  /** Creates or changes the public status page. Throws AppError `bad_request` if its slug is in use. */
  setPage(owner: string, given: StatusPageSettingChanges): Promise<StatusPageSettings>;
  removePage(owner: string): Promise<void>;
  /** Finds a public status page. `read` builds the page, and `mark` changes with the page's settings. */
  findStatusPage(slug: string): Promise<{ readonly mark: string; read(): Promise<StatusPage> } | undefined>;
  /** Returns the last 90 days. Without `isAsked`, returns undefined for more than 20 targets. */
  readHistory(owner: string, id: string, isAsked?: boolean): Promise<MonitorHistory | undefined>;
  describeMonitor(monitor: MonitorFacts, options: DescribeMonitorOptions): MonitorDescription;
  summarizeMonitor(monitor: MonitorFacts): MonitorSummary;
  findInfrastructure(owner: string, id: string): Infrastructure | undefined;
  stopMonitor(owner: string, id: string): Promise<MonitorFacts>;
  pauseMonitor(owner: string, id: string): Promise<MonitorFacts>;
  resumeMonitor(owner: string, id: string): Promise<MonitorFacts>;
  removeMonitor(owner: string, id: string): Promise<void>;
  /** Queues given-up notifications again, unless a later notification about the same alert was sent. */
  resendNotifications(owner: string, id: string): Promise<ResendResult>;
  onChange(listener: (owner: string, id: string) => void): () => void;
  webhookSecret(owner: string): string;
  /** Records a signal of a watched job (default: success). Resolves to false for an unknown token. */
  takeHeartbeat(token: string, signal?: HeartbeatSignal): Promise<boolean>;
  signsWebhook(webhook: string): boolean;
  /** Starts probing and sending. Both pause while `isLeft` returns true. A failed call can be repeated. */
  startWorking(events?: MonitorEvents, isLeft?: () => boolean): Promise<void>;
  close(): Promise<void>;
}

export type AlertEvent = 'alert.raised' | 'alert.cleared';
export type CheckOutcome = 'good' | 'findings' | 'unknown' | 'failed';

export interface MonitorEvents {
  onCheck(check: string, outcome: CheckOutcome, seconds: number): void;
  onAlert(event: AlertEvent): void;
  onNetwork(isUp: boolean): void;
  onSent(channel: string, outcome: 'sent' | 'failed' | 'dead'): void;
}

export interface ScanFinding extends Omit<MonitorFinding, 'severity' | 'target'> {
  readonly scanners: readonly string[];
}

export interface RepositoryScanResult {
  readonly findings: readonly ScanFinding[];
  readonly failed: readonly { readonly scanner: string; readonly why: string }[];
}

export type RepositoryScan = (
  owner: string,
  target: RepositoryTarget,
  signal: AbortSignal,
) => Promise<RepositoryScanResult>;
