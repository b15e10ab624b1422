/** How often the passes of a user were ended: a pass is valid for the count at which it was issued. */
export interface PassEnds {
  /** Ends of the owner's passes and of all users' together; it only grows. */
  countEnds(owner: string): Promise<number>;
  /** Adds one, durably; every process on the data folder applies it from its next request on. */
  addEnd(owner: string): Promise<void>;
  /** The same for all owners, those to come included. */
  addEndForAll(): Promise<void>;
}
