import type { AlertEvent, MonitorFacts, MonitorFinding, MonitorStatus } from './alert-types.ts';
import type { describeMonitor, summarizeMonitor } from './describe-monitor.ts';
import type { MonitorHistory } from './history/history-types.ts';
import type { ProbeOptionChanges } from './probing/probe-options.ts';
import type { HeartbeatSignal } from './scheduling/heartbeat-store.ts';
import type {
  StatusPage,
  StatusPageSettingChanges,
  StatusPageSettings,
} from './status-page/status-page-types.ts';
import type { Infrastructure, RepositoryTarget } from './targets/target.ts';

export type * from './alert-types.ts';
export type { MaintenanceWindow } from './alerts/maintenance.ts';
export type { MonitorDescription, MonitorHistoryDescription, MonitorSummary } from './describe-monitor.ts';
export type * from './history/history-types.ts';
export type { ProbeExpectations as Expectations, ProbeOptionChanges } from './probing/probe-options.ts';
export type { HeartbeatSignal } from './scheduling/heartbeat-store.ts';
export type * from './status-page/status-page-types.ts';
export type { Infrastructure, MonitorTarget as Target } from './targets/target.ts';

export interface MonitorGroup {
  readonly name: string;
  readonly status: MonitorStatus;
  readonly monitors: number;
  readonly down: number;
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
  /** Throws AppError `bad_request`, `forbidden` (private address) or `too_large` (too many monitors). */
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
  readonly describeMonitor: typeof describeMonitor;
  readonly summarizeMonitor: typeof summarizeMonitor;
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
