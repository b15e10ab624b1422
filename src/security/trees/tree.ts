import type { NamedPackage } from '../packages/named-package.ts';
import type { Gap } from '../scans/omissions.ts';

/** A regular file of a tree. Links, devices and files over the limits are left out. */
export interface TreeFile {
  /** From the root, with `/`. It may hold any character but NUL, and may be invalid as a name on a disk. */
  readonly path: string;
  readonly bytes: number;
  /** Git's id of the content, also without git: equal contents have equal ids. */
  readonly blob: string;
}

/** The files of a scan. None is run, no link is followed, and fetched contents come from git's store, not a checkout. */
export interface Tree {
  /** Sorted by path. */
  readonly files: readonly TreeFile[];
  /** What was left out and why, in plain words: `3 files over 10 MB`. Grows while the history is read. */
  readonly left: readonly string[];
  readonly gaps: readonly Gap[];
  /** Packages to check besides those of the lockfiles. */
  readonly packages?: readonly NamedPackage[];
  /** The commit that is checked out or was requested; undefined for a folder without git. */
  readonly commit?: string;
  /** Throws AppError `upstream` if the content has changed since the tree was opened. */
  read(file: TreeFile): Promise<Uint8Array>;
  /** Writes non-executable files with safe names into a new, empty folder. Returns the number of files not written. */
  materialise(folder: string, signal: AbortSignal): Promise<number>;
  /** Counts signed commits among the newest. Undefined without git, or if only one commit was fetched. */
  signatures?(signal: AbortSignal): Promise<{ readonly seen: number; readonly signed: number }>;
  /** Yields each earlier content that is not in `files` once, newest first, with the newest commit that has it. */
  history(signal: AbortSignal): AsyncIterable<PastFile>;
}

export interface PastFile extends TreeFile {
  readonly commit: string;
  readonly content: Uint8Array;
}

/** True if a scanner reads this path, or a link's own name matters: its target is outside or read under another name. */
export type ReadPredicate = (path: string, as: 'file' | 'link') => boolean;

export interface TreeRequest {
  readonly repository: string;
  /** Branch, tag or commit; by default the default branch, or the current state of a folder. */
  readonly branch?: string;
  /** If set, opens the merge base of `branch` and this commit, if there is one and the repository is on this machine. */
  readonly forkedFrom?: string | undefined;
  readonly history: boolean;
  /** If true, any folder may be read, since the caller sits at this terminal; otherwise only the operator's roots. */
  readonly anyFolder: boolean;
  /** Folders allowed besides the operator's roots, with all that is in them. */
  readonly folders?: readonly string[] | undefined;
  /** True if the operator has listed exactly this repository: its host may then be private and use plain http. */
  readonly listed?: boolean;
  /** True for paths that scanners read; by default for all files. */
  readonly minds?: ReadPredicate;
}

/** A tree with its own work folder, which `close` removes; `close` never rejects. */
export interface OpenTree extends Tree {
  close(): Promise<void>;
}

/** Throws AppError `bad_request`, `not_found`, `forbidden` (outside the roots), `upstream` (server) or `too_large`. */
export type TreeOpener = (
  request: TreeRequest,
  watch: { readonly signal: AbortSignal; progress(message: string): void },
) => Promise<OpenTree>;
