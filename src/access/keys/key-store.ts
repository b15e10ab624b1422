import type { KeyRecord } from '../types.ts';

export interface KeyReplacement {
  readonly id: string;
  /** Time of the rotation, in milliseconds since 1970. The old key must be active at this time. */
  readonly at: number;
  /** Latest time at which the old key expires, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Stores the keys of a data folder. Each method is atomic, and a change is durable when its promise resolves. */
export interface KeyStore {
  /** Stores a new key. Rejects if a key with this id or hash exists. */
  insertKey(key: KeyRecord, hash: Buffer): Promise<void>;
  /** Inserts `key` as the replacement of an old key. Returns false if the old key is inactive or already has a replacement. */
  replaceKey(key: KeyRecord, hash: Buffer, old: KeyReplacement): Promise<boolean>;
  findByHash(hash: Buffer): Promise<{ readonly key: KeyRecord; readonly hash: Uint8Array } | undefined>;
  findById(id: string): Promise<KeyRecord | undefined>;
  listKeys(user?: string): Promise<KeyRecord[]>;
  /** Revokes a key and returns its record, or undefined for an unknown id. A key revoked earlier keeps its time of revocation. */
  revokeKey(id: string, at: number): Promise<KeyRecord | undefined>;
  revokeAllKeys(at: number): Promise<number>;
  /** Returns a value that changes whenever keys may have changed, in this or another process. */
  readVersion(): Promise<string>;
  hasKeys(): Promise<boolean>;
}
