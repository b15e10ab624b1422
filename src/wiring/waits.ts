/** Milliseconds that rooms wait of their own accord. What is left out is as each room has it; tests hand in shorter ones. */
export interface Waits {
  /** Between two requests of a crawl to one host, and between two of a map; robots.txt may ask for more. */
  readonly crawlDelayMs?: number;
  readonly mapDelayMs?: number;
  /** Between two looks of a crawl whether another process asks it to stop. */
  readonly crawlBeatMs?: number;
}
