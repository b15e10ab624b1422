export interface StoredStatusPage {
  readonly owner: string;
  readonly slug: string;
  readonly title: string;
  /** True if the page shows the addresses of the monitors and the reasons of failures. */
  readonly addresses: boolean;
  readonly salt: string;
}

export interface StatusPageStore {
  putPage(page: StoredStatusPage): Promise<boolean>;
  findPage(owner: string): Promise<StoredStatusPage | undefined>;
  findBySlug(slug: string): Promise<StoredStatusPage | undefined>;
  removePage(owner: string): Promise<void>;
}
