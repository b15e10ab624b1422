import type { NamedPackage } from '../packages/named-package.ts';
import type { Gap } from '../scans/omissions.ts';

/** A regular file of a tree. Trees contain no links, devices or files over the limits. */
export interface TreeFile {
  /** Path from the root, with `/`. It may contain any character but NUL, and may be invalid as a name on a disk. */
  readonly path: string;
  readonly bytes: number;
  /** Git's id of the content, which is also computed without git. Equal contents have equal ids. */
  readonly blob: string;
}

/** The files of a scan. No file is run, and no link is followed. Fetched contents come from git's object store. */
export interface Tree {
  /** Files of the tree, sorted by path. */
  readonly files: readonly TreeFile[];
  /** Says in plain words what was left out and why: `3 files over 10 MB`. Grows while the history is read. */
  readonly left: readonly string[];
  readonly gaps: readonly Gap[];
  /** Packages to check in addition to those in lockfiles. */
  readonly packages?: readonly NamedPackage[];
  /** Id of the commit that is checked out or was requested; undefined for a folder without git. */
  readonly commit?: string;
  /** Reads a file. Throws AppError `upstream` if the content has changed since the tree was opened. */
  read(file: TreeFile): Promise<Uint8Array>;
  /** Writes the files, not executable and with safe names, into a new empty folder. Returns the number not written. */
  materialise(folder: string, signal: AbortSignal): Promise<number>;
  /** Counts signed commits among the newest commits. Absent without git or if only one commit was fetched. */
  signatures?(signal: AbortSignal): Promise<{ readonly seen: number; readonly signed: number }>;
  /** Yields each earlier content that is not in `files` once, newest first, with the newest commit that has it. */
  history(signal: AbortSignal): AsyncIterable<PastFile>;
}

export interface PastFile extends TreeFile {
  readonly commit: string;
  readonly content: Uint8Array;
}

/** True if a scanner reads this path. For a link only its own name counts, since its target is not scanned by this name. */
export type ReadPredicate = (path: string, as: 'file' | 'link') => boolean;

export interface TreeRequest {
  readonly repository: string;
  /** Branch, tag or commit. The default is the default branch, or the current state of a folder. */
  readonly branch?: string;
  /** If set, opens the common ancestor (merge base) of `branch` and this commit, if the repository is on this machine. */
  readonly forkedFrom?: string | undefined;
  readonly history: boolean;
  /** If true, any folder may be read, since the caller uses a terminal of this machine. Otherwise only allowed folders. */
  readonly anyFolder: boolean;
  /** Folders that may be read, with all their subfolders, in addition to those that the operator allows. */
  readonly folders?: readonly string[] | undefined;
  /** True if the operator has listed exactly this repository. Its host may then be private and may use plain http. */
  readonly listed?: boolean;
  /** True for paths that scanners read. The default is all files. */
  readonly minds?: ReadPredicate;
}

/** A tree with its own work folder. `close` removes the folder and never rejects. */
export interface OpenTree extends Tree {
  close(): Promise<void>;
}

/** Opens a tree. AppError `bad_request`, `not_found`, `forbidden` (not allowed), `upstream` (server) or `too_large`. */
export type TreeOpener = (
  request: TreeRequest,
  watch: { readonly signal: AbortSignal; progress(message: string): void },
) => Promise<OpenTree>;
