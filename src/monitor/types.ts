import type { Severity } from '../lib/severity.ts';
import type { HistoryDescription, MonitorHistory } from './history/history-types.ts';
import type { AlertEvent, MonitorEvents } from './probing/events.ts';
import type { ProbeOptionChanges, ProbeOptions } from './probing/probe-options.ts';
import type { HeartbeatSignal } from './scheduling/heartbeat-store.ts';
import type {
  StatusPage,
  StatusPageSettingChanges,
  StatusPageSettings,
} from './status-page/status-page-types.ts';
import type { Infrastructure, Target } from './targets/target.ts';

export type { MaintenanceWindow } from './alerts/maintenance.ts';
export type {
  DayDescription,
  DayHistory,
  HistoryDescription,
  HistoryWindow,
  HourHistory,
  Incident,
  MonitorHistory,
  WindowDescription,
  WindowName,
} from './history/history-types.ts';
/** Types of the monitoring module that other modules use. */
export type { AlertEvent, CheckOutcome, MonitorEvents } from './probing/events.ts';
export type { Expectations, ProbeOptionChanges, ProbeOptions } from './probing/probe-options.ts';
export type { RepositoryScan, ScanFinding, ScanResult } from './repository-scan.ts';
export type { HeartbeatSignal } from './scheduling/heartbeat-store.ts';
export type {
  PublicService,
  ServiceGroup,
  ServiceIncident,
  ServiceState,
  StatusPage,
  StatusPageSettingChanges,
  StatusPageSettings,
} from './status-page/status-page-types.ts';
export type { Infrastructure, RepositoryTarget, Target } from './targets/target.ts';

export type MonitorState = 'active' | 'paused' | 'stopped';
export type MonitorStatus = 'active' | 'degraded' | 'down' | 'alerting' | 'stopped';

/** Why an alert ended: the problem is gone, its score is now below the threshold, or the problem is no longer checked. */
export type ClearReason =
  | 'recovered'
  | 'below_threshold'
  | 'target_removed'
  | 'monitor_stopped'
  | 'monitor_removed';

export interface MonitorFinding {
  /** Id of the rule, such as `certificate/expired`. */
  readonly id: string;
  readonly severity: Severity;
  /** CVSS score from 0 to 10, compared with the alert threshold. */
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
  /** Number of consecutive probes, up to the last one, that did not find the alert's problem. */
  readonly good: number;
  /** True if the problem had come and gone several times when the alert was raised. */
  readonly flapping: boolean;
}

export interface StoredAlert extends OpenAlert {
  readonly finding: MonitorFinding;
  readonly raisedAt: number;
  readonly clearedAt?: number;
  readonly reason?: ClearReason;
}

/** Content of a notification when an alert is raised or cleared, stored as JSON until the notification is sent. */
export interface Notification {
  readonly event: AlertEvent;
  readonly infrastructure_id: string;
  readonly alert: {
    /** Id of the alert, by which receivers can match the notifications of its start and of its end. */
    readonly id: number;
    readonly finding: MonitorFinding;
    /** True if the problem comes and goes. The alert then ends only after the problem has been absent for longer. */
    readonly flapping: boolean;
    /** Time at which the alert was raised, in ISO 8601. */
    readonly raised_at: string;
    readonly cleared_at?: string;
    readonly cleared_reason?: ClearReason;
  };
}

export interface DeadLetter {
  readonly channel: string;
  readonly notification: Notification;
  readonly attempts: number;
  readonly triedAt?: number;
  readonly trouble: string;
}

export interface DeliveryCounts {
  readonly waiting: number;
  readonly sent: number;
  /** Number of notifications that were given up after all attempts to send them failed. */
  readonly dead: number;
}

export interface Grade {
  readonly score: number;
  readonly grade: string;
}

/** Status of one target. Its times are in milliseconds since the epoch. */
export interface TargetStatus {
  readonly name: string;
  readonly kind: Target['kind'];
  /** True if the target is up. Undefined if unknown: before the first probe, for repositories, or without a network. */
  readonly up?: boolean;
  /** Time in which the target was up, as a share (0 to 1) of the part of the last 30 days that probes cover. */
  readonly uptime?: number;
  readonly grade?: Grade;
  readonly measures: Readonly<Record<string, number | string>>;
  readonly lastRun?: number;
  readonly nextRun?: number;
  /** Reasons why checks failed or why this machine could not examine the target, by the check's name. */
  readonly trouble: Readonly<Record<string, string>>;
}

/** Whether a check has examined a target. Without `reason`, the last probe has examined all of the target. */
export interface CheckCoverage {
  readonly check: string;
  readonly target: string;
  /** Time of the last probe that could examine the target, in milliseconds since the epoch. Undefined if there is none. */
  readonly at?: number;
  /** Reason why the last probe could not examine all of the target. Earlier findings are then kept. */
  readonly reason?: string;
  readonly everyMs: number;
}

