import type { HistoryStore } from './history/history-store.ts';
import type { CheckCadence } from './probing/check-cadence.ts';
import type { ProbeOptions } from './probing/probe-options.ts';
import type { HeartbeatStore } from './scheduling/heartbeat-store.ts';
import type { StatusPageStore } from './status-page/status-page-store.ts';
import type {
  ClearReason,
  DeadLetter,
  DeliveryCounts,
  MonitorFinding,
  MonitorState,
  Notification,
  OpenAlert,
  ResendResult,
  StoredAlert,
} from './types.ts';

export interface MonitorOptions {
  /** Minimum score (CVSS, 0 to 10) of findings that raise an alert. */
  readonly threshold: number;
  readonly intervalMs: number;
  /** Public address that receives alerts in addition to the operator's channels. */
  readonly webhook?: string | undefined;
  readonly probing?: ProbeOptions | undefined;
}

/** A monitor as stored. Times are milliseconds since the epoch. */
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
  /** Time of the last probe that could see the target, if there was one. */
  readonly seenAt?: number;
  /** Reason why the last probe saw nothing, or not all. The other fields are then from an earlier probe. */
  readonly unseen?: string;
  /** Reason why the check failed. The other fields are then from an earlier probe. */
  readonly trouble?: string;
  readonly findings: readonly MonitorFinding[];
  readonly measures: Readonly<Record<string, number | string>>;
  readonly points: Readonly<Record<string, number>>;
  readonly suspects?: Readonly<Record<string, number>>;
}

export interface CheckedTarget {
  readonly target: string;
  readonly check: string;
}

export const OWN_WEBHOOK_CHANNEL = 'own';

export interface QueuedMessage {
  readonly id: number;
  readonly owner: string;
  /** Undefined if the monitor was removed. `webhook` is then the monitor's webhook, if it had one. */
  readonly monitor?: number;
  readonly webhook?: string;
  readonly channel: string;
  /** Unique, and the same at each attempt. */
  readonly name: string;
  readonly notification: Notification;
  readonly madeAt: number;
  readonly attempts: number;
}

/** Monitors changed or removed since a mark, oldest change first, and the newest mark. Marks never decrease. */
export interface MonitorChanges {
  readonly mark: number;
  readonly changes: readonly { readonly owner: string; readonly id: string }[];
}

/** Stores monitors and their results. Each method is atomic. */
export interface MonitorStore {
  /** Inserts a monitor, or changes its options and makes it active, and marks it as changed. */
  putMonitor(owner: string, id: string, options: MonitorOptions, at: number): Promise<StoredMonitor>;
  findMonitor(owner: string, id: string): Promise<StoredMonitor | undefined>;
  findByKey(key: number): Promise<StoredMonitor | undefined>;
  /** Lists monitors sorted by id. */
  listMonitors(owner: string): Promise<StoredMonitor[]>;
  countMonitors(owner: string): Promise<number>;
  /** Lists the active monitors of all owners, oldest first. */
  listActive(): Promise<StoredMonitor[]>;
  setState(key: number, state: MonitorState): Promise<void>;
  setTrouble(key: number, trouble: string | undefined): Promise<void>;
  /** Deletes a monitor with its data. Its waiting messages are still sent. */
  removeMonitor(key: number): Promise<void>;
  markChanged(key: number): Promise<void>;
  changedSince(mark: number): Promise<MonitorChanges>;
  /** Returns the mark of the newest change, or 0. */
  newestMark(): Promise<number>;
  listResults(key: number): Promise<StoredResult[]>;
  findResult(key: number, target: string, check: string): Promise<StoredResult | undefined>;
  listTried(key: number, since: number): Promise<CheckedTarget[]>;
  putResult(key: number, result: StoredResult): Promise<void>;
  removeResults(key: number, which: readonly CheckedTarget[]): Promise<void>;
}

/** Stores alerts. Each method is atomic. */
export interface AlertStore {
  listOpenAt(key: number, target: string, check: string): Promise<OpenAlert[]>;
  /** Lists all open alerts of a monitor, oldest first. */
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
  /** Counts the raises per fingerprint since a time, without alerts that ended for another reason than recovery. */
  countRaised(
    key: number,
    fingerprints: readonly string[],
    since: number,
  ): Promise<ReadonlyMap<string, number>>;
  /** Lists open alerts first, then the newest ended ones. */
  listAlerts(key: number, limit: number): Promise<StoredAlert[]>;
  countOpen(key: number): Promise<number>;
}

export interface LeaseHolder {
  readonly runner: string;
  /** Time at which the process's first lease expires, in milliseconds since the epoch. */
  readonly until: number;
}

