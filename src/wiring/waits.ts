/** Waiting times of all modules in milliseconds. If a time is omitted, its module uses a default. Tests pass short times. */
export interface Waits {
  /** Time between two requests to one host, in a crawl or for a site map. robots.txt may demand a longer time. */
  readonly crawlDelayMs?: number;
  readonly mapDelayMs?: number;
  /** Time between two heartbeats of a crawl. A heartbeat also checks whether another process has stopped the crawl. */
  readonly crawlBeatMs?: number;
  /** Time from the start of a process until it begins to monitor. */
  readonly watchDelayMs?: number;
  /** Maximum time that a command waits for vectors of other processes' texts, if it stored no texts itself. */
  readonly settleMs?: number;
  /** Time before each attempt to send an alert about access keys or limits. */
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
