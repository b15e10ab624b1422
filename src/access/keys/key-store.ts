import type { KeyRecord } from '../types.ts';

export interface KeyReplacement {
  readonly id: string;
  readonly at: number;
  /** Time (milliseconds since 1970) at which the old key expires, unless it would expire earlier anyway. */
  readonly expiresAt: number;
}

/** Stores keys. Each method is atomic, and a change is durable when its promise resolves. */
export interface KeyStore {
  insertKey(key: KeyRecord, hash: Buffer): Promise<void>;
  /** Stores a key in place of an old one. Returns false if the old key is inactive or replaced already. */
  replaceKey(key: KeyRecord, hash: Buffer, old: KeyReplacement): Promise<boolean>;
  findByHash(hash: Buffer): Promise<{ readonly key: KeyRecord; readonly hash: Uint8Array } | undefined>;
  findById(id: string): Promise<KeyRecord | undefined>;
  listKeys(user?: string): Promise<KeyRecord[]>;
  /** Returns the revoked key, or undefined for an unknown id. An earlier time of revocation is kept. */
  revokeKey(id: string, at: number): Promise<KeyRecord | undefined>;
  revokeAllKeys(at: number): Promise<number>;
  /** Returns a value that changes whenever any process changes a key. */
  readVersion(): Promise<string>;
  hasKeys(): Promise<boolean>;
}
