export type HeartbeatSignal = 'start' | 'success' | 'fail';

/** Heartbeats of a watched job, in milliseconds since the epoch. */
export interface StoredHeartbeat {
  readonly at?: number;
  /** Time of a reported failure. Undefined after a later success. */
  readonly failedAt?: number;
  /** Time of the reported start of a run. Undefined after its end. */
  readonly beganAt?: number;
  /** Duration of the last run. Known only if the job reported its start and its end. */
  readonly tookMs?: number;
}

export interface HeartbeatStore {
  putToken(key: number, hash: string): Promise<void>;
  hasToken(key: number): Promise<boolean>;
  recordSignal(
    hash: string,
    at: number,
    signal: HeartbeatSignal,
  ): Promise<{ readonly hash: string; readonly key: number } | undefined>;
  findBeat(key: number): Promise<StoredHeartbeat>;
}
