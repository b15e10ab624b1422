import type { RawFinding, SoftwareComponent } from '../findings/finding.ts';
import type { UnmaskedFinding } from '../findings/hide.ts';
import type { UserRules } from '../scanners/source/rules/own.ts';
import type { FileTree } from '../trees/tree.ts';
import type { ScanGapKind } from './omissions.ts';

/** Maps kinds of files, such as a language, to the reason why a scanner cannot read them on this machine. */
export type UnreadableFileKinds = ReadonlyMap<string, string>;

export interface ScanOptions {
  readonly deep: boolean;
  /** Reports content that is not read. In messages, `what` follows the file's name: `is over 1 MB`. */
  leave?(what: string): void;
  readonly rules?: UserRules;
}

export interface ScannedFile {
  readonly path: string;
  /** Decoded text without NUL: a whole file of at most 2 MB, or a section of 2,000,000 characters of a larger file. */
  readonly text: string;
}

/** Scanner of single files. Findings are cached, so they must depend only on path, content and scanner code. */
export interface FileScanner {
  readonly name: string;
  readonly past: boolean;
  /** If true, the scanner finds secrets to mask. If it fails on a file, that file's findings show no code. */
  readonly masks?: true;
  readonly large?: true;
  /** True if the scanner reads files with this path. Called for each file, so it must be fast. */
  wants(path: string): boolean;
  /** True if the file's content decides whether it is scanned. Files over 2 MB are skipped. */
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
  /** Start of messages about what was not read: `data flow from` in `data flow from 3 files`. */
  readonly reads: string;
  /** Returns the names of a file's groups. A group's files are scanned together. `paths` has all paths. */
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
  /** Classes that too many files declare, so that not all of their methods were considered. */
  readonly cut?: readonly string[];
}

export interface TreeScanContext {
  readonly tree: FileTree;
  readonly options: ScanOptions;
  readonly signal: AbortSignal;
  progress(message: string): void;
  uses(components: readonly SoftwareComponent[]): void;
  /** Reports a gap, such as `a.lock: 3 packages over the first 100,000`. `fix` replaces the default advice. */
  miss(kind: ScanGapKind, what: string, fix?: string): void;
  leave(what: string): void;
  fail(reason: string): void;
}

export interface TreeScanner {
  readonly name: string;
  readonly dependencies?: true;
  /** True if the scanner reads files with this path. Links and too large files are then reported as gaps. */
  names?(path: string): boolean;
  scan(scan: TreeScanContext): Promise<readonly RawFinding[]>;
}
