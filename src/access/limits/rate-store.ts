export interface RateCharge {
  readonly subject: string;
  readonly costMs: number;
  readonly windowMs: number;
  /** True if the charge counts even when the quota is used up, up to two quotas in all. */
  readonly mayExceedQuota: boolean;
}

export interface RateChargeResult {
  readonly ok: boolean;
  readonly resetMs: number;
}

/** Counts for all nodes of a database, by the database's clock. Each method is atomic. */
export interface RateStore {
  countCharges(charges: readonly RateCharge[]): Promise<RateChargeResult[]>;
  deleteFull(): Promise<void>;
}
