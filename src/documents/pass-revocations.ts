export interface PassRevocations {
  /** Returns the number of revocations of the owner and of all users. It never decreases. */
  countEnds(owner: string): Promise<number>;
  addEnd(owner: string): Promise<void>;
  addEndForAll(): Promise<void>;
}
