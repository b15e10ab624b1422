/** If a time is omitted, its module uses a default. Tests pass short times. */
export interface Waits {
  /** Time between two requests to one host. robots.txt may demand a longer time. */
  readonly crawlDelayMs?: number;
  readonly mapDelayMs?: number;
  /** Time between two heartbeats of a crawl, when it also checks if another process has stopped it. */
  readonly crawlBeatMs?: number;
  /** Time from the start of a process until it begins to monitor. */
  readonly watchDelayMs?: number;
  /** Time that a command waits for vectors of other processes' texts, if it stored no texts itself. */
  readonly settleMs?: number;
  /** Time before each attempt to send an alert about access keys or limits. */
  readonly alertAttemptsMs?: readonly number[];
  readonly monitor?: MonitorWaits;
}

export interface MonitorWaits {
  /** Time between two searches for due checks, and between two reads of the inventory. */
  readonly pollMs?: number;
  readonly inventoryMs?: number;
  /** Time before the second attempt of a probe, and before the probe that confirms the end of a problem. */
  readonly retryMs?: number;
  readonly confirmMs?: number;
  readonly retries?: readonly number[];
  readonly changesMs?: number;
}
