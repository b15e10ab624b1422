export type HeartbeatSignal = 'start' | 'success' | 'fail';

/** Times of the last signals that a job sent, in milliseconds since the epoch. */
export interface StoredHeartbeat {
  readonly at?: number;
  /** Time of a failure reported after the last success. */
  readonly failedAt?: number;
  /** Time of a start that no success or failure has followed yet. */
  readonly beganAt?: number;
  /** Duration in milliseconds of the last run that signalled both start and end. */
  readonly tookMs?: number;
}

/** Stores heartbeats. Each method is atomic. */
export interface HeartbeatStore {
  /** Stores the hash of a monitor's new token. The old token becomes invalid. */
  putToken(key: number, hash: string): Promise<void>;
  hasToken(key: number): Promise<boolean>;
  /** Records a job's signal. Returns the stored token hash and the monitor, or undefined for an unknown token. */
  recordSignal(
    hash: string,
    at: number,
    signal: HeartbeatSignal,
  ): Promise<{ readonly hash: string; readonly key: number } | undefined>;
  findBeat(key: number): Promise<StoredHeartbeat>;
}
