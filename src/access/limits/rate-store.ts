export interface RateLimitCharge {
  readonly subject: string;
  readonly costMs: number;
  readonly windowMs: number;
  /** True if the charge counts even when the quota is used up. The counted charges never exceed two quotas. */
  readonly mayExceedQuota: boolean;
}

export interface RateChargeResult {
  readonly ok: boolean;
  readonly resetMs: number;
}

/** Counts requests for all nodes of a database, by its clock. Each method is atomic. */
export interface RateLimitStore {
  countCharges(charges: readonly RateLimitCharge[]): Promise<RateChargeResult[]>;
  deleteFull(): Promise<void>;
}
