import type { Severity } from '../lib/severity.ts';
import type { MonitorHistory } from './history/history-types.ts';
import type { ProbeOptions } from './probing/probe-options.ts';
import type { MonitorTarget } from './targets/target.ts';

export type AlertEvent = 'alert.raised' | 'alert.cleared';
export type MonitorState = 'active' | 'paused' | 'stopped';
export type MonitorStatus = 'active' | 'degraded' | 'down' | 'alerting' | 'stopped';

/** Why an alert ended, for example because its problem is gone or is no longer checked. */
export type ClearReason =
  | 'recovered'
  | 'below_threshold'
  | 'target_removed'
  | 'monitor_stopped'
  | 'monitor_removed'
  /** A change of a page, which is over as soon as it is known. */
  | 'noted';

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
  /** Texts before and after a change of a watched page. */
  readonly change?: { readonly before: string; readonly after: string };
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
