import type { Severity } from '../lib/severity.ts';
import type { HistoryDescription, MonitorHistory } from './history/history-types.ts';
import type { AlertEvent, MonitorEvents } from './probing/events.ts';
import type { GivenProbing, Probing } from './probing/probing.ts';
import type { Signal } from './scheduling/beat-store.ts';
import type { GivenPage, PageSettings, StatusPage } from './status-page/page-types.ts';
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
/** The room's face: all that tools, flows, commands and the server know of it. Types alone. */
export type { AlertEvent, MonitorEvents, Outcome } from './probing/events.ts';
export type { Expectations, GivenProbing, Probing } from './probing/probing.ts';
export type { RepositoryScan, ScanFinding, ScanResult } from './repository-scan.ts';
export type { Signal } from './scheduling/beat-store.ts';
export type {
  GivenPage,
  PageSettings,
  Service,
  ServiceGroup,
  ServiceIncident,
  ServiceState,
  StatusPage,
} from './status-page/page-types.ts';
export type { Infrastructure, RepositoryTarget, Target } from './targets/target.ts';

/** What its owner wants of a monitor. */
export type MonitorState = 'active' | 'paused' | 'stopped';
/** How what is watched stands. */
export type MonitorStatus = 'active' | 'degraded' | 'down' | 'alerting' | 'stopped';

/** Why an alert ended: its problem is gone, scores less than the threshold, or is no longer checked. */
export type ClearReason =
  | 'recovered'
  | 'below_threshold'
  | 'target_removed'
  | 'monitor_stopped'
  | 'monitor_removed';

/** A problem of a target, as it stands now. */
export interface MonitorFinding {
  /** Id of the rule: `certificate/expired`. */
  readonly id: string;
  readonly severity: Severity;
  /** On the CVSS scale, 0 to 10; compared with the alert threshold. */
  readonly score: number;
  readonly title: string;
  readonly description: string;
  readonly fix: string;
  readonly cwe?: readonly string[];
  /** Name of the target. */
  readonly target: string;
  /** Names of the scanners that found it, in a repository. */
  readonly scanners?: readonly string[];
  /** See `fingerprintOf`. */
  readonly fingerprint: string;
}

/** An open alert, of one check at one target. */
export interface OpenAlert {
  readonly id: number;
  readonly fingerprint: string;
  /** Probes in a row that did not find it. */
  readonly good: number;
  /** It came and went before. */
  readonly flapping: boolean;
}

export interface StoredAlert extends OpenAlert {
  readonly finding: MonitorFinding;
  readonly raisedAt: number;
  readonly clearedAt?: number;
  readonly reason?: ClearReason;
}

/** What receivers get when an alert is raised or cleared; stored as JSON until it has arrived. */
export interface Notification {
  readonly event: AlertEvent;
  readonly infrastructure_id: string;
  readonly alert: {
    /** The same when it is raised and when it is cleared: a receiver's key of the incident. */
    readonly id: number;
    readonly finding: MonitorFinding;
    /** It comes and goes: the next notification comes once it has stayed away for a while. */
    readonly flapping: boolean;
    /** ISO 8601. */
    readonly raised_at: string;
    readonly cleared_at?: string;
    readonly cleared_reason?: ClearReason;
  };
}

/** A notification that was given up. */
export interface DeadLetter {
  readonly channel: string;
  readonly notification: Notification;
  readonly attempts: number;
  readonly triedAt?: number;
  /** Why the last attempt failed. */
  readonly trouble: string;
}

export interface Deliveries {
  readonly waiting: number;
  readonly sent: number;
  /** Given up after the last attempt; kept. */
  readonly dead: number;
}

/** Score and grade of the HTTP Observatory. */
export interface Grade {
  readonly score: number;
  readonly grade: string;
}

/** How one target stands; times are milliseconds since the epoch. */
export interface TargetStatus {
  readonly name: string;
  readonly kind: Target['kind'];
  /** Undefined until it was probed, while this machine cannot see it, and for repositories. */
  readonly up?: boolean;
  /** Share of the known time of the last 30 days in which it was up, 0 to 1; see `spokenFor`. */
  readonly uptime?: number;
  /** Of the HTTP Observatory; of web pages. */
  readonly grade?: Grade;
  readonly measures: Readonly<Record<string, number | string>>;
  readonly lastRun?: number;
  readonly nextRun?: number;
  /** Checks that failed, or could not see it because of this machine, with why. */
  readonly trouble: Readonly<Record<string, string>>;
}

