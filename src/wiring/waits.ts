/** Waiting times of all modules in milliseconds. Each module has a default for omitted values; tests pass shorter times. */
export interface Waits {
  /** Time between two requests of a crawl or a site map to one host. robots.txt may demand a longer time. */
  readonly crawlDelayMs?: number;
  readonly mapDelayMs?: number;
  /** Time between two heartbeats of a crawl. Each heartbeat checks whether another process has stopped the crawl. */
  readonly crawlBeatMs?: number;
  /** Time after the start until a server or an assistant's process begins to monitor. */
  readonly watchDelayMs?: number;
  /** Maximum time that a command that stored nothing waits until vectors for texts of other processes are computed. */
  readonly settleMs?: number;
  /** Times before the first and each later attempt to send an alert about access keys or limits. */
  readonly alertAttemptsMs?: readonly number[];
  readonly monitor?: MonitorWaits;
}

export interface MonitorWaits {
  /** Time between two searches for due checks, and time between two reads of the inventory. */
  readonly pollMs?: number;
  readonly inventoryMs?: number;
  /** Time before the second attempt of a probe, and before the probe that confirms that a problem is gone. */
  readonly retryMs?: number;
  readonly confirmMs?: number;
  readonly retries?: readonly number[];
  readonly changesMs?: number;
}
