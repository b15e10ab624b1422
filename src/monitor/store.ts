import type { HistoryStore } from './history/history-store.ts';
import type { Probing } from './probing/probing.ts';
import type { Sort } from './probing/sort.ts';
import type { BeatStore } from './scheduling/beat-store.ts';
import type { PageStore } from './status-page/page-store.ts';
import type {
  ClearReason,
  DeadLetter,
  Deliveries,
  MonitorFinding,
  MonitorState,
  Notification,
  OpenAlert,
  Resent,
  StoredAlert,
} from './types.ts';

/** How an infrastructure is watched. */
export interface MonitorOptions {
  /** On the CVSS scale, 0 to 10: findings at or above it raise an alert. */
  readonly threshold: number;
  /** Milliseconds between two probes of a target. */
  readonly intervalMs: number;
  /** Where its alerts are posted besides the operator's places: a public address. */
  readonly webhook?: string | undefined;
  /** Nothing beyond the usual when left out. */
  readonly probing?: Probing | undefined;
}

/** A monitor as it is stored; times are milliseconds since the epoch. */
export interface StoredMonitor extends MonitorOptions {
  readonly probing: Probing;
  readonly key: number;
  readonly owner: string;
  /** Id of the infrastructure. */
  readonly id: string;
  readonly state: MonitorState;
  readonly startedAt: number;
  /** Why it cannot be watched at present. */
  readonly trouble?: string;
}

/** The last probe of one check at one target. */
export interface StoredResult {
  readonly target: string;
  readonly check: string;
  /** When it was last tried. */
  readonly at: number;
  /** When it last saw something; undefined when it never has. */
  readonly seenAt?: number;
  /** What the last try did not see, and why; what stands beside it is then of an earlier probe. */
  readonly unseen?: string;
  /** Why the check failed; what stands beside it is then of an earlier probe. */
  readonly trouble?: string;
  readonly findings: readonly MonitorFinding[];
  readonly measures: Readonly<Record<string, number | string>>;
  readonly points: Readonly<Record<string, number>>;
  /** Problems that are not confirmed yet; see `judgeAlerts`. None when left out. */
  readonly suspects?: Readonly<Record<string, number>>;
}

/** A check at a target. */
export interface CheckedTarget {
  readonly target: string;
  readonly check: string;
}

/** Channel of a monitor's own webhook. */
export const OWN = 'own';

/** A notification on its way to one place. */
export interface Message {
  readonly id: number;
  readonly owner: string;
  /** Undefined when it was removed since; `webhook` is then its own one, if it had any. */
  readonly monitor?: number;
  readonly webhook?: string;
  readonly channel: string;
  /** Unique, and the same at each attempt. */
  readonly name: string;
  readonly notification: Notification;
  /** When it was queued. */
  readonly madeAt: number;
  /** Attempts before this one. */
  readonly attempts: number;
}

/** What has changed or was removed since a mark, oldest change first, and the newest mark, which never falls. */
export interface MonitorChanges {
  readonly mark: number;
  readonly changes: readonly { readonly owner: string; readonly id: string }[];
}

/** Monitors and what they found. Each method is one atomic step. */
export interface MonitorStore {
  /** Inserts it, or changes its options and makes it active; marks it as changed. */
  putMonitor(owner: string, id: string, options: MonitorOptions, at: number): Promise<StoredMonitor>;
  findMonitor(owner: string, id: string): Promise<StoredMonitor | undefined>;
  findByKey(key: number): Promise<StoredMonitor | undefined>;
  /** By id. */
  listMonitors(owner: string): Promise<StoredMonitor[]>;
  countMonitors(owner: string): Promise<number>;
  /** Of all owners, oldest first. */
  listActive(): Promise<StoredMonitor[]>;
  setState(key: number, state: MonitorState): Promise<void>;
  setTrouble(key: number, trouble: string | undefined): Promise<void>;
  /** Its messages that wait are sent all the same; the rest is deleted with it. */
  removeMonitor(key: number): Promise<void>;
  markChanged(key: number): Promise<void>;
  changedSince(mark: number): Promise<MonitorChanges>;
  /** The mark of the newest change; 0 where there is none. */
  newestMark(): Promise<number>;
  listResults(key: number): Promise<StoredResult[]>;
  findResult(key: number, target: string, check: string): Promise<StoredResult | undefined>;
  /** Which checks were tried at which targets since a time. */
  listTried(key: number, since: number): Promise<CheckedTarget[]>;
  putResult(key: number, result: StoredResult): Promise<void>;
  removeResults(key: number, which: readonly CheckedTarget[]): Promise<void>;
}

/** Alerts of monitors. Each method is one atomic step. */
export interface AlertStore {
  listOpenAt(key: number, target: string, check: string): Promise<OpenAlert[]>;
  /** All open ones of a monitor, oldest first. */
  listOpen(key: number): Promise<(CheckedTarget & { readonly id: number })[]>;
  /** Gives its id. */
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
  /**
   * How often alerts with these fingerprints were raised since a time, without those that ended for another reason than
   * that the problem was gone.
   */
  countRaised(
    key: number,
    fingerprints: readonly string[],
    since: number,
  ): Promise<ReadonlyMap<string, number>>;
  /** Open ones first, then the newest. */
  listAlerts(key: number, limit: number): Promise<StoredAlert[]>;
  countOpen(key: number): Promise<number>;
}

/** A process that leases jobs or messages. */
export interface LeaseHolder {
  readonly runner: string;
  /** When the first of its leases expires; milliseconds since the epoch. */
  readonly until: number;
}