/** Leases of rows. One process at a time works on a row, until the lease expires or the process is known to be dead. */
export interface LeaseStore {
  listHolders(): Promise<LeaseHolder[]>;
  /** Releases a process's leases. Default: this process. */
  releaseLeases(runner?: string): Promise<void>;
  releaseExpired(runner: string, now: number): Promise<void>;
}

/** Stores queued notifications. Messages about one problem to one channel are sent one by one, in order. */
export interface MessageStore extends LeaseStore {
  insertMessage(key: number, channel: string, notification: Notification, at: number): Promise<void>;
  listNotifiedChannels(key: number, alert: number): Promise<string[]>;
  countDeliveries(key: number): Promise<DeliveryCounts>;
  listDead(key: number, limit: number): Promise<DeadLetter[]>;
  /** Queues dead messages again, except those that a later message has made outdated. */
  resendDead(key: number, at: number): Promise<ResendResult>;
  giveUp(key: number, channel: string, trouble: string): Promise<void>;
  /** Leases due messages until `leaseUntil`, a few per receiver, of this process's channels, since others may differ. */
  takeMessages(
    limit: number,
    channels: readonly string[],
    now: number,
    leaseUntil: number,
  ): Promise<QueuedMessage[]>;
  nextMessageAt(channels: readonly string[]): Promise<number | undefined>;
  /** Marks a message as sent if it is still leased. Messages that wait for its receiver after a failure become due. */
  markSent(message: number, at: number): Promise<void>;
  /** Marks an attempt as failed, or the message as dead without `nextAt`. Does nothing if the lease is lost. */
  markFailed(message: number, trouble: string, at: number, nextAt: number | undefined): Promise<void>;
  /** Corrects messages with times in the future, after the clock was set back: they wait from now on as long as planned. */
  bringForward(now: number): Promise<void>;
}

export interface ProbePlan {
  readonly target: string;
  readonly sort: CheckCadence;
  readonly everyMs: number;
}

/** A plan with its due times: first `firstAt`, then `origin` and every `everyMs` from there. */
export interface PlannedJob extends ProbePlan {
  readonly origin: number;
  readonly firstAt: number;
}

/** A due plan that this process has leased. Times are milliseconds since the epoch. */
export interface ProbeJob extends ProbePlan {
  readonly id: number;
  readonly monitor: number;
  readonly origin: number;
  readonly dueAt: number;
}

export interface FinishedJob {
  readonly job: ProbeJob;
  readonly nextAt: number;
}

export interface TakeJobsOptions {
  readonly limit: number;
  readonly now: number;
  readonly leaseMs: Readonly<Record<CheckCadence, number>>;
  readonly except: readonly number[];
  readonly finished: readonly FinishedJob[];
}

/** Stores when jobs are due. A job is leased by one process and runs once per due time. Each method is atomic. */
export interface ScheduleStore extends LeaseStore {
  /** Replaces a monitor's jobs. Equal intervals keep their due times; an unplanned job is deleted after a lease ends. */
  planJobs(monitor: number, jobs: readonly PlannedJob[]): Promise<void>;
  /** Lists the next due time of each job of a monitor, soonest first. */
  listUpcoming(
    monitor: number,
  ): Promise<{ readonly target: string; readonly sort: CheckCadence; readonly dueAt: number }[]>;
  /** Records finished jobs and leases due ones, the longest due first. */
  takeDue(options: TakeJobsOptions): Promise<ProbeJob[]>;
  /** Releases this process's jobs and sets their next due times, unless the plan has changed meanwhile. */
  finishJobs(finished: readonly FinishedJob[]): Promise<void>;
  /** Returns when the next job without a lease is due. */
  nextDueAt(except: readonly number[]): Promise<number | undefined>;
  hasLeases(now: number): Promise<boolean>;
  /** Corrects jobs due too late for their interval, after the clock was set back. Leased jobs stay as they are. */
  bringForward(now: number): Promise<void>;
}

/** A monitor to lock, which may not exist yet. Without `id`, the lock protects the number of an owner's monitors. */
export interface MonitorLock {
  readonly owner: string;
  readonly id?: string;
}

export interface MonitorStores {
  readonly monitors: MonitorStore;
  readonly alerts: AlertStore;
  readonly messages: MessageStore;
  readonly schedule: ScheduleStore;
  readonly beats: HeartbeatStore;
  readonly history: HistoryStore;
  readonly pages: StatusPageStore;
  /** True if transactions run one at a time anyway. A large transaction is then cheaper than many small ones. */
  readonly hasOneWriter: boolean;
  /** Runs a transaction on these stores only. `held` lists all that `work` decides by; a common item makes others wait. */
  transaction<T>(held: readonly MonitorLock[], work: (stores: MonitorStores) => Promise<T>): Promise<T>;
}
