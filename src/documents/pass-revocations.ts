/** Counts how often the passes (signed tokens) of a user were revoked. A pass is valid only while that count stays the same. */
export interface PassRevocations {
  /** Returns the number of revocations that affect the owner: the owner's own, and those for all users. It never decreases. */
  countEnds(owner: string): Promise<number>;
  /** Adds one revocation for the owner, durably. Every process that uses the data folder applies it from its next request. */
  addEnd(owner: string): Promise<void>;
  /** Adds one revocation for all owners, including future ones. */
  addEndForAll(): Promise<void>;
}
