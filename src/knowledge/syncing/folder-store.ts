import type { SyncedFolder } from '../types.ts';

export interface SyncedFile {
  readonly path: string;
  /** Time and size of the file. A file with the same stamp is not read again. '' if the file may change without a new time. */
  readonly stamp: string;
  readonly digest: string;
  /** Id of the file's entry. A long text has several entries, whose ids `packIds` in sync-entries.ts joins. */
  readonly entry: string;
}

/** Stores the folders that each user syncs. Each change is one transaction, which is durable when its promise resolves. */
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
