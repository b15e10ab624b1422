export interface RateCharge {
  readonly subject: string;
  /** Cost of this charge, as the milliseconds in which the used part of the quota becomes available again. */
  readonly costMs: number;
  readonly windowMs: number;
  /** True if the charge is counted even when the quota is used up. The counted total is then at most two quotas. */
  readonly mayExceedQuota: boolean;
}

export interface RateChargeResult {
  readonly ok: boolean;
  readonly resetMs: number;
}

/** Counts requests per minute for all nodes of a database, by the database's clock. Each method is one atomic step. */
export interface RateStore {
  /** Counts each charge separately; returns one result per charge, in the given order. */
  countCharges(charges: readonly RateCharge[]): Promise<RateChargeResult[]>;
  deleteFull(): Promise<void>;
}
