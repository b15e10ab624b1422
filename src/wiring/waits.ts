/** Milliseconds that rooms wait of their own accord. What is left out is as each room has it; tests hand in shorter ones. */
export interface Waits {
  /** Between two requests of a crawl to one host, and between two of a map; robots.txt may ask for more. */
  readonly crawlDelayMs?: number;
  readonly mapDelayMs?: number;
  /** Between two heartbeats of a crawl, each of which notices whether another process asks it to stop. */
  readonly crawlBeatMs?: number;
  /** After the start, before a server or an assistant's process monitors. */
  readonly watchDelayMs?: number;
  /** Most of a command that kept nothing, for vectors of what others kept. */
  readonly settleMs?: number;
  /** Before each attempt to send an alert of keys and limits. */
  readonly alertAttemptsMs?: readonly number[];
  readonly monitor?: MonitorWaits;
}

/** Those of the monitor room. */
export interface MonitorWaits {
  /** Between two checks of what is due, and between two of the inventory. */
  readonly pollMs?: number;
  readonly inventoryMs?: number;
  /** Before the second attempt of a probe, and before the probe that confirms that a problem is gone. */
  readonly retryMs?: number;
  readonly confirmMs?: number;
  /** Before each new attempt to send a notification. */
  readonly retries?: readonly number[];
  /** Between two reads of the changes by other processes. */
  readonly changesMs?: number;
}
