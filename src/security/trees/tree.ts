import type { NamedPackage } from '../packages/named-package.ts';
import type { ScanGap } from '../scans/omissions.ts';
import type { InstalledAssistant } from './assistants/installed-assistant.ts';

/** A regular file in a repository. Links, devices and files above the limits are not part of a tree. */
export interface TreeFile {
  /** Path from the root, with `/`. May contain characters that some file systems forbid, but not NUL. */
  readonly path: string;
  readonly bytes: number;
  /** Git's object id of the content, also for files outside of git. Equal contents have equal ids. */
  readonly blob: string;
}

/** The files to scan. Magpie never executes these files. */
export interface FileTree {
  readonly files: readonly TreeFile[];
  /** Omitted content as phrases: `3 files over 10 MB`. While the history is read, more phrases are added. */
  readonly left: readonly string[];
  readonly gaps: readonly ScanGap[];
  readonly packages?: readonly NamedPackage[];
  readonly assistants?: readonly InstalledAssistant[];
  /** True if the files come from third parties. Comments in the files then cannot suppress findings. */
  readonly isOfOthers?: true;
  /** True for a container image. A scan of an image always compares packages with advisories. */
  readonly isImage?: boolean;
  /** Id of the commit that is checked out or was requested. A folder without git has no `commit`. */
  readonly commit?: string;
  /** Reads a file. Throws AppError `upstream` if the content has changed since the tree was opened. */
  read(file: TreeFile): Promise<Uint8Array>;
  /** Writes the files to a new empty folder, not executable and with safe names. Returns the number of files not written. */
  materialise(folder: string, signal: AbortSignal): Promise<number>;
  /** Counts signed commits among the newest 50. `signatures` is undefined if there is no git history. */
  signatures?(signal: AbortSignal): Promise<{ readonly seen: number; readonly signed: number }>;
  /** Yields earlier contents of files, newest first. Each content is yielded once, with its newest commit. */
  history(signal: AbortSignal): AsyncIterable<PastFile>;
}

export interface PastFile extends TreeFile {
  readonly commit: string;
  readonly content: Uint8Array;
}

/** True if a scanner reads this path. A link is not followed, so only its own name is tested. */
export type ReadPredicate = (path: string, as: 'file' | 'link') => boolean;

export interface TreeRequest {
  readonly repository: string;
  /** Branch, tag or commit to open. Default: the repository's default branch, or the current files of a folder. */
  readonly branch?: string;
  /** Commit in a local repository. If set, the merge base of this commit and `branch` is opened. */
  readonly forkedFrom?: string | undefined;
  readonly history: boolean;
  /** If true, any folder may be read (a caller at a terminal). If false, only allowed folders may be read. */
  readonly anyFolder: boolean;
  /** Folders that may be read with their subfolders, in addition to folders that the operator allows. */
  readonly folders?: readonly string[] | undefined;
  /** True if the operator's settings list this repository. Its host may then be private and use http. */
  readonly listed?: boolean;
  /** Returns true for paths that a scanner reads. Default: true for all files and false for links. */
  readonly minds?: ReadPredicate;
}

/** A tree with its own work folder. `close` removes this folder and never rejects. */
export interface OpenFileTree extends FileTree {
  close(): Promise<void>;
}

/** Opens a repository. Throws AppError `bad_request`, `not_found`, `forbidden`, `too_large` or `upstream`. */
export type TreeOpener = (
  request: TreeRequest,
  watch: { readonly signal: AbortSignal; progress(message: string): void },
) => Promise<OpenFileTree>;
