/** Counts the revocations of a user's passes (signed tokens). A pass is valid while the count stays the same. */
export interface PassRevocations {
  /** Returns how often passes were revoked for the owner or for all users. The number never decreases. */
  countEnds(owner: string): Promise<number>;
  addEnd(owner: string): Promise<void>;
  addEndForAll(): Promise<void>;
}
