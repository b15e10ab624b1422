export interface StoredStatusPage {
  readonly owner: string;
  /** Last part of the URL of the status page. No other status page has the same last part. */
  readonly slug: string;
  readonly title: string;
  /** True if the page shows the addresses of the monitors and the reasons of failures. */
  readonly addresses: boolean;
  /** Random text that is hashed with a monitor's name. The resulting public reference of the monitor cannot be guessed. */
  readonly salt: string;
}

/** Stores status pages. Each method is atomic. */
export interface StatusPageStore {
  /** Stores the status page of a user. Returns false if another user's page already has this slug. */
  putPage(page: StoredStatusPage): Promise<boolean>;
  findPage(owner: string): Promise<StoredStatusPage | undefined>;
  findBySlug(slug: string): Promise<StoredStatusPage | undefined>;
  removePage(owner: string): Promise<void>;
}
