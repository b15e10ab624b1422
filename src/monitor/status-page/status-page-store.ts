export interface StoredStatusPage {
  readonly owner: string;
  /** Unique last part of the page's address. */
  readonly slug: string;
  readonly title: string;
  /** True if visitors may see the watched addresses and the reasons of failures. */
  readonly addresses: boolean;
  /** Random text that makes the monitors' references unguessable from their names. */
  readonly salt: string;
}

/** Stores status pages. Each method is atomic. */
export interface StatusPageStore {
  /** Inserts or changes the owner's page. Resolves with false if another owner has the slug. */
  putPage(page: StoredStatusPage): Promise<boolean>;
  findPage(owner: string): Promise<StoredStatusPage | undefined>;
  findBySlug(slug: string): Promise<StoredStatusPage | undefined>;
  removePage(owner: string): Promise<void>;
}
