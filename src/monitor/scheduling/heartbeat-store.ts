export type HeartbeatSignal = 'start' | 'success' | 'fail';

/** Times of the heartbeats that a watched job has sent to Magpie, in milliseconds since the epoch. */
export interface StoredHeartbeat {
  readonly at?: number;
  /** Time at which the job reported a failure. Undefined if it has reported a success since then. */
  readonly failedAt?: number;
  /** Time at which the running job reported its start. Undefined if it has reported its end since then. */
  readonly beganAt?: number;
  /** Duration in milliseconds of the job's last run. Known only if the job reported its start and its end. */
  readonly tookMs?: number;
}

/** Stores heartbeats. Each method is atomic. */
export interface HeartbeatStore {
  /** Stores the hash of a monitor's new heartbeat token, which replaces the old token. */
  putToken(key: number, hash: string): Promise<void>;
  hasToken(key: number): Promise<boolean>;
  /** Records a heartbeat by the hash of its token. Returns the stored hash and the monitor's key, undefined if unknown. */
  recordSignal(
    hash: string,
    at: number,
    signal: HeartbeatSignal,
  ): Promise<{ readonly hash: string; readonly key: number } | undefined>;
  findBeat(key: number): Promise<StoredHeartbeat>;
}
