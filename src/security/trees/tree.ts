import type { NamedPackage } from '../packages/named-package.ts';
import type { Gap } from '../scans/omissions.ts';

/** A regular file of a tree; links, devices and what is over the limits are not among them. */
export interface TreeFile {
  /** From the root, with `/`; may hold any character but NUL, and need not be a name that a disk would take. */
  readonly path: string;
  readonly bytes: number;
  /** Git's id of the content, with git or without: equal content, equal id. */
  readonly blob: string;
}

/**
 * Files that are scanned together. Nothing in it is ever run, and no link in it is followed. What was fetched is
 * never checked out: contents come from git's object store, where names, links and attributes do nothing.
 */
export interface Tree {
  /** By path. */
  readonly files: readonly TreeFile[];
  /** What was left out, and why, in plain words: `3 files over 10 MB`. Grows while the history is read. */
  readonly left: readonly string[];
  /** What of it a scanner would have read. */
  readonly gaps: readonly Gap[];
  /** Packages that are asked about besides those of its lockfiles. */
  readonly packages?: readonly NamedPackage[];
  /** The commit that is checked out; undefined for a folder without git. */
  readonly commit?: string;
  /** AppError `upstream` where the content is not what it was when the tree was opened. */
  read(file: TreeFile): Promise<Uint8Array>;
  /**
   * Writes the files under a new, empty folder, for programs that want a disk: plain files without a right to run,
   * and only those whose names are harmless there; gives how many were not written.
   */
  materialise(folder: string, signal: AbortSignal): Promise<number>;
  /** How many of the newest commits are signed; left out where git is not used, or only one commit was fetched. */
  signatures?(signal: AbortSignal): Promise<{ readonly seen: number; readonly signed: number }>;
  /** The whole history once per blob: contents that are not in `files`, newest commit that has each first. */
  history(signal: AbortSignal): AsyncIterable<PastFile>;
}

/** A content of the past. */
export interface PastFile extends TreeFile {
  readonly commit: string;
  readonly content: Uint8Array;
}

/**
 * Whether a scanner reads a file of this path; of a link, whether it matters by its own name, since its target is read
 * under another name or is not part of the tree.
 */
export type Minds = (path: string, as: 'file' | 'link') => boolean;

/** What is asked for. */
export interface TreeRequest {
  /** Git URL, or the path of a folder. */
  readonly repository: string;
  /** Branch, tag or commit; the default branch, or the folder as it stands, when left out. */
  readonly branch?: string;
  /** Of a repository on this machine the last commit that `branch` and this one share, where there is one, in place of `branch` itself. */
  readonly forkedFrom?: string | undefined;
  /** The history is wanted too. */
  readonly history: boolean;
  /** Any folder of this machine may be named: the caller sits at its terminal. Else only the operator's roots. */
  readonly anyFolder: boolean;
  /** Folders beside the operator's roots, with what lies in them. */
  readonly folders?: readonly string[] | undefined;
  /** The operator has listed this very repository: its host may be a private one, and speak plain http. */
  readonly listed?: boolean;
  /** Which paths scanners read; all files when left out. */
  readonly minds?: Minds;
}

/** A tree in its own work folder, which `close` removes; `close` never rejects. */
export interface OpenTree extends Tree {
  close(): Promise<void>;
}

/**
 * Fetches what is asked for. AppError `bad_request` names what is wrong with the request, `not_found` what is not
 * there, `forbidden` a folder outside the roots, `upstream` what the other side said, `too_large` the limit.
 */
export type TreeOpener = (
  request: TreeRequest,
  watch: { readonly signal: AbortSignal; progress(message: string): void },
) => Promise<OpenTree>;
