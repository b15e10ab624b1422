export interface StoredStatusPage {
  readonly owner: string;
  /** Last part of the page's address, unique among all pages. */
  readonly slug: string;
  readonly title: string;
  /** True if visitors may see the watched addresses and the reasons of failures. */
  readonly addresses: boolean;
  /** Random text, hashed with a monitor's name, so that its reference on the page cannot be guessed from the name. */
  readonly salt: string;
}

/** Stores status pages. Each method is atomic. */
export interface StatusPageStore {
  /** Inserts or changes the owner's page. Resolves to false if the page of another owner has the slug. */
  putPage(page: StoredStatusPage): Promise<boolean>;
  findPage(owner: string): Promise<StoredStatusPage | undefined>;
  findBySlug(slug: string): Promise<StoredStatusPage | undefined>;
  removePage(owner: string): Promise<void>;
}
