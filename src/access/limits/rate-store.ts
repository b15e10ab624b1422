export interface RateLimitCharge {
  readonly subject: string;
  readonly costMs: number;
  readonly windowMs: number;
  /** If true, the charge counts even above the quota. The counted total is capped at twice the quota. */
  readonly mayExceedQuota: boolean;
}

export interface RateChargeResult {
  readonly ok: boolean;
  readonly resetMs: number;
}

/** Counts requests for all nodes of a database. Uses the database's clock. Each method is atomic. */
export interface RateLimitStore {
  countCharges(charges: readonly RateLimitCharge[]): Promise<RateChargeResult[]>;
  deleteFull(): Promise<void>;
}
