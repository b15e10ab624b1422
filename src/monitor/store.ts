import type { ClearReason, OpenAlert } from './alerts.ts';
import type { MonitorFinding } from './finding.ts';
import type { Notice } from './notice.ts';

export const STATES = ['active', 'paused', 'stopped'] as const;
export type MonitorState = (typeof STATES)[number];

/** How an infrastructure is watched. */
export interface MonitorOptions {
  /** On the CVSS scale, 0 to 10: findings at or above it raise an alert. */
  readonly threshold: number;
  /** Milliseconds between two looks at a target. */
  readonly intervalMs: number;
  /** Where its alerts are posted besides the operator's places: a public address. */
  readonly webhook?: string;
}

/** A monitor as it is kept; times are milliseconds since the epoch. */
export interface StoredMonitor extends MonitorOptions {
  readonly key: number;
  readonly owner: string;
  /** Id of the infrastructure. */
  readonly id: string;
  readonly state: MonitorState;
  readonly startedAt: number;
  /** Why it cannot be watched at present. */
  readonly trouble?: string;
}

/** The last look of one check at one target. */
export interface StoredResult {
  readonly target: string;
  readonly check: string;
  /** When it was last tried. */
  readonly at: number;
  /** When it last saw something; undefined when it never has. */
  readonly seenAt?: number;
  /** What the last try did not see, and why; what stands beside it is then of an earlier look. */
  readonly unseen?: string;
  /** Why the check failed; what stands beside it is then of an earlier look. */
  readonly trouble?: string;
  readonly findings: readonly MonitorFinding[];
  readonly measures: Readonly<Record<string, number | string>>;
  readonly points: Readonly<Record<string, number>>;
}

export interface StoredAlert extends OpenAlert {
  readonly finding: MonitorFinding;
  readonly raisedAt: number;
  readonly clearedAt?: number;
  readonly reason?: ClearReason;
}

/** Channel of a monitor's own webhook. */
export const OWN = 'own';

/** A notice on its way to one place. */
export interface Message {
  readonly id: number;
  readonly owner: string;
  /** Undefined when it was removed since; `webhook` is then its own one, if it had any. */
  readonly monitor?: number;
  readonly webhook?: string;
  readonly channel: string;
  /** Unique, and the same at each attempt. */
  readonly name: string;
  readonly notice: Notice;
  /** When it was put in its line. */
  readonly madeAt: number;
  /** Attempts before this one. */
  readonly attempts: number;
}

/** A notice that was given up. */
export interface DeadLetter {
  readonly channel: string;
  readonly notice: Notice;
  readonly attempts: number;
  readonly triedAt?: number;
  /** Why the last attempt failed. */
  readonly trouble: string;
}

export interface Uptime {
  readonly target: string;
  readonly looks: number;
  readonly ups: number;
}

export interface Deliveries {
  readonly waiting: number;
  readonly sent: number;
  /** Given up after the last attempt; kept. */
  readonly dead: number;
}

/** Monitors and what they found. */
export interface MonitorStore {
  /** All of it, or none; durable when it returns. They do not nest. */
  atomically<T>(work: () => T): T;
  /** Makes it, or changes its options and makes it active. */
  put(owner: string, id: string, options: MonitorOptions, at: number): StoredMonitor;
  get(owner: string, id: string): StoredMonitor | undefined;
  byKey(key: number): StoredMonitor | undefined;
  list(owner: string): StoredMonitor[];
  active(): StoredMonitor[];
  setState(key: number, state: MonitorState): void;
  setTrouble(key: number, trouble: string | undefined): void;
  /** Its messages that wait are sent all the same; the rest goes with it. */
  remove(key: number): void;
  /** Marks a monitor as changed. */
  touch(key: number): void;
  /** What has changed or was removed since a mark, oldest change first, and the newest mark, which never falls. */
  changedSince(mark: number): {
    readonly mark: number;
    readonly changes: readonly { readonly owner: string; readonly id: string }[];
  };
  results(key: number): StoredResult[];
  result(key: number, target: string, check: string): StoredResult | undefined;
  /** Which checks were tried at which targets since a time. */
  tried(key: number, since: number): { readonly target: string; readonly check: string }[];
  putResult(key: number, result: StoredResult): void;
  /** Forgets what was found by looks that are made no more. */
  keepResults(key: number, isMade: (target: string, check: string) => boolean): void;
  /** Counts a look on its day; `day` is days since the epoch. */
  countLook(key: number, target: string, day: number, up: boolean): void;
  uptime(key: number, sinceDay: number): Uptime[];
}

export interface AlertStore {
  open(key: number, target: string, check: string): OpenAlert[];
  /** All that stand, oldest first. */
  standing(key: number): { readonly id: number; readonly target: string; readonly check: string }[];
  raise(key: number, check: string, finding: MonitorFinding, flapping: boolean, at: number): number;
  setGood(alert: number, good: number): void;
  clear(alert: number, at: number, reason: ClearReason): void;
  get(alert: number): StoredAlert | undefined;
  /** Raises of a fault, without those that ended for another reason than that it was gone. */
  raisedSince(key: number, fingerprint: string, since: number): number;
  /** Open ones first, then the newest. */
  list(key: number, limit: number): StoredAlert[];
  openCount(key: number): number;
}

/** Notices on their way. Those to one channel about one fault go one after the other, in order. */
export interface MessageStore {
  post(key: number, channel: string, notice: Notice, at: number): void;
  /** Channels that messages about an alert were posted for. */
  told(key: number, alert: number): string[];
  deliveries(key: number): Deliveries;
  /** Those that were given up, newest first. */
  dead(key: number, limit: number): DeadLetter[];
  /** Puts those in their lines again, but for what a later message has overtaken. */
  resend(key: number, at: number): { readonly again: number; readonly outdated: number };
  /** Gives up what waits for a channel of a monitor. */
  giveUp(key: number, channel: string, trouble: string): void;
  /**
   * Takes up to so many messages that are due, few of each place; they are this process's until `leaseUntil`. Only of
   * channels that it has: another process may have others.
   */
  takeMessages(limit: number, channels: readonly string[], now: number, leaseUntil: number): Message[];
  nextMessageAt(channels: readonly string[]): number | undefined;
  sent(message: number): void;
  /** `nextAt` is left out when it is given up. */
  failed(message: number, trouble: string, at: number, nextAt: number | undefined): void;
}
