/** How often a user has ended all links and open pages: passes are good for the count at which they were given. */
export interface PassEnds {
  of(owner: string): number;
  /** Adds one, durably; every process of the data folder obeys with its next request. */
  add(owner: string): void;
}