/** Rows that one process at a time works on: leased until a time, or until their holder is known to be dead. */
export interface LeaseStore {
  listHolders(): Promise<LeaseHolder[]>;
  /** Frees what a process leases; this process where it is left out. */
  releaseLeases(runner?: string): Promise<void>;
  /** Frees those of a process that have expired. */
  releaseExpired(runner: string, now: number): Promise<void>;
}

/** Notifications on their way. Those to one channel about one problem go one after the other, in order. */
export interface MessageStore extends LeaseStore {
  insertMessage(key: number, channel: string, notification: Notification, at: number): Promise<void>;
  /** Channels that messages about an alert were inserted for. */
  listNotifiedChannels(key: number, alert: number): Promise<string[]>;
  countDeliveries(key: number): Promise<Deliveries>;
  /** Those that were given up, newest first. */
  listDead(key: number, limit: number): Promise<DeadLetter[]>;
  /** Queues those again, except what a later message has made outdated. */
  resendDead(key: number, at: number): Promise<Resent>;
  /** Gives up what waits for a channel of a monitor. */
  giveUp(key: number, channel: string, trouble: string): Promise<void>;
  /**
   * Leases up to so many messages that are due, few of each place, until `leaseUntil`. Only of channels that this process
   * has: another process may have others.
   */
  takeMessages(
    limit: number,
    channels: readonly string[],
    now: number,
    leaseUntil: number,
  ): Promise<Message[]>;
  /** When the next can go; undefined where none can. */
  nextMessageAt(channels: readonly string[]): Promise<number | undefined>;
  /**
   * Others that wait for the same place after a failed attempt may go from now on, since it answers again. Nothing where this
   * process no longer leases it; so is `markFailed`.
   */
  markSent(message: number, at: number): Promise<void>;
  /** `nextAt` is left out when it is given up. */
  markFailed(message: number, trouble: string, at: number, nextAt: number | undefined): Promise<void>;
  /** Messages of a time that is still to come, since the clock was set back, wait from now on as long as they would have. */
  bringForward(now: number): Promise<void>;
}

/** One thing that is done again and again: the checks of a sort at one target. */
export interface Plan {
  readonly target: string;
  readonly sort: Sort;
  readonly everyMs: number;
}

/** A plan with its grid: it falls due at `origin` and each `everyMs` from there, but first at `firstAt`. */
export interface PlannedJob extends Plan {
  readonly origin: number;
  readonly firstAt: number;
}

/** A plan that has fallen due and is leased by this process; times are milliseconds since the epoch. */
export interface Job extends Plan {
  readonly id: number;
  readonly monitor: number;
  readonly origin: number;
  readonly dueAt: number;
}

/** A job that was done, and when it falls due next. */
export interface FinishedJob {
  readonly job: Job;
  readonly nextAt: number;
}

export interface TakeJobs {
  readonly limit: number;
  readonly now: number;
  /** Milliseconds of a lease, by the job's sort. */
  readonly leaseMs: Readonly<Record<Sort, number>>;
  /** Monitors whose jobs are left to other processes. */
  readonly except: readonly number[];
  /** Recorded in the same step. */
  readonly finished: readonly FinishedJob[];
}

/**
 * When which job is done. A job is leased by one process at a time, and once each time it falls due, however many
 * processes or machines share the store. Each method is one atomic step.
 */
export interface ScheduleStore extends LeaseStore {
  /**
   * The jobs of a monitor from now on. One that is there with the same interval keeps its grid and its time; one that is
   * no longer planned is deleted, or once it has ended where it is leased.
   */
  planJobs(monitor: number, jobs: readonly PlannedJob[]): Promise<void>;
  /** Next time of each job of a monitor, soonest first. */
  listUpcoming(
    monitor: number,
  ): Promise<{ readonly target: string; readonly sort: Sort; readonly dueAt: number }[]>;
  /** Records what was done, and leases what is due, longest due first. */
  takeDue(options: TakeJobs): Promise<Job[]>;
  /** Frees jobs of this process; their next time is set unless the plan has changed since. */
  finishJobs(finished: readonly FinishedJob[]): Promise<void>;
  /** When the next free job falls due. */
  nextDueAt(except: readonly number[]): Promise<number | undefined>;
  /** Whether any process holds a lease that has not expired. */
  hasLeases(now: number): Promise<boolean>;
  /** Free jobs that are further away than their interval lets them be, since the clock was set back, keep their grid from now on. */
  bringForward(now: number): Promise<void>;
}

/** A monitor, there or to be made; without `id` the number of an owner's monitors. */
export interface Held {
  readonly owner: string;
  readonly id?: string;
}

/** All stores of the room, on one database. */
export interface MonitorStores {
  readonly monitors: MonitorStore;
  readonly alerts: AlertStore;
  readonly messages: MessageStore;
  readonly schedule: ScheduleStore;
  readonly beats: BeatStore;
  readonly history: HistoryStore;
  readonly pages: PageStore;
  /** Transactions come one after the other, whatever they hold: much in one costs less than much in many. */
  readonly hasOneWriter: boolean;
  /**
   * Steps of several stores in one transaction: durable when it resolves, or none of them. `work` uses only the stores that
   * it is handed and waits for nothing else. Transactions that hold one of the same come one after the other, so it holds all
   * that it decides by. Changes are marked at its end.
   */
  transaction<T>(held: readonly Held[], work: (stores: MonitorStores) => Promise<T>): Promise<T>;
}
