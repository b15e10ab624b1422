import type { NamedPackage } from '../packages/named-package.ts';
import type { Gap } from '../scans/omissions.ts';

/** A regular file of a tree. Trees contain no links, devices or files over the limits. */
export interface TreeFile {
  /** Path from the root, with `/`. It may contain any character but NUL, and may be invalid as a name on a disk. */
  readonly path: string;
  readonly bytes: number;
  /** Git's id of the content, also without git: equal contents have equal ids. */
  readonly blob: string;
}

/** The files of a scan. None is run, no link is followed, and fetched contents come from git's store, not a checkout. */
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
  /** Counts signed commits among the newest. Undefined without git, or if only one commit was fetched. */
  signatures?(signal: AbortSignal): Promise<{ readonly seen: number; readonly signed: number }>;
  /** Yields each earlier content that is not in `files` once, newest first, with the newest commit that has it. */
  history(signal: AbortSignal): AsyncIterable<PastFile>;
}

export interface PastFile extends TreeFile {
  readonly commit: string;
  readonly content: Uint8Array;
}

/** True if a scanner reads this path; for a link, if its own name counts: its target is outside or has another name. */
export type ReadPredicate = (path: string, as: 'file' | 'link') => boolean;

export interface TreeRequest {
  readonly repository: string;
  /** Branch, tag or commit; by default the default branch, or the current state of a folder. */
  readonly branch?: string;
  /** If set, opens the merge base of `branch` and this commit, if there is one and the repository is on this machine. */
  readonly forkedFrom?: string | undefined;
  readonly history: boolean;
  /** If true, any folder may be read, since the caller uses this machine's terminal; otherwise only the allowed folders. */
  readonly anyFolder: boolean;
  /** Folders that may be read besides those that the operator allows, with everything in them. */
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

/** Opens a tree. AppError `bad_request`, `not_found`, `forbidden` (not allowed), `upstream` (server) or `too_large`. */
export type TreeOpener = (
  request: TreeRequest,
  watch: { readonly signal: AbortSignal; progress(message: string): void },
) => Promise<OpenTree>;
