/** Requests, or what they cost, on their way to the count of all nodes. */
export interface Charge {
  readonly subject: string;
  /** Milliseconds in which the quota grows by as much again. */
  readonly costMs: number;
  /** Milliseconds in which a whole quota comes back. */
  readonly windowMs: number;
  /** Counted in any case, up to two quotas; otherwise only while the quota has it. */
  readonly owed: boolean;
}

export interface Charged {
  /** False where it was not counted. */
  readonly ok: boolean;
  /** Milliseconds until the whole quota is there again. */
  readonly resetMs: number;
}

/** Requests a minute as all nodes of a database count them, by the clock of the database. Each method is one atomic step. */
export interface RateStore {
  /** Counts each by itself, in any order of those of different subjects; gives one result for each, in the order given. */
  countCharges(charges: readonly Charge[]): Promise<Charged[]>;
  /** Forgets subjects whose whole quota is there again. */
  deleteFull(): Promise<void>;
}
