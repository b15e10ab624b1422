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
/** The monitoring module's interface for all other modules. Types only. */
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

/** Reason why an alert ended: its problem is gone, scores below the threshold, or is no longer checked. */
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
  /** Number of consecutive probes that did not find the problem. */
  readonly good: number;
  /** True if the problem came and went several times before this alert. */
  readonly flapping: boolean;
}

export interface StoredAlert extends OpenAlert {
  readonly finding: MonitorFinding;
  readonly raisedAt: number;
  readonly clearedAt?: number;
  readonly reason?: ClearReason;
}

/** Content of the message when an alert is raised or cleared. Stored as JSON until it is sent. */
export interface Notification {
  readonly event: AlertEvent;
  readonly infrastructure_id: string;
  readonly alert: {
    /** Id of the alert. The notifications of its start and its end have the same id, so that receivers can match them. */
    readonly id: number;
    readonly finding: MonitorFinding;
    /** True if the problem comes and goes. The next notification is sent only after the problem has been absent for some time. */
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
  /** Number of notifications that were given up after the last attempt. */
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
  /** True if the target is up. Undefined for repositories, before the first probe, and while this machine cannot reach it. */
  readonly up?: boolean;
  /** Share of the known time of the last 30 days in which the target was up, from 0 to 1. See `computeCoveredTime`. */
  readonly uptime?: number;
  readonly grade?: Grade;
  readonly measures: Readonly<Record<string, number | string>>;
  readonly lastRun?: number;
  readonly nextRun?: number;
  /** Reasons of failed checks by check name. A check is also listed if this machine prevented it from examining the target. */
  readonly trouble: Readonly<Record<string, string>>;
}

/** What a check has examined of a target. Without a `reason`, the examination is complete and current. */
export interface CheckCoverage {
  readonly check: string;
  readonly target: string;
  /** Time of the last probe that could examine the target, in milliseconds since the epoch. */
  readonly at?: number;
  /** Reason why the last probe could not examine the whole target: `the page refuses the connection`. Earlier findings stay. */
  readonly reason?: string;
  /** Milliseconds between two probes of the target. */
  readonly everyMs: number;
}

/** Status of a monitor. Its times are in milliseconds since the epoch. */
export interface Monitored {
  readonly id: string;
  readonly status: MonitorStatus;
  readonly state: MonitorState;
  readonly trouble?: string;
  /** Score from 0 to 100 (see `computeMonitorScore`); undefined before the first successful probe. */
  readonly score?: number;
  readonly threshold: number;
  readonly intervalMs: number;
  /** Scheme and host of the webhook, because the rest of its address may be a secret. */
  readonly webhook?: string;
  readonly probing: ProbeOptions;
  /** Token of the heartbeat, only in the answer that creates it. */
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
  /** Open alerts, then ended alerts. Each group has the newest alert first. */
  readonly alerts: readonly StoredAlert[];
  readonly deliveries: DeliveryCounts;
  /** Notifications that were given up, newest first. */
  readonly deadLetters: readonly DeadLetter[];
  readonly coverage: readonly CheckCoverage[];
}

export interface DescribeMonitorOptions {
  /** True for the complete description, which programs get. A model gets only the worst findings. */
  readonly whole: boolean;
  readonly history?: MonitorHistory | undefined;
  /** True to add the history of each day and target, and every incident. */
  readonly detailed?: boolean;
  /** Key that signs requests to the webhook. It is only in the answer that sets the webhook, since answers are stored. */
  readonly secret?: string | undefined;
  /** Token of a heartbeat, only for the answer that creates it. */
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

/** Description of a monitor in API answers, MCP resources and `--json`. Times are ISO 8601, intervals are in seconds. */
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
    /** Path that the watched job requests, only in the answer that creates its token. */
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

/** Monitors with the same group name. The group has the status of its worst member. */
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

/** Options of a new or changed monitor. An option that is left out keeps its value; null removes the webhook. */
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

/** Monitors infrastructures. Each call is made for an owner and does not see monitors of other users. */
export interface Monitor {
  /** Watches an infrastructure. Throws AppError `bad_request` (unknown id or option), `forbidden` (private) or `too_large`. */
  startMonitor(
    owner: string,
    id: string,
    options: StartMonitorOptions,
    signal: AbortSignal,
  ): Promise<Monitored>;
  /** Waits a short time until any process has made the first probe of a new monitor. See `awaitFirstProbe`. */
  waitForFirstProbe(owner: string, id: string, watch: FirstProbeWatch): Promise<Monitored>;
  /** Returns a monitor's status. Rejects with AppError `not_found`, as do all methods below. */
  getMonitor(owner: string, id: string): Promise<Monitored>;
  listMonitors(owner: string): Promise<Monitored[]>;
  groupsOf(monitors: readonly Monitored[]): MonitorGroup[];
  /** Returns the owner's public status page, or undefined while it is off. */
  getPage(owner: string): Promise<StatusPageSettings | undefined>;
  /** Switches the page on or changes it. Throws AppError `bad_request` for a slug that is in use or invalid. */
  setPage(owner: string, given: StatusPageSettingChanges): Promise<StatusPageSettings>;
  removePage(owner: string): Promise<void>;
  /** Returns a public page by its slug. `mark` is a text that changes with the page's settings, and `read` reads the page. */
  findStatusPage(slug: string): Promise<{ readonly mark: string; read(): Promise<StatusPage> } | undefined>;
  /** Returns the history of 90 days. For more than 20 targets this takes long, so it is undefined unless `isAsked` is true. */
  readHistory(owner: string, id: string, isAsked?: boolean): Promise<MonitorHistory | undefined>;
  describeMonitor(monitor: Monitored, options: DescribeMonitorOptions): MonitorDescription;
  summarizeMonitor(monitor: Monitored): MonitorSummary;
  findInfrastructure(owner: string, id: string): Infrastructure | undefined;
  /** Ends the probes and the open alerts, since no later probe would clear the alerts. The findings stay. */
  stopMonitor(owner: string, id: string): Promise<Monitored>;
  /** Pauses the probes. Open alerts stay open until the monitor is resumed. */
  pauseMonitor(owner: string, id: string): Promise<Monitored>;
  resumeMonitor(owner: string, id: string): Promise<Monitored>;
  /** Deletes a monitor with its data. Receivers of its open alerts are notified that the alerts have ended. */
  removeMonitor(owner: string, id: string): Promise<void>;
  /** Sends given-up notifications once again. Notifications that a later one has made outdated are only counted. */
  resendNotifications(owner: string, id: string): Promise<ResendResult>;
  /** Calls the listener when any process has changed or removed a monitor. Returns a function that removes the listener. */
  onChange(listener: (owner: string, id: string) => void): () => void;
  /** Returns the key that signs requests to an owner's webhooks, in the form of Standard Webhooks: `whsec_...`. */
  webhookSecret(owner: string): string;
  /** Records a heartbeat (default: a success). Resolves to true if a monitor has this token. */
  takeHeartbeat(token: string, signal?: HeartbeatSignal): Promise<boolean>;
  signsWebhook(webhook: string): boolean;
  /** Starts to probe and notify, but not while `isLeft` says that another process does. Can be called again after a failure. */
  startWorking(events?: MonitorEvents, isLeft?: () => boolean): Promise<void>;
  close(): Promise<void>;
}
