/** What a job says of itself: that it has begun, has done its work, or has failed. */
export type Signal = 'start' | 'success' | 'fail';

/** The last signals of a job; milliseconds since the epoch. */
export interface StoredBeat {
  /** Its last success. */
  readonly at?: number;
  /** When it said that it has failed, without a success since. */
  readonly failedAt?: number;
  /** When it began, without a success or a failure since. */
  readonly beganAt?: number;
  /** Milliseconds from its beginning to its end, the last time that it said both. */
  readonly tookMs?: number;
}

/** Heartbeats of monitors. Each method is one atomic step. */
export interface BeatStore {
  /** Sets the token of a monitor, by its hash; the one before it is of no use any longer. */
  putToken(key: number, hash: string): Promise<void>;
  hasToken(key: number): Promise<boolean>;
  /** Notes a signal by the hash of its token; gives the hash that is stored and its monitor, undefined where there is none. */
  noteBeat(
    hash: string,
    at: number,
    signal: Signal,
  ): Promise<{ readonly hash: string; readonly key: number } | undefined>;
  findBeat(key: number): Promise<StoredBeat>;
}
