import type { UrlGuard } from '../lib/network/url-guard.ts';
import type { PageVerdict, PageWatch, PageWatchTimes } from '../lib/watching/page-watch.ts';
import type { AlertEvent, MonitorFinding, MonitorStatus } from './alert-types.ts';
import type { ProbeOptionChanges } from './probing/probe-options.ts';
import type { RepositoryTarget } from './targets/target.ts';

export type * from './alert-types.ts';
export type { MaintenanceWindow } from './alerts/maintenance.ts';
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

/** Reads watched pages as `browse` reads pages, and says what has changed on them. */
export interface PageWatcher {
  readonly guard: UrlGuard;
  /** Throws AppError `bad_request` if what is watched cannot be read from any page. */
  check(watch: PageWatch): Promise<void>;
  look(
    url: string,
    watch: PageWatch,
    state: string | undefined,
    how: PageWatchTimes & { readonly owner: string; readonly signal: AbortSignal },
  ): Promise<PageVerdict>;
}

export type RepositoryScan = (
  owner: string,
  target: RepositoryTarget,
  signal: AbortSignal,
) => Promise<RepositoryScanResult>;
