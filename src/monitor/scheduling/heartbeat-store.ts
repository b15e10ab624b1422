export type HeartbeatSignal = 'start' | 'success' | 'fail';

/** Last heartbeats of a watched job. Times are in milliseconds since 1970. */
export interface StoredHeartbeat {
  readonly at?: number;
  /** Time of the last reported failure. `failedAt` is undefined after a success. */
  readonly failedAt?: number;
  /** When the current run started, if the job reported that. `beganAt` is undefined after the run. */
  readonly beganAt?: number;
  /** Duration of the last run. `tookMs` is undefined unless the job reported both its start and its end. */
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
