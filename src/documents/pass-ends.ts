/** How often links and open pages of a user were ended: passes are good for the count at which they were given. */
export interface PassEnds {
  /** Ends of the owner's and of everybody's together; it only grows. */
  of(owner: string): number;
  /** Adds one, durably; every process of the data folder obeys with its next request. */
  add(owner: string): void;
  /** The same for all owners, those to come included. */
  addForAll(): void;
}
