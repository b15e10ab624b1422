/** Heartbeats of monitors. Each method is one atomic step. */
export interface BeatStore {
  /** Sets the token of a monitor, by its hash; the one before it is of no use any longer. */
  putToken(key: number, hash: string): Promise<void>;
  hasToken(key: number): Promise<boolean>;
  /** Notes a heartbeat by the hash of its token; gives the hash that is stored and its monitor, undefined where there is none. */
  noteBeat(hash: string, at: number): Promise<{ readonly hash: string; readonly key: number } | undefined>;
  /** When the last one came; milliseconds since the epoch. */
  lastBeat(key: number): Promise<number | undefined>;
}
