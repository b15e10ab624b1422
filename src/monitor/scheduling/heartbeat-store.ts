export type HeartbeatSignal = 'start' | 'success' | 'fail';

/** Times of a job's last signals, in milliseconds since the epoch. */
export interface StoredHeartbeat {
  readonly at?: number;
  /** Failure after the last success. */
  readonly failedAt?: number;
  /** Start that no success or failure has followed yet. */
  readonly beganAt?: number;
  /** Duration in milliseconds of the last run that signalled both start and end. */
  readonly tookMs?: number;
}

/** Stores heartbeats. Each method is atomic. */
export interface HeartbeatStore {
  /** Stores the hash of a monitor's new token. The old token becomes invalid. */
  putToken(key: number, hash: string): Promise<void>;
  hasToken(key: number): Promise<boolean>;
  /** Records a signal. Returns the token's stored hash and its monitor, or undefined for an unknown token. */
  recordSignal(
    hash: string,
    at: number,
    signal: HeartbeatSignal,
  ): Promise<{ readonly hash: string; readonly key: number } | undefined>;
  findBeat(key: number): Promise<StoredHeartbeat>;
}
