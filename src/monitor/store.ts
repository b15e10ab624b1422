import type { UptimeStore } from './history/history-store.ts';
import type { CheckCadence } from './probing/check-cadence.ts';
import type { ProbeOptions } from './probing/probe-options.ts';
import type { HeartbeatStore } from './scheduling/heartbeat-store.ts';
import type {
  AlertNotification,
  ClearReason,
  DeadLetter,
  DeliveryCounts,
  MonitorFinding,
  MonitorState,
  OpenAlert,
  ResendResult,
  StoredAlert,
} from './service-types.ts';
import type { StatusPageStore } from './status-page/status-page-store.ts';

export interface MonitorOptions {
  readonly threshold: number;
  readonly intervalMs: number;
  readonly webhook?: string | undefined;
  readonly probing?: ProbeOptions | undefined;
}

/** A monitor as stored. Times are in milliseconds since 1970. */
export interface StoredMonitor extends MonitorOptions {
  readonly probing: ProbeOptions;
  readonly key: number;
  readonly owner: string;
  readonly id: string;
  readonly state: MonitorState;
  readonly startedAt: number;
  readonly trouble?: string;
}

export interface StoredResult {
  readonly target: string;
  readonly check: string;
  readonly at: number;
  /** Time of the last probe that could examine the target. Undefined if no probe could. */
  readonly seenAt?: number;
  readonly unseen?: string;
  /** Why the check failed in the last probe. `findings` are then those of an earlier probe. */
  readonly trouble?: string;
  readonly findings: readonly MonitorFinding[];
  readonly measures: Readonly<Record<string, number | string>>;
  readonly points: Readonly<Record<string, number>>;
  readonly suspects?: Readonly<Record<string, number>>;
  /** State that the check left for its next probe. `listResults` leaves it out, and a result without it keeps it. */
  readonly watched?: string | undefined;
}

export interface CheckedTarget {
  readonly target: string;
  readonly check: string;
}

export const OWN_WEBHOOK_CHANNEL = 'own';

export interface QueuedMessage {
  readonly id: number;
  readonly owner: string;
  readonly monitor?: number;
  readonly webhook?: string;
  readonly channel: string;
  readonly name: string;
  readonly notification: AlertNotification;
  readonly madeAt: number;
  readonly attempts: number;
}

export interface MonitorChanges {
  readonly mark: number;
  readonly changes: readonly { readonly owner: string; readonly id: string }[];
}

export interface MonitorStore {
  putMonitor(owner: string, id: string, options: MonitorOptions, at: number): Promise<StoredMonitor>;
  findMonitor(owner: string, id: string): Promise<StoredMonitor | undefined>;
  findByKey(key: number): Promise<StoredMonitor | undefined>;
  listMonitors(owner: string): Promise<StoredMonitor[]>;
  countMonitors(owner: string): Promise<number>;
  listActive(): Promise<StoredMonitor[]>;
  setState(key: number, state: MonitorState): Promise<void>;
  setTrouble(key: number, trouble: string | undefined): Promise<void>;
  /** Removes a monitor. Its queued messages are still sent. */
  removeMonitor(key: number): Promise<void>;
  markChanged(key: number): Promise<void>;
  changedSince(mark: number): Promise<MonitorChanges>;
  newestMark(): Promise<number>;
  listResults(key: number): Promise<StoredResult[]>;
  findResult(key: number, target: string, check: string): Promise<StoredResult | undefined>;
  listTried(key: number, since: number): Promise<CheckedTarget[]>;
  putResult(key: number, result: StoredResult): Promise<void>;
  removeResults(key: number, which: readonly CheckedTarget[]): Promise<void>;
}

export interface AlertStore {
  listOpenAt(key: number, target: string, check: string): Promise<OpenAlert[]>;
  listOpen(key: number): Promise<(CheckedTarget & { readonly id: number })[]>;
  insertAlert(
    key: number,
    check: string,
    finding: MonitorFinding,
    flapping: boolean,
    at: number,
  ): Promise<number>;
  setGood(alert: number, good: number): Promise<void>;
  clearAlert(alert: number, at: number, reason: ClearReason): Promise<void>;
  findAlert(alert: number): Promise<StoredAlert | undefined>;
  /** Counts alerts raised after `since`, by fingerprint: open alerts, and alerts that ended by recovery. */
  countRaised(
    key: number,
    fingerprints: readonly string[],
    since: number,
  ): Promise<ReadonlyMap<string, number>>;
  listAlerts(key: number, limit: number): Promise<StoredAlert[]>;
  countOpen(key: number): Promise<number>;
}

