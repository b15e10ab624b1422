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
  /** Webhook or mail address to which the monitor's alerts are sent, besides the operator's channels. */
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
  /** Time of the last probe in which the check could examine the target. Undefined if there was none. */
  readonly seenAt?: number;
  /** Reason why the last probe could not examine all of the target. The findings are then from an earlier probe. */
  readonly unseen?: string;
  /** Reason why the check failed in the last probe. The findings are then from an earlier probe. */
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
  /** Key of the monitor. Undefined after its removal: `webhook` then keeps the address of the monitor's own webhook. */
  readonly monitor?: number;
  readonly webhook?: string;
  readonly channel: string;
  /** Name by which receivers recognize the message. The name is the same in all attempts to send the message. */
  readonly name: string;
  readonly notification: Notification;
  readonly madeAt: number;
  readonly attempts: number;
}

/** Monitors that were changed or removed, oldest first. `mark` is the number of the newest change. */
export interface MonitorChanges {
  readonly mark: number;
  readonly changes: readonly { readonly owner: string; readonly id: string }[];
}

/** Stores monitors and their results. Each method is atomic. */
export interface MonitorStore {
  /** Adds a monitor, or changes the options of an existing monitor and makes it active. `changedSince` lists the change. */
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
  /** Deletes a monitor with its data. Messages that wait to be sent are kept and sent. */
  removeMonitor(key: number): Promise<void>;
  markChanged(key: number): Promise<void>;
  changedSince(mark: number): Promise<MonitorChanges>;
  /** Returns the number of the newest change of any monitor, or 0 if there is no change. */
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
  /** Counts the alerts raised since a time, by fingerprint. Ended alerts count only if they ended with a recovery. */
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
  /** Time at which the earliest lease of this process ends, in milliseconds since the epoch. */
  readonly until: number;
}

/** Stores leases. A process may work on a row only while it holds the row's lease. Leases of dead processes are released. */
export interface LeaseStore {
  listHolders(): Promise<LeaseHolder[]>;
  /** Releases all leases of a process. Default: the leases of this process. */
  releaseLeases(runner?: string): Promise<void>;
  releaseExpired(runner: string, now: number): Promise<void>;
}

/** Stores notifications until they are sent. Notifications about one problem to one channel are sent in order. */
export interface MessageStore extends LeaseStore {
  insertMessage(key: number, channel: string, notification: Notification, at: number): Promise<void>;
  listNotifiedChannels(key: number, alert: number): Promise<string[]>;
  countDeliveries(key: number): Promise<DeliveryCounts>;
  listDead(key: number, limit: number): Promise<DeadLetter[]>;
  /** Queues given-up messages again. Leaves out a message if a later message about the same alert was sent. */
  resendDead(key: number, at: number): Promise<ResendResult>;
  giveUp(key: number, channel: string, trouble: string): Promise<void>;
  /** Leases due messages for this process until `leaseUntil`: only for `channels`, and only a few for each receiver. */
  takeMessages(
    limit: number,
    channels: readonly string[],
    now: number,
    leaseUntil: number,
  ): Promise<QueuedMessage[]>;
  nextMessageAt(channels: readonly string[]): Promise<number | undefined>;
  /** Marks a message as sent. Other messages to its receiver become due, because the receiver works again. */
  markSent(message: number, at: number): Promise<void>;
  /** Records a failed attempt. Without `nextAt`, the message is given up. Does nothing if the lease has ended. */
  markFailed(message: number, trouble: string, at: number, nextAt: number | undefined): Promise<void>;
  /** Corrects times after the system clock was set back: no message waits longer than planned, counted from `now`. */
  bringForward(now: number): Promise<void>;
}

export interface ProbePlan {
  readonly target: string;
  readonly sort: CheckCadence;
  readonly everyMs: number;
}

/** A planned probe. The first is due at `firstAt`, later ones at `origin` plus whole multiples of `everyMs`. */
export interface PlannedJob extends ProbePlan {
  readonly origin: number;
  readonly firstAt: number;
}

/** A due probe that this process has leased. Its times are in milliseconds since the epoch. */
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

/** Stores when probes (jobs) are due. A process leases a job to run it, so that it runs only once. Each method is atomic. */
export interface ScheduleStore extends LeaseStore {
  /** Replaces the jobs of a monitor. Jobs with the same interval keep their due times. */
  planJobs(monitor: number, jobs: readonly PlannedJob[]): Promise<void>;
  /** Lists the next due time of each job of a monitor, soonest first. */
  listUpcoming(
    monitor: number,
  ): Promise<{ readonly target: string; readonly sort: CheckCadence; readonly dueAt: number }[]>;
  /** Stores the next due times of finished jobs, and leases due jobs. The job that has been due for longest comes first. */
  takeDue(options: TakeJobsOptions): Promise<ProbeJob[]>;
  /** Ends the leases of finished jobs and stores when they are next due. Jobs that were planned again keep their new times. */
  finishJobs(finished: readonly FinishedJob[]): Promise<void>;
  /** Returns when the next job without a lease is due, except jobs of the monitors in `except`. */
  nextDueAt(except: readonly number[]): Promise<number | undefined>;
  hasLeases(now: number): Promise<boolean>;
  /** Releases the leases of this process on all jobs except `held`. The answer of the database that named such jobs was lost. */
  releaseLost(held: readonly number[]): Promise<void>;
  /** Corrects times after the system clock was set back: no job is due later than its interval allows. */
  bringForward(now: number): Promise<void>;
}

/** Locks a monitor, even before the monitor exists. Without `id`, no other transaction can add a monitor of the owner. */
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
  /** True if the database runs only one transaction at a time (SQLite). A few large transactions are then faster. */
  readonly hasOneWriter: boolean;
  /** Waits until other transactions with a lock in `held` have ended, then runs `work` in a transaction. */
  transaction<T>(held: readonly MonitorLock[], work: (stores: MonitorStores) => Promise<T>): Promise<T>;
}
