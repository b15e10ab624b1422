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
  /** Minimum CVSS score (0 to 10) of a finding that raises an alert. */
  readonly threshold: number;
  readonly intervalMs: number;
  /** Public address that receives alerts in addition to the operator's channels. */
  readonly webhook?: string | undefined;
  readonly probing?: ProbeOptions | undefined;
}

/** A monitor as stored. Its times are in milliseconds since the epoch. */
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
  /** Time of the last probe that could examine the target, if any. */
  readonly seenAt?: number;
  /** Reason why the last probe could not examine the whole target. The other fields are then from an earlier probe. */
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
  /** Key of the message's monitor. Undefined if the monitor was removed; `webhook` is then that monitor's webhook, if any. */
  readonly monitor?: number;
  readonly webhook?: string;
  readonly channel: string;
  /** Unique name of the message, the same at each attempt to send it. */
  readonly name: string;
  readonly notification: Notification;
  readonly madeAt: number;
  readonly attempts: number;
}

/** Monitors changed or removed since a mark, oldest change first, and the newest change's mark. Later marks are higher. */
export interface MonitorChanges {
  readonly mark: number;
  readonly changes: readonly { readonly owner: string; readonly id: string }[];
}

/** Stores monitors and their results. Each method is atomic. */
export interface MonitorStore {
  /** Inserts a monitor, or changes its options and makes it active. The monitor is marked as changed. */
  putMonitor(owner: string, id: string, options: MonitorOptions, at: number): Promise<StoredMonitor>;
  findMonitor(owner: string, id: string): Promise<StoredMonitor | undefined>;
  findByKey(key: number): Promise<StoredMonitor | undefined>;
  /** Lists an owner's monitors, sorted by id. */
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
  /** Counts the alerts raised since a time, per fingerprint. Alerts that ended without a recovery do not count. */
  countRaised(
    key: number,
    fingerprints: readonly string[],
    since: number,
  ): Promise<ReadonlyMap<string, number>>;
  /** Lists alerts: first the open alerts, then the newest ended alerts. */
  listAlerts(key: number, limit: number): Promise<StoredAlert[]>;
  countOpen(key: number): Promise<number>;
}

export interface LeaseHolder {
  readonly runner: string;
  /** Time at which the process's first lease expires, in milliseconds since the epoch. */
  readonly until: number;
}

/** Stores leases of table rows. Only one process works on a row, until its lease expires or the process is known to be dead. */
export interface LeaseStore {
  listHolders(): Promise<LeaseHolder[]>;
  /** Releases all leases of a process. By default it is this process. */
  releaseLeases(runner?: string): Promise<void>;
  releaseExpired(runner: string, now: number): Promise<void>;
}

/** Stores queued notifications. Notifications about one problem to one channel are sent one at a time, in order. */
export interface MessageStore extends LeaseStore {
  insertMessage(key: number, channel: string, notification: Notification, at: number): Promise<void>;
  listNotifiedChannels(key: number, alert: number): Promise<string[]>;
  countDeliveries(key: number): Promise<DeliveryCounts>;
  listDead(key: number, limit: number): Promise<DeadLetter[]>;
  /** Queues again the messages that were given up, except messages that a later one has made outdated. */
  resendDead(key: number, at: number): Promise<ResendResult>;
  giveUp(key: number, channel: string, trouble: string): Promise<void>;
  /** Leases due messages until `leaseUntil`, a few per receiver and only of channels that this process has. */
  takeMessages(
    limit: number,
    channels: readonly string[],
    now: number,
    leaseUntil: number,
  ): Promise<QueuedMessage[]>;
  nextMessageAt(channels: readonly string[]): Promise<number | undefined>;
  /** Marks a message as sent if it is still leased. Other messages that were waiting because the receiver failed become due. */
  markSent(message: number, at: number): Promise<void>;
  /** Marks an attempt as failed, and gives the message up if `nextAt` is undefined. Does nothing if the lease is lost. */
  markFailed(message: number, trouble: string, at: number, nextAt: number | undefined): Promise<void>;
  /** Corrects messages with future times after the system clock was set back. Each then waits as planned, counted from `now`. */
  bringForward(now: number): Promise<void>;
}

export interface ProbePlan {
  readonly target: string;
  readonly sort: CheckCadence;
  readonly everyMs: number;
}

/** A planned probe with its due times. The first is `firstAt`; later ones follow `origin` at every multiple of `everyMs`. */
export interface PlannedJob extends ProbePlan {
  readonly origin: number;
  readonly firstAt: number;
}

/** A due job that this process has leased. Its times are in milliseconds since the epoch. */
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
  /** Replaces a monitor's jobs. Unchanged intervals keep their due times. A leased job left out is deleted after its run. */
  planJobs(monitor: number, jobs: readonly PlannedJob[]): Promise<void>;
  /** Lists the next due time of each job of a monitor, soonest first. */
  listUpcoming(
    monitor: number,
  ): Promise<{ readonly target: string; readonly sort: CheckCadence; readonly dueAt: number }[]>;
  /** Records finished jobs and leases due jobs, starting with the job that is due for longest. */
  takeDue(options: TakeJobsOptions): Promise<ProbeJob[]>;
  /** Releases this process's jobs and sets their next due times, unless a job was planned again in the meantime. */
  finishJobs(finished: readonly FinishedJob[]): Promise<void>;
  /** Returns when the next job without a lease is due, but ignores the monitors in `except`. */
  nextDueAt(except: readonly number[]): Promise<number | undefined>;
  hasLeases(now: number): Promise<boolean>;
  /** Corrects jobs that are due too late for their interval because the system clock was set back. Leased jobs do not change. */
  bringForward(now: number): Promise<void>;
}

/** A monitor to lock, which may not exist yet. Without `id`, the lock prevents that the owner adds monitors. */
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
  /** True if the database runs transactions one at a time. A large transaction is then cheaper than many small transactions. */
  readonly hasOneWriter: boolean;
  /** Runs `work` in a transaction. `held` lists locks on monitors that `work` reads; transactions with the same lock wait. */
  transaction<T>(held: readonly MonitorLock[], work: (stores: MonitorStores) => Promise<T>): Promise<T>;
}
