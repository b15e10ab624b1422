/** Counts the revocations of a user's passes (signed tokens). A pass is valid while the count stays the same. */
export interface PassRevocations {
  /** Returns the number of revocations of the owner and of all users. The number never decreases. */
  countEnds(owner: string): Promise<number>;
  addEnd(owner: string): Promise<void>;
  addEndForAll(): Promise<void>;
}