/** Status of a monitor. Its times are in milliseconds since the epoch. */
export interface Monitored {
  readonly id: string;
  readonly status: MonitorStatus;
  readonly state: MonitorState;
  readonly trouble?: string;
  /** Score from 0 to 100 (see `computeMonitorScore`). Undefined before the first successful probe. */
  readonly score?: number;
  readonly threshold: number;
  readonly intervalMs: number;
  /** Scheme and host of the webhook's URL, without the rest, which may be secret. */
  readonly webhook?: string;
  readonly probing: ProbeOptions;
  /** Secret token by which the watched job sends heartbeats. Present only in the answer to the call that created the token. */
  readonly heartbeatToken?: string | undefined;
  readonly maintenanceUntil?: number;
  readonly contact?: string;
  readonly tags: readonly string[];
  readonly startedAt: number;
  readonly lastRun?: number;
  readonly nextRun?: number;
  readonly uptime?: number;
  readonly targets: readonly TargetStatus[];
  /** Findings of all targets, the worst first. */
  readonly findings: readonly MonitorFinding[];
  readonly openAlerts: number;
  /** Open alerts, the newest first, and then ended alerts, the newest first. */
  readonly alerts: readonly StoredAlert[];
  readonly deliveries: DeliveryCounts;
  /** Notifications that were given up, newest first. */
  readonly deadLetters: readonly DeadLetter[];
  readonly coverage: readonly CheckCoverage[];
}

export interface DescribeMonitorOptions {
  /** True to describe everything, as programs need it. False for a language model, which gets only the worst findings. */
  readonly whole: boolean;
  readonly history?: MonitorHistory | undefined;
  /** True to include the history of each day and target, and all incidents. */
  readonly detailed?: boolean;
  /** Key for checking signed requests to the webhook. Present only when the webhook is set, since answers may be stored. */
  readonly secret?: string | undefined;
  /** Secret token by which the watched job sends heartbeats. Present only when the token is created. */
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

/** A monitor as in API answers, MCP resources and the option `--json`, with times in ISO 8601 and intervals in seconds. */
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
    /** URL path with a secret token that the watched job requests. Present only when the token is created. */
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
    readonly kind: Target['kind'];
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

/** Monitors whose inventory entries name the same group. The group's status is the worst status of its monitors. */
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

/** Options for starting or changing a monitor. An option that is left out keeps its value. Null removes the webhook. */
export interface StartMonitorOptions {
  /** Minimum CVSS score (0 to 10) of a finding that raises an alert. */
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

/** The monitoring module. Each method takes the owner and reads or changes only this user's monitors. */
export interface Monitor {
  /** Starts to monitor a target. Throws `bad_request` (id, options), `forbidden` (private), `too_large` (too many monitors). */
  startMonitor(
    owner: string,
    id: string,
    options: StartMonitorOptions,
    signal: AbortSignal,
  ): Promise<Monitored>;
  /** Waits for the results of a new monitor's first probe, at most some seconds (see `awaitFirstProbe`). */
  waitForFirstProbe(owner: string, id: string, watch: FirstProbeWatch): Promise<Monitored>;
  /** Returns a monitor. This method and the methods below throw AppError `not_found` for an unknown id. */
  getMonitor(owner: string, id: string): Promise<Monitored>;
  listMonitors(owner: string): Promise<Monitored[]>;
  groupsOf(monitors: readonly Monitored[]): MonitorGroup[];
  /** Returns the settings of the owner's public status page. Undefined if the page is off. */
  getPage(owner: string): Promise<StatusPageSettings | undefined>;
  /** Switches the owner's public status page on, or changes the page. Throws AppError `bad_request` for a slug in use. */
  setPage(owner: string, given: StatusPageSettingChanges): Promise<StatusPageSettings>;
  removePage(owner: string): Promise<void>;
  /** Returns a public status page by the last part of its URL. `mark` changes with its settings; `read` builds the page. */
  findStatusPage(slug: string): Promise<{ readonly mark: string; read(): Promise<StatusPage> } | undefined>;
  /** Returns the history of 90 days. Undefined for more than 20 targets unless `isAsked` is true, because reading takes long. */
  readHistory(owner: string, id: string, isAsked?: boolean): Promise<MonitorHistory | undefined>;
  describeMonitor(monitor: Monitored, options: DescribeMonitorOptions): MonitorDescription;
  summarizeMonitor(monitor: Monitored): MonitorSummary;
  findInfrastructure(owner: string, id: string): Infrastructure | undefined;
  /** Stops a monitor: ends its probes and its open alerts. Its last findings can still be read. */
  stopMonitor(owner: string, id: string): Promise<Monitored>;
  /** Pauses a monitor: ends its probes until the monitor is resumed. Its open alerts stay open. */
  pauseMonitor(owner: string, id: string): Promise<Monitored>;
  resumeMonitor(owner: string, id: string): Promise<Monitored>;
  /** Deletes a monitor and its data. The receivers of its open alerts are notified that the alerts have ended. */
  removeMonitor(owner: string, id: string): Promise<void>;
  /** Queues given-up notifications again. Only counts a notification if a later one about the same alert was sent. */
  resendNotifications(owner: string, id: string): Promise<ResendResult>;
  /** Calls the listener when any process has changed or removed a monitor. Returns a function that removes the listener. */
  onChange(listener: (owner: string, id: string) => void): () => void;
  /** Returns the key that signs requests to an owner's webhooks, in the form of Standard Webhooks: `whsec_...`. */
  webhookSecret(owner: string): string;
  /** Records a heartbeat of a watched job. Resolves to false if the token is unknown. Default signal: success. */
  takeHeartbeat(token: string, signal?: HeartbeatSignal): Promise<boolean>;
  signsWebhook(webhook: string): boolean;
  /** Starts probes and notifications. While `isLeft` is true, another process does this work. Can be repeated after a failure. */
  startWorking(events?: MonitorEvents, isLeft?: () => boolean): Promise<void>;
  close(): Promise<void>;
}
