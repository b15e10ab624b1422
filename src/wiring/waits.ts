/** Times in milliseconds that tests shorten. A missing time means the module's default. */
export interface WaitTimes {
  readonly crawlDelayMs?: number;
  readonly mapDelayMs?: number;
  /** Time between heartbeats of a crawl. Each checks whether another process has stopped the crawl. */
  readonly crawlBeatMs?: number;
  readonly watchDelayMs?: number;
  /** Time that a slow call is waited for before an MCP client gets a task. */
  readonly taskGraceMs?: number;
  readonly settleMs?: number;
  readonly alertAttemptsMs?: readonly number[];
  readonly monitor?: MonitorWaits;
}

export interface MonitorWaits {
  readonly pollMs?: number;
  readonly inventoryMs?: number;
  /** Milliseconds before a failed probe is repeated. `confirmMs`: before a recovery is confirmed. */
  readonly retryMs?: number;
  readonly confirmMs?: number;
  readonly retries?: readonly number[];
  readonly changesMs?: number;
}