/** What a check has seen of a target: all of it and lately, only where there is no `reason`. */
export interface Coverage {
  readonly check: string;
  readonly target: string;
  /** When it last really saw something there, in milliseconds since the epoch; undefined when it never has. */
  readonly at?: number;
  /**
   * Why it saw nothing the last time, or not all: it is not watched now, was not probed yet, or what the check said
   * (`the page refuses the connection`). What was found at `at` or before stands until then.
   */
  readonly reason?: string;
  /** Milliseconds from one probe to the next, as long as it is watched. */
  readonly everyMs: number;
}

/** How a monitor stands; times are milliseconds since the epoch. */
export interface Monitored {
  readonly id: string;
  readonly status: MonitorStatus;
  readonly state: MonitorState;
  readonly trouble?: string;
  /** 0 to 100; see `scoreOf`. Undefined until something was probed. */
  readonly score?: number;
  readonly threshold: number;
  readonly intervalMs: number;
  /** Scheme and host only: all else may be a password. */
  readonly webhook?: string;
  readonly probing: Probing;
  /** The token of its heartbeat: only in the answer that makes one. */
  readonly heartbeatToken?: string | undefined;
  /** When the maintenance window ends that it is in. */
  readonly maintenanceUntil?: number;
  readonly contact?: string;
  readonly tags: readonly string[];
  readonly startedAt: number;
  readonly lastRun?: number;
  readonly nextRun?: number;
  readonly uptime?: number;
  readonly targets: readonly TargetStatus[];
  /** Worst first. */
  readonly findings: readonly MonitorFinding[];
  readonly openAlerts: number;
  /** Open ones first, then ended ones; the newest first of each. */
  readonly alerts: readonly StoredAlert[];
  readonly deliveries: Deliveries;
  /** Notifications that were given up, newest first. */
  readonly deadLetters: readonly DeadLetter[];
  /** Each check at each target that it applies to. */
  readonly coverage: readonly Coverage[];
}

