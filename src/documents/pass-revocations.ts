/** Counts how often the passes (signed tokens) of a user were revoked. A pass is valid only while that count stays the same. */
export interface PassRevocations {
  /** Returns how often passes were revoked for the owner and for all users together. The number only grows. */
  countEnds(owner: string): Promise<number>;
  /** Adds one revocation, durably. Every process on the data folder applies it from its next request. */
  addEnd(owner: string): Promise<void>;
  /** Adds one revocation for all owners, including future ones. */
  addEndForAll(): Promise<void>;
}
