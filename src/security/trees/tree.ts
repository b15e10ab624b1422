import type { NamedPackage } from '../packages/named-package.ts';
import type { Gap } from '../scans/omissions.ts';

/** A regular file of a repository. Links, devices and files over the limits are not in a tree. */
export interface TreeFile {
  /** Path from the root, with `/`. It may contain any character but NUL, and some systems may not allow it as a file name. */
  readonly path: string;
  readonly bytes: number;
  /** Git's id of the content, which is also computed without git. Equal contents have equal ids. */
  readonly blob: string;
}

/** The files to scan. They are never executed, and links are not followed. */
export interface Tree {
  /** Files of the tree, sorted by path. */
  readonly files: readonly TreeFile[];
  /** Omitted content with the reason, in words: `3 files over 10 MB`. Entries are added while the history is read. */
  readonly left: readonly string[];
  readonly gaps: readonly Gap[];
  readonly packages?: readonly NamedPackage[];
  /** Id of the commit that is checked out or was requested; undefined for a folder without git. */
  readonly commit?: string;
  /** Reads a file. Throws AppError `upstream` if the content has changed since the tree was opened. */
  read(file: TreeFile): Promise<Uint8Array>;
  /** Writes the files to a new empty folder, not executable and with safe names. Returns how many could not be written. */
  materialise(folder: string, signal: AbortSignal): Promise<number>;
  /** Counts signed commits among the newest commits. Absent without git or if only one commit was fetched. */
  signatures?(signal: AbortSignal): Promise<{ readonly seen: number; readonly signed: number }>;
  /** Yields earlier contents of files, newest first. Each content comes once, with the newest commit that contains it. */
  history(signal: AbortSignal): AsyncIterable<PastFile>;
}

export interface PastFile extends TreeFile {
  readonly commit: string;
  readonly content: Uint8Array;
}

/** True if a scanner reads this path. For a link, only its own name matters, since links are not followed. */
export type ReadPredicate = (path: string, as: 'file' | 'link') => boolean;

export interface TreeRequest {
  readonly repository: string;
  /** Branch, tag or commit to open. The default is the default branch; for a folder, it is the folder's current state. */
  readonly branch?: string;
  /** Commit for a local repository. If set, the merge base of this commit and `branch` is opened. */
  readonly forkedFrom?: string | undefined;
  readonly history: boolean;
  /** If true, any folder may be read, since the caller uses a terminal of this machine. Otherwise only allowed folders. */
  readonly anyFolder: boolean;
  /** Folders that may be read besides those that the operator allows, including their subfolders. */
  readonly folders?: readonly string[] | undefined;
  /** True if the operator's settings list this repository. Its host may be in a private network and may use http. */
  readonly listed?: boolean;
  /** True for paths that some scanner reads. By default, all files are opened. */
  readonly minds?: ReadPredicate;
}

/** A tree with its own work folder. `close` removes the folder and never rejects. */
export interface OpenTree extends Tree {
  close(): Promise<void>;
}

/** Opens a repository. AppError `bad_request`, `not_found`, `forbidden`, `too_large`, or `upstream` for a server's error. */
export type TreeOpener = (
  request: TreeRequest,
  watch: { readonly signal: AbortSignal; progress(message: string): void },
) => Promise<OpenTree>;
