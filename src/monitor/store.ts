import type { OpenAlert } from './alerts.ts';
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
}

/** A notice on its way to one place. */
export interface Message {
  readonly id: number;
  readonly monitor: number;
  readonly channel: string;
  /** Unique, and the same at each attempt. */
  readonly name: string;
  readonly notice: Notice;
  /** Attempts before this one. */
  readonly attempts: number;
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
  remove(key: number): void;
  /** Marks a monitor as changed. */
  touch(key: number): void;
  /** Monitors that have changed since a mark, oldest change first, and the newest mark. */
  changedSince(mark: number): { readonly mark: number; readonly monitors: readonly StoredMonitor[] };
  results(key: number): StoredResult[];
  result(key: number, target: string, check: string): StoredResult | undefined;
  putResult(key: number, result: StoredResult): void;
  /** Forgets results of targets that are watched no more; their alerts stay as history, and end. */
  keepTargets(key: number, targets: ReadonlySet<string>, at: number): void;
  /** Counts a look on its day; `day` is days since the epoch. */
  countLook(key: number, target: string, day: number, up: boolean): void;
  uptime(key: number, sinceDay: number): Uptime[];
}

/** Alerts, and the notices of them that are on their way. */
export interface AlertStore {
  open(key: number, target: string, check: string): OpenAlert[];
  raise(key: number, check: string, finding: MonitorFinding, flapping: boolean, at: number): number;
  setGood(alert: number, good: number): void;
  clear(alert: number, at: number): void;
  get(alert: number): StoredAlert | undefined;
  raisedSince(key: number, fingerprint: string, since: number): number;
  /** Newest first. */
  list(key: number, limit: number): StoredAlert[];
  openCount(key: number): number;
  post(key: number, channel: string, notice: Notice, at: number): void;
  deliveries(key: number): Deliveries;
  /** Takes up to so many messages that are due; they are this process's until `leaseUntil`. */
  takeMessages(limit: number, now: number, leaseUntil: number): Message[];
  nextMessageAt(): number | undefined;
  sent(message: number): void;
  /** `nextAt` is left out when it is given up. */
  failed(message: number, trouble: string, nextAt: number | undefined): void;
}