export interface DescribeOptions {
  /** All of it, for programs; a model gets the worst. */
  readonly whole: boolean;
  readonly history?: MonitorHistory | undefined;
  /** The history with each day, each target and every incident. */
  readonly detailed?: boolean;
  /** What posts to its webhook are signed with: only for the answer that sets one, since answers are kept. */
  readonly secret?: string | undefined;
  /** The token of a heartbeat: only for the answer that makes one. */
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

/** As callers give them. */
export interface ExpectationsDescription {
  readonly status?: string;
  readonly contains?: string[];
  readonly lacks?: string[];
  readonly json?: string[];
  readonly response_ms?: number;
}

/** A monitor in the one shape that answers, resources and `--json` have: times are ISO 8601, intervals seconds. */
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
    /** Path that its job calls; only in the answer that makes its token. */
    readonly heartbeat?: string;
  };
  readonly runs: {
    readonly started: string;
    readonly last?: string;
    readonly next?: string;
    readonly paused?: boolean;
    /** When the maintenance window ends that it is in. */
    readonly maintenance_until?: string;
    readonly trouble?: string;
    readonly uptime?: number;
    readonly open_alerts: number;
    readonly findings_left?: number;
    readonly deliveries: Deliveries;
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

/** Monitors that name the same group: it is as its worst member. */
export interface MonitorGroup {
  readonly name: string;
  readonly status: MonitorStatus;
  readonly monitors: number;
  readonly down: number;
}

/** The same in a line of a list. */
export interface MonitorSummary {
  readonly group?: string;
  readonly infrastructure_id: string;
  readonly status: MonitorStatus;
  readonly score?: number;
  readonly open_alerts: number;
  readonly last_run?: string;
}

/** Options of a start: what is left out stays; a webhook that is null is removed. */
export interface StartOptions {
  /** On the CVSS scale, 0 to 10: findings at or above it raise an alert. */
  readonly threshold?: number | undefined;
  /** Milliseconds between two probes of a target. */
  readonly intervalMs?: number | undefined;
  readonly webhook?: string | null | undefined;
  readonly probing?: GivenProbing | undefined;
  /** Makes a new token of a heartbeat. */
  readonly newToken?: boolean | undefined;
}

/** Notifications that were sent again, and those that a later one has made outdated. */
export interface Resent {
  readonly again: number;
  readonly outdated: number;
}

export interface FirstProbeWatch {
  readonly signal: AbortSignal;
  progress(message: string): void;
}

/** The room: watches infrastructures. Every call takes the owner; monitors of other users do not exist for it. */
export interface Monitor {
  /**
   * Watches an infrastructure from now on, or with other options. AppError
   * `bad_request` for an unknown id or option, `forbidden` for a private address, `too_large` for too many.
   */
  startMonitor(owner: string, id: string, options: StartOptions, signal: AbortSignal): Promise<Monitored>;
  /** Waits a moment for the first probe of what was just started, by any process; see `awaitFirstProbe`. */
  waitForFirstProbe(owner: string, id: string, watch: FirstProbeWatch): Promise<Monitored>;
  /** AppError `not_found`, as all below. */
  getMonitor(owner: string, id: string): Promise<Monitored>;
  listMonitors(owner: string): Promise<Monitored[]>;
  /** The groups that these monitors name. */
  groupsOf(monitors: readonly Monitored[]): MonitorGroup[];
  /** The owner's public status page, as it is set; undefined while it is off. */
  getPage(owner: string): Promise<PageSettings | undefined>;
  /** Switches it on, or changes it. AppError `bad_request` for a slug that is taken or not usable. */
  setPage(owner: string, given: GivenPage): Promise<PageSettings>;
  /** Switches it off. */
  removePage(owner: string): Promise<void>;
  /** The page of a slug: a mark that changes with its settings, and what reads it. For everyone: it names no one. */
  findStatusPage(slug: string): Promise<{ readonly mark: string; read(): Promise<StatusPage> } | undefined>;
  /** What probes have seen for 90 days. Unless it `isAsked` for, undefined where there are over 20 targets: it takes a while. */
  readHistory(owner: string, id: string, isAsked?: boolean): Promise<MonitorHistory | undefined>;
  /** In the shape of every surface. */
  describeMonitor(monitor: Monitored, options: DescribeOptions): MonitorDescription;
  summarizeMonitor(monitor: Monitored): MonitorSummary;
  /** What an id stands for, watched or not; undefined where it is not an infrastructure of the owner's. */
  findInfrastructure(owner: string, id: string): Infrastructure | undefined;
  /** Ends the watching, and the open alerts: no probe would see them clear. What was found stays. */
  stopMonitor(owner: string, id: string): Promise<Monitored>;
  /** For a while: open alerts stay open until it is resumed. */
  pauseMonitor(owner: string, id: string): Promise<Monitored>;
  /** As it was before a pause or a stop. */
  resumeMonitor(owner: string, id: string): Promise<Monitored>;
  /** Deletes it, with all it found; who was notified of an open alert is notified that it ended. */
  removeMonitor(owner: string, id: string): Promise<void>;
  /** Sends notifications that were given up once more; those that a later one has made outdated stay, and are counted. */
  resendNotifications(owner: string, id: string): Promise<Resent>;
  /** Called when a monitor has changed or was removed, by any process; ends by the function. */
  onChange(listener: (owner: string, id: string) => void): () => void;
  /** What the posts to an owner's own webhooks are signed with, as Standard Webhooks write it: `whsec_...`. */
  webhookSecret(owner: string): string;
  /** Takes a heartbeat, a success where nothing is said: whether its token is that of a monitor. */
  takeHeartbeat(token: string, signal?: Signal): Promise<boolean>;
  /** Whether posts to such a webhook are signed: not where its service has a body of its own. */
  signsWebhook(webhook: string): boolean;
  /**
   * Probes what is due from now on, and sends notifications; not as long as it `isLeft` to another process. Called again
   * after it has failed, as for a busy database, it starts from scratch.
   */
  startWorking(events?: MonitorEvents, isLeft?: () => boolean): Promise<void>;
  close(): Promise<void>;
}
