import type { KeyRecord } from '../types.ts';

export interface KeyReplacement {
  readonly id: string;
  readonly at: number;
  /** Milliseconds since 1970. The old key expires then at the latest. */
  readonly expiresAt: number;
}

/** Each method is atomic. A change is durable when its promise resolves. */
export interface KeyStore {
  insertKey(key: KeyRecord, hash: Buffer): Promise<void>;
  /** Returns false if the old key is inactive or was already replaced. */
  replaceKey(key: KeyRecord, hash: Buffer, old: KeyReplacement): Promise<boolean>;
  findByHash(hash: Buffer): Promise<{ readonly key: KeyRecord; readonly hash: Uint8Array } | undefined>;
  findById(id: string): Promise<KeyRecord | undefined>;
  listKeys(user?: string): Promise<KeyRecord[]>;
  /** Returns undefined for an unknown id. A key revoked earlier keeps its time of revocation. */
  revokeKey(id: string, at: number): Promise<KeyRecord | undefined>;
  revokeAllKeys(at: number): Promise<number>;
  /** Returns a value that changes with every change of keys, by any process. */
  readVersion(): Promise<string>;
  hasKeys(): Promise<boolean>;
}
