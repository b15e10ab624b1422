import type { Scope } from '../caller.ts';

/** A key as it is kept; times in milliseconds since 1970. The key itself is nowhere. */
export interface KeyRecord {
  readonly id: string;
  /** The owner of all that its bearer keeps. */
  readonly user: string;
  /** What it is for, in its maker's words; may be empty. */
  readonly name: string;
  /** Its first characters, by which a person knows it again. */
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly revokedAt: number | undefined;
  /** Id of the key that took its place. */
  readonly replacedBy: string | undefined;
  /** Of the last request that it was good for, to within the time between two writes. */
  readonly usedAt: number | undefined;
}

/** What may change of a key once it is made. */
export type KeyChange = Partial<Pick<KeyRecord, 'expiresAt' | 'revokedAt' | 'replacedBy'>>;

/**
 * Where keys are kept, shared by the processes of a data folder: every call sees what any of them wrote
 * before. Synchronous, as the check of a key stands before every request.
 */
export interface KeyStore {
  /** Durable when it returns. `replaces` is changed together with it, or neither. */
  add(key: KeyRecord, hash: Buffer, replaces?: { readonly id: string; readonly change: KeyChange }): void;
  byHash(hash: Buffer): { readonly key: KeyRecord; readonly hash: Uint8Array } | undefined;
  byId(id: string): KeyRecord | undefined;
  /** Oldest first; of one user, or all. */
  list(user?: string): KeyRecord[];
  /** Durable when it returns; false when there is none of that id. */
  change(id: string, change: KeyChange): boolean;
  /** Revokes all that are not; gives their number. */
  revokeAll(at: number): number;
  /** Another value than before once keys may have changed, by this store or in another process. */
  version(): string;
  /** Whether a key was ever made: they are never deleted. */
  any(): boolean;
}
