import type { Component, RawFinding } from '../findings/finding.ts';
import type { FileFinding } from '../findings/hide.ts';
import type { OwnRules } from '../scanners/source/rules/own.ts';
import type { Tree } from '../trees/tree.ts';
import type { GapKind } from './omissions.ts';

/** Kinds of files, such as a language, that a scanner cannot read on this machine, each with the reason. */
export type UnreadableKinds = ReadonlyMap<string, string>;

export interface ScanOptions {
  readonly deep: boolean;
  /** Reports which content of the file is not read, in words that follow the file's name: `is over 1 MB`. */
  leave?(what: string): void;
  readonly rules?: OwnRules;
}

export interface ScannedFile {
  readonly path: string;
  /** Decoded text of the file without NUL. It has at most 2 MB, or is a section of 2,000,000 characters of a larger file. */
  readonly text: string;
}

/** Scans single files in a worker. Findings depend only on path, content and scanner code, which form the cache key. */
export interface FileScanner {
  readonly name: string;
  /** If true, a deep scan also runs the scanner on earlier contents in the history. */
  readonly past: boolean;
  /** Set if the scanner finds secrets. If it fails for a file, findings in this file show none of its text. */
  readonly masks?: true;
  /** Set if the scanner also reads files over 2 MB, in overlapping sections. */
  readonly large?: true;
  /** True if the scanner reads files with this path. It is called for each file and must be fast. */
  wants(path: string): boolean;
  /** True if only the content can show whether the scanner reads this file. Files over 2 MB are left out. */
  mayWant?(path: string): boolean;
  /** Returns kinds of files that cannot be read because an optional package is missing. It is called in a worker thread. */
  lacks?(): Promise<UnreadableKinds>;
  /** Returns messages about files that the scanner should read, but cannot read according to `lacks`. */
  left?(paths: readonly string[], lacks: UnreadableKinds): readonly string[];
  scan(file: ScannedFile, options: ScanOptions): readonly FileFinding[] | Promise<readonly FileFinding[]>;
  readonly together?: FileGroupScanner;
}

/** Scans several files together. Each finding depends on the paths and contents of all of these files. */
export interface FileGroupScanner {
  /** If set, the scanner runs in every scan, not only in deep scans. */
  readonly always?: true;
  /** Start of the message about files over the limits: `data flow from`. */
  readonly reads: string;
  /** Returns the groups to which a file belongs: none, one or several. All files of a group are scanned together. */
  groupsOf(path: string): readonly string[];
  /** Scans the files. Calls `begin` with the path of each file before the work on that file. */
  scan(
    files: readonly ScannedFile[],
    options: ScanOptions,
    begin: (path: string) => void,
  ): Promise<FileGroupFindings>;
}

export interface FileGroupFindings {
  readonly findings: readonly FileFinding[];
  /** Findings that the whole group disproves. Only findings with a data flow are dropped unless `always` is set. */
  readonly refuted?: readonly RawFinding[];
  /** Number of files whose data flow was not followed because a limit was reached. */
  readonly left: number;
  /** Names of classes whose methods were not found, since too many files or derived classes can have them. */
  readonly cut?: readonly string[];
}

export interface TreeScanContext {
  readonly tree: Tree;
  readonly options: ScanOptions;
  readonly signal: AbortSignal;
  progress(message: string): void;
  /** Adds packages to the bill of materials; a scanner may call it several times. */
  uses(components: readonly Component[]): void;
  /** Reports a gap in words: `a.lock: 3 packages over the first 100,000`. `fix` replaces the general advice for its kind. */
  miss(kind: GapKind, what: string, fix?: string): void;
  leave(what: string): void;
  /** Reports that the scanner failed. Users see the reason. Findings that the scanner returns are still reported. */
  fail(reason: string): void;
}

export interface TreeScanner {
  readonly name: string;
  /** If set, the scanner runs only if the scan request has `dependencies`. */
  readonly dependencies?: true;
  /** True if the scanner reads files with this path. Links and too large files with such a path are reported as gaps. */
  names?(path: string): boolean;
  scan(scan: TreeScanContext): Promise<readonly RawFinding[]>;
}
