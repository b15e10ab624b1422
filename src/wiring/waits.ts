/** Waiting times of all modules, in milliseconds. A module uses its own value for what is left out; tests pass shorter ones. */
export interface Waits {
  /** Time between two requests of a crawl, or of a map, to one host; robots.txt may ask for more. */
  readonly crawlDelayMs?: number;
  readonly mapDelayMs?: number;
  /** Time between two heartbeats of a crawl. Each heartbeat checks whether another process asks the crawl to stop. */
  readonly crawlBeatMs?: number;
  /** Time after the start until a server or an assistant's process begins to monitor. */
  readonly watchDelayMs?: number;
  /** Maximum time that a command that stored nothing waits for vectors of what other processes stored. */
  readonly settleMs?: number;
  /** Times before each attempt to send an alert of keys and limits. */
  readonly alertAttemptsMs?: readonly number[];
  readonly monitor?: MonitorWaits;
}

/** Waiting times of the monitor module. */
export interface MonitorWaits {
  /** Time between two checks of what is due, and between two reads of the inventory. */
  readonly pollMs?: number;
  readonly inventoryMs?: number;
  /** Time before the second attempt of a probe, and before the probe that confirms that a problem is gone. */
  readonly retryMs?: number;
  readonly confirmMs?: number;
  /** Times before each new attempt to send a notification. */
  readonly retries?: readonly number[];
  /** Time between two reads of the changes by other processes. */
  readonly changesMs?: number;
}
