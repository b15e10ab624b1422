/** A user's public status page, as it is set. */
export interface StoredPage {
  readonly owner: string;
  /** Names it in its address; unique. */
  readonly slug: string;
  readonly title: string;
  /** Whether the addresses of what is watched, and why it was down, may be seen by everyone. */
  readonly addresses: boolean;
  /** Random; makes the references of monitors, so that these say nothing of them. */
  readonly salt: string;
}

/** Status pages. Each method is one atomic step. */
export interface PageStore {
  /** Inserts or changes the owner's page. False where the slug is another owner's. */
  putPage(page: StoredPage): Promise<boolean>;
  findPage(owner: string): Promise<StoredPage | undefined>;
  findBySlug(slug: string): Promise<StoredPage | undefined>;
  removePage(owner: string): Promise<void>;
}