export interface LeaseHolder {
  readonly runner: string;
  /** Earliest end of the runner's leases, in milliseconds since 1970. */
  readonly until: number;
}

export interface LeaseStore {
  listHolders(): Promise<LeaseHolder[]>;
  releaseLeases(runner?: string): Promise<void>;
  releaseExpired(runner: string, now: number): Promise<void>;
}

/** Queue of notifications. For each channel, notifications about the same problem keep their order. */
export interface NotificationStore extends LeaseStore {
  insertMessage(key: number, channel: string, notification: AlertNotification, at: number): Promise<void>;
  listNotifiedChannels(key: number, alert: number): Promise<string[]>;
  countDeliveries(key: number): Promise<DeliveryCounts>;
  listDead(key: number, limit: number): Promise<DeadLetter[]>;
  /** Queues messages again that were given up, except if a later message about the same alert was sent. */
  resendDead(key: number, at: number): Promise<ResendResult>;
  giveUp(key: number, channel: string, trouble: string): Promise<void>;
  /** Leases due messages for `channels` until `leaseUntil`, only a few for each receiver. */
  takeMessages(
    limit: number,
    channels: readonly string[],
    now: number,
    leaseUntil: number,
  ): Promise<QueuedMessage[]>;
  nextMessageAt(channels: readonly string[]): Promise<number | undefined>;
  /** Marks a message as sent. The receiver works, so all its other messages become due. */
  markSent(message: number, at: number): Promise<void>;
  /** Stores a failed attempt, unless the lease has ended. Without `nextAt`, the message is given up. */
  markFailed(message: number, trouble: string, at: number, nextAt: number | undefined): Promise<void>;
  /** After the system clock was set back, moves due times so that no message waits longer than planned. */
  bringForward(now: number): Promise<void>;
}

export interface ProbePlan {
  readonly target: string;
  readonly sort: CheckCadence;
  readonly everyMs: number;
}

export interface PlannedProbe extends ProbePlan {
  readonly origin: number;
  readonly firstAt: number;
}

/** A due probe. Times are in milliseconds since 1970. */
export interface ProbeJob extends ProbePlan {
  readonly id: number;
  readonly monitor: number;
  readonly origin: number;
  readonly dueAt: number;
}

export interface FinishedProbe {
  readonly job: ProbeJob;
  readonly nextAt: number;
}

export interface TakeJobsOptions {
  readonly limit: number;
  readonly now: number;
  readonly leaseMs: Readonly<Record<CheckCadence, number>>;
  readonly except: readonly number[];
  readonly finished: readonly FinishedProbe[];
}

/** Stores when probes are due. A process leases a probe (job) before running it. Methods are atomic. */
export interface ProbeScheduleStore extends LeaseStore {
  planJobs(monitor: number, jobs: readonly PlannedProbe[]): Promise<void>;
  listUpcoming(
    monitor: number,
  ): Promise<{ readonly target: string; readonly sort: CheckCadence; readonly dueAt: number }[]>;
  /** Stores when finished jobs are due again, then leases due jobs, the longest due first. */
  takeDue(options: TakeJobsOptions): Promise<ProbeJob[]>;
  /** Ends leases, and records when jobs are due again. A rescheduled job keeps its new due time. */
  finishJobs(finished: readonly FinishedProbe[]): Promise<void>;
  nextDueAt(except: readonly number[]): Promise<number | undefined>;
  hasLeases(now: number): Promise<boolean>;
  /** Ends this process's leases that are not in `held`. A lost database answer can leave such leases. */
  releaseLost(held: readonly number[]): Promise<void>;
  /** After the system clock was set back, moves due times so that no job waits longer than its interval. */
  bringForward(now: number): Promise<void>;
}

/** A monitor to lock, which need not exist yet. Without `id`, all monitors of the owner are locked. */
export interface MonitorLock {
  readonly owner: string;
  readonly id?: string;
}

export interface MonitorStores {
  readonly monitors: MonitorStore;
  readonly alerts: AlertStore;
  readonly messages: NotificationStore;
  readonly schedule: ProbeScheduleStore;
  readonly beats: HeartbeatStore;
  readonly history: UptimeStore;
  readonly pages: StatusPageStore;
  /** True if only one transaction runs at a time (SQLite). Few large transactions are then faster. */
  readonly hasOneWriter: boolean;
  /** Runs `work` in a transaction, after other transactions with a lock in `held` have ended. */
  transaction<T>(held: readonly MonitorLock[], work: (stores: MonitorStores) => Promise<T>): Promise<T>;
}
