/** If a time is omitted, its module uses a default. Tests pass short times. */
export interface Waits {
  /** Time between two requests to one host. robots.txt may demand a longer time. */
  readonly crawlDelayMs?: number;
  readonly mapDelayMs?: number;
  /** Time between two heartbeats of a crawl. Each checks if another process has stopped the crawl. */
  readonly crawlBeatMs?: number;
  readonly watchDelayMs?: number;
  readonly settleMs?: number;
  /** Time before each attempt to send an alert. */
  readonly alertAttemptsMs?: readonly number[];
  readonly monitor?: MonitorWaits;
}

export interface MonitorWaits {
  readonly pollMs?: number;
  readonly inventoryMs?: number;
  /** Time before the second attempt of a probe, and before the probe that confirms the end of a problem. */
  readonly retryMs?: number;
  readonly confirmMs?: number;
  readonly retries?: readonly number[];
  readonly changesMs?: number;
}
