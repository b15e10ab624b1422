import type { DailyCallCount, UsageEntry } from '../types.ts';

export interface QuotaCount {
  readonly subject: string;
  readonly what: string;
  readonly count: number;
}

export interface DayQuota {
  readonly subject: string;
  readonly what: string;
  readonly max: number;
}

export interface UsageStore {
  /** Writes calls and adds `counts` to the day. Returns all processes' totals in the order of `counts`. */
  recordCalls(
    entries: readonly UsageEntry[],
    day: number,
    counts: readonly QuotaCount[],
  ): Promise<QuotaCount[]>;
  countWithin(day: number, quotas: readonly DayQuota[]): Promise<DayQuota | undefined>;
  readCount(day: number, subject: string, what: string): Promise<number>;
  /** Lists calls per day, oldest first. `since` is a number of days since 1970. */
  listDays(credential: string, since: number): Promise<DailyCallCount[]>;
  listNewestCalls(credential: string, limit: number): Promise<UsageEntry[]>;
  /** Stores a network of a key or user. Returns true if the network is new but not the first one. */
  rememberNetwork(credential: string, network: string, at: number): Promise<boolean>;
  deleteOldUsage(before: number, rows: number): Promise<void>;
}
