export interface StoredStatusPage {
  readonly owner: string;
  readonly slug: string;
  readonly title: string;
  /** True if the public page shows the monitors' addresses and why they failed. */
  readonly addresses: boolean;
  readonly salt: string;
}

export interface StatusPageStore {
  putPage(page: StoredStatusPage): Promise<boolean>;
  findPage(owner: string): Promise<StoredStatusPage | undefined>;
  findBySlug(slug: string): Promise<StoredStatusPage | undefined>;
  removePage(owner: string): Promise<void>;
}
