import type { KeyRecord } from '../types.ts';

/** What the rotation of a key changes of the old one. */
export interface KeyReplacement {
  readonly id: string;
  /** The time of the rotation, at which the old key has to be active, in milliseconds since 1970. */
  readonly at: number;
  /** When the old key expires at the latest. */
  readonly expiresAt: number;
}

/**
 * Where keys are kept, shared by the processes of a data folder: every call sees what any process wrote before. Changes
 * are durable when the promise resolves. Each method is one atomic step.
 */
export interface KeyStore {
  /** Rejects where the id or the hash exists. */
  insertKey(key: KeyRecord, hash: Buffer): Promise<void>;
  /**
   * Inserts `key` and marks the old one as replaced by it. False, and nothing is changed, when the old one is not active
   * any longer or has been replaced: of several rotations at once one succeeds.
   */
  replaceKey(key: KeyRecord, hash: Buffer, old: KeyReplacement): Promise<boolean>;
  findByHash(hash: Buffer): Promise<{ readonly key: KeyRecord; readonly hash: Uint8Array } | undefined>;
  findById(id: string): Promise<KeyRecord | undefined>;
  /** Oldest first; of one user, or all. */
  listKeys(user?: string): Promise<KeyRecord[]>;
  /** Returns the record as it is then, undefined for an unknown id. One that was revoked before keeps its time. */
  revokeKey(id: string, at: number): Promise<KeyRecord | undefined>;
  /** Revokes all that are not; returns their number. */
  revokeAllKeys(at: number): Promise<number>;
  /** Another value than before once keys may have changed, by this store or in another process. */
  readVersion(): Promise<string>;
  /** Whether a key was ever made: keys are never deleted. */
  hasKeys(): Promise<boolean>;
}
