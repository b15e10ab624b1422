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

/**
 * The files that a scan reads. None is ever run, and no link is followed. Fetched repositories are never checked out: contents
 * come from git's object store, where names, links and attributes have no effect.
 */
export interface Tree {
  /** Sorted by path. */
  readonly files: readonly TreeFile[];
  /** What was left out and why, in plain words: `3 files over 10 MB`. Grows while the history is read. */
  readonly left: readonly string[];
  /** The part of `left` that some scanner would have read. */
  readonly gaps: readonly Gap[];
  /** Packages to check besides those of the lockfiles. */
  readonly packages?: readonly NamedPackage[];
  /** The commit that is checked out or was requested; undefined for a folder without git. */
  readonly commit?: string;
  /** Throws AppError `upstream` if the content has changed since the tree was opened. */
  read(file: TreeFile): Promise<Uint8Array>;
  /**
   * Writes the files into a new, empty folder for programs that need a disk: plain files that cannot be executed, and only under
   * safe names. Returns the number of files not written.
   */
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

/**
 * True if a scanner reads a file of this path, or if a link's own name matters (its target is read under another name or is
 * outside the tree).
 */
export type Minds = (path: string, as: 'file' | 'link') => boolean;

export interface TreeRequest {
  readonly repository: string;
  /** Branch, tag or commit; by default the default branch, or the current state of a folder. */
  readonly branch?: string;
  /** If set, and the repository is on this machine, the merge base of `branch` and this commit is opened, if there is one. */
  readonly forkedFrom?: string | undefined;
  readonly history: boolean;
  /** If true, any folder may be read, since the caller sits at this machine's terminal; otherwise only the operator's roots. */
  readonly anyFolder: boolean;
  /** Folders allowed besides the operator's roots, with all that is in them. */
  readonly folders?: readonly string[] | undefined;
  /** True if the operator has listed exactly this repository: its host may then be private and use plain http. */
  readonly listed?: boolean;
  /** True for paths that scanners read; by default for all files. */
  readonly minds?: Minds;
}

/** A tree with its own work folder, which `close` removes; `close` never rejects. */
export interface OpenTree extends Tree {
  close(): Promise<void>;
}

/**
 * Opens a tree. Throws AppError `bad_request` for an invalid request, `not_found` for what is missing, `forbidden` for a folder
 * outside the roots, `upstream` for failures of the server, `too_large` over a limit.
 */
export type TreeOpener = (
  request: TreeRequest,
  watch: { readonly signal: AbortSignal; progress(message: string): void },
) => Promise<OpenTree>;
