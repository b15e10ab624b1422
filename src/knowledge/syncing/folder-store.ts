import type { SyncedFolder } from '../types.ts';

export interface SyncedFile {
  readonly path: string;
  /** Times and size of the file, or '' right after a change, because a second change may not alter them. */
  readonly stamp: string;
  readonly digest: string;
  /** Ids of the file's entries, joined by `packEntryIds` in sync-entries.ts, because a long text has several. */
  readonly entry: string;
}

/** Stores the folders that users sync. A change is durable when its promise resolves. */
export interface FolderStore {
  openFolder(owner: string, path: string, collection: string): Promise<SyncedFolder>;
  findFolder(owner: string, path: string): Promise<SyncedFolder | undefined>;
  listFolders(owner: string): Promise<SyncedFolder[]>;
  listFiles(owner: string, path: string): Promise<SyncedFile[]>;
  /** Deletes the records of the paths `gone`, then stores `files`. Does nothing if the folder is no longer synced. */
  saveFiles(
    owner: string,
    path: string,
    change: { readonly files?: readonly SyncedFile[]; readonly gone?: readonly string[] },
  ): Promise<void>;
  finishFolder(owner: string, path: string): Promise<void>;
  forgetFolder(owner: string, path: string): Promise<boolean>;
}
