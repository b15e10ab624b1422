/** A file as it was when its entry was written. */
export interface SyncedFile {
  /** Within its folder, with slashes. */
  readonly path: string;
  /** Of time and size: a file with the same one is not read. Empty where it cannot be relied on. */
  readonly stamp: string;
  /** SHA-256 of its bytes. */
  readonly digest: string;
  /** Id of its entry; of a long text those of all its entries, as sync-entries.ts packs them. */
  readonly entry: string;
}

export interface FolderRecord {
  readonly path: string;
  /** The collection that its entries go into. */
  readonly collection: string;
  /** Milliseconds since 1970; undefined until the first run has finished. */
  readonly syncedAt?: number;
  readonly files: number;
}

/**
 * Folders that each user keeps in step with the knowledge base. No method reaches another owner's. A change is durable, and one step,
 * when its promise resolves.
 */
export interface FolderStore {
  /** Made with that collection where it is new. */
  openFolder(owner: string, path: string, collection: string): Promise<FolderRecord>;
  findFolder(owner: string, path: string): Promise<FolderRecord | undefined>;
  /** By their paths. */
  listFolders(owner: string): Promise<FolderRecord[]>;
  listFiles(owner: string, path: string): Promise<SyncedFile[]>;
  /** First takes out `gone`, then puts `files`. Nothing where the folder has been forgotten. */
  saveFiles(
    owner: string,
    path: string,
    change: { readonly files?: readonly SyncedFile[]; readonly gone?: readonly string[] },
  ): Promise<void>;
  finishFolder(owner: string, path: string): Promise<void>;
  /** False where it was not there. */
  forgetFolder(owner: string, path: string): Promise<boolean>;
}
