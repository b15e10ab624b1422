import type { DayCount, UsageEntry } from '../types.ts';

/** What is counted by day, for a limit. */
export interface Count {
  readonly subject: string;
  readonly what: string;
  readonly count: number;
}

/** What is counted for one subject, and how many are allowed on one day. */
export interface DayQuota {
  readonly subject: string;
  readonly what: string;
  readonly max: number;
}

/** Where the record of use is kept. Calls are written in batches; each method is one atomic step, but for the deletion. */
export interface UsageStore {
  /**
   * Writes calls and adds to the counts of a day: all of it durable, or none. Returns the counts, in the same order, as
   * all processes have them together.
   */
  recordCalls(entries: readonly UsageEntry[], day: number, counts: readonly Count[]): Promise<Count[]>;
  /** Counts one for each of the quotas of a day; or for none, and returns the first that is used up over all processes. */
  countWithin(day: number, quotas: readonly DayQuota[]): Promise<DayQuota | undefined>;
  readCount(day: number, subject: string, what: string): Promise<number>;
  /** Days from `since` on, oldest first. */
  listDays(credential: string, since: number): Promise<DayCount[]>;
  /** The newest calls of a credential, newest first. */
  listNewestCalls(credential: string, limit: number): Promise<UsageEntry[]>;
  /** Remembers the network of a credential. True where others were known of it, and not this one: for one caller only. */
  rememberNetwork(credential: string, network: string, at: number): Promise<boolean>;
  /** Deletes what is older than `before`, and calls beyond the newest `rows`, in steps. */
  deleteOldUsage(before: number, rows: number): Promise<void>;
}
