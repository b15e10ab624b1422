/** One call as it is recorded: who, what and how it ended, never what was asked or answered. */
export interface UsageEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Id of a key, or the user of an access token; empty for nobody. */
  readonly credential: string;
  readonly user: string;
  /** Empty for a request that got no further than the edge. */
  readonly operation: string;
  /** `ok` or an error's code. */
  readonly outcome: string;
  /** Milliseconds. */
  readonly ms: number;
  readonly address: string;
}

/** Calls of one day with the same operation and outcome. */
export interface DayCount {
  /** Days since 1970, in UTC. */
  readonly day: number;
  readonly operation: string;
  readonly outcome: string;
  readonly calls: number;
}

/** What is counted by day, for a limit. */
export interface Count {
  readonly subject: string;
  readonly what: string;
  readonly count: number;
}

/** Where the record of use is kept. Synchronous, and written in batches. */
export interface UsageStore {
  /** All of it durable, or none. Gives today's counts with those of every process. */
  add(entries: readonly UsageEntry[], day: number, counts: readonly Count[]): Count[];
  counted(day: number, subject: string, what: string): number;
  /** Days from `since` on, oldest first. */
  days(credential: string, since: number): DayCount[];
  /** The newest calls of a credential, newest first. */
  newest(credential: string, limit: number): UsageEntry[];
  /** Whether the network was not known for the credential, and others were. Remembers it. */
  newNetwork(credential: string, network: string, at: number): boolean;
  /** Forgets what is older, and calls beyond the newest `rows`. */
  prune(before: number, rows: number): void;
}
