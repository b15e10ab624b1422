/** Times in milliseconds that tests shorten. A missing time means the module's default. */
export interface WaitTimes {
  readonly crawlDelayMs?: number;
  readonly mapDelayMs?: number;
  /** Time between two heartbeats of a crawl. Each heartbeat checks whether another process has stopped it. */
  readonly crawlBeatMs?: number;
  readonly watchDelayMs?: number;
  readonly settleMs?: number;
  readonly alertAttemptsMs?: readonly number[];
  readonly monitor?: MonitorWaits;
}

export interface MonitorWaits {
  readonly pollMs?: number;
  readonly inventoryMs?: number;
  /** Time before a failed probe is tried again. `confirmMs`: time before the probe that confirms a recovery. */
  readonly retryMs?: number;
  readonly confirmMs?: number;
  readonly retries?: readonly number[];
  readonly changesMs?: number;
}
