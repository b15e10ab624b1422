import type { RawFinding, SoftwareComponent } from '../findings/finding.ts';
import type { UnmaskedFinding } from '../findings/hide.ts';
import type { UserRules } from '../scanners/source/rules/own.ts';
import type { FileTree } from '../trees/tree.ts';
import type { ScanGapKind } from './omissions.ts';

/** Kinds of files, such as a language, that a scanner cannot read on this machine, with the reason for each. */
export type UnreadableFileKinds = ReadonlyMap<string, string>;

export interface ScanOptions {
  readonly deep: boolean;
  /** Reports what is not read, as a phrase to follow the file's name: `is over 1 MB`. */
  leave?(what: string): void;
  readonly rules?: UserRules;
}

export interface ScannedFile {
  readonly path: string;
  /** Decoded text without NUL: a whole file of at most 2 MB, or a section of 2,000,000 characters of a larger file. */
  readonly text: string;
}

/** Scanner of single files. Findings are cached, so they must depend only on path, content and code. */
export interface FileScanner {
  readonly name: string;
  readonly past: boolean;
  /** If true, the scanner finds secrets to mask. If it fails for a file, the file's findings show no code. */
  readonly masks?: true;
  readonly large?: true;
  /** True if the scanner reads files with this path. Called for each file, so it must be fast. */
  wants(path: string): boolean;
  /** True if the scanner must see the content to decide. Such a file is skipped if it is over 2 MB. */
  mayWant?(path: string): boolean;
  /** Returns kinds of files that cannot be read because an optional package is missing. Called in a worker thread. */
  lacks?(): Promise<UnreadableFileKinds>;
  left?(paths: readonly string[], lacks: UnreadableFileKinds): readonly string[];
  scan(
    file: ScannedFile,
    options: ScanOptions,
  ): readonly UnmaskedFinding[] | Promise<readonly UnmaskedFinding[]>;
  readonly together?: FileGroupScanner;
}

/** Scanner of groups of files. A finding may depend on the paths and contents of all files in the group. */
export interface FileGroupScanner {
  readonly always?: true;
  /** What the scanner reads, as a phrase to precede `3 files` in messages: `data flow from`. */
  readonly reads: string;
  /** Returns the groups of a file: none, one or several. `paths` are those of all files. All files of a group are scanned together. */
  groupsOf(path: string, paths?: ReadonlySet<string>): readonly string[];
  scan(
    files: readonly ScannedFile[],
    options: ScanOptions,
    begin: (path: string) => void,
  ): Promise<FileGroupFindings>;
}

export interface FileGroupFindings {
  readonly findings: readonly UnmaskedFinding[];
  readonly refuted?: readonly RawFinding[];
  readonly left: number;
  /** Names of classes that too many files declare. Not all methods of these classes were considered. */
  readonly cut?: readonly string[];
}

export interface TreeScanContext {
  readonly tree: FileTree;
  readonly options: ScanOptions;
  readonly signal: AbortSignal;
  progress(message: string): void;
  uses(components: readonly SoftwareComponent[]): void;
  /** Reports a gap: `a.lock: 3 packages over the first 100,000`. `fix` replaces the advice for the kind. */
  miss(kind: ScanGapKind, what: string, fix?: string): void;
  leave(what: string): void;
  fail(reason: string): void;
}

export interface TreeScanner {
  readonly name: string;
  readonly dependencies?: true;
  /** True if the scanner reads files with this path. A link or too large file with such a path is a gap. */
  names?(path: string): boolean;
  scan(scan: TreeScanContext): Promise<readonly RawFinding[]>;
}
