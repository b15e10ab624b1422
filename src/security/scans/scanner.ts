import type { Component, RawFinding } from '../findings/finding.ts';
import type { FileFinding } from '../findings/hide.ts';
import type { OwnRules } from '../scanners/source/rules/own.ts';
import type { Tree } from '../trees/tree.ts';
import type { GapKind } from './omissions.ts';

/** What a scanner cannot read on this machine (such as a language), each with the reason. */
export type UnreadableKinds = ReadonlyMap<string, string>;

export interface ScanOptions {
  readonly deep: boolean;
  /** Reports what of the file is not read, in words that follow its name: `is over 1 MB`. */
  leave?(what: string): void;
  readonly rules?: OwnRules;
}

export interface ScannedFile {
  readonly path: string;
  /** Decoded text without NUL, at most 2 MB, or a piece of 2,000,000 characters of a larger file. */
  readonly text: string;
}

/** Scans single files in a worker. Findings are cached by path, content and code, on which alone they depend. */
export interface FileScanner {
  readonly name: string;
  /** If true, a deep scan runs it on earlier contents of the history too. */
  readonly past: boolean;
  /** Set if it finds secrets: where it fails on a file, no code of that file is shown in findings. */
  readonly masks?: true;
  /** Set if it also reads files over 2 MB, in pieces. */
  readonly large?: true;
  /** True if it reads this path. Must be cheap. */
  wants(path: string): boolean;
  /** True if only the content can show whether the scanner reads this file. Files over 2 MB are left out. */
  mayWant?(path: string): boolean;
  /** Returns what it cannot read because an optional package is missing, with the reason in words. Called in a worker. */
  lacks?(): Promise<UnreadableKinds>;
  /** Returns messages about the wanted `paths` that it cannot read because of `lacks`. */
  left?(paths: readonly string[], lacks: UnreadableKinds): readonly string[];
  scan(file: ScannedFile, options: ScanOptions): readonly FileFinding[] | Promise<readonly FileFinding[]>;
  readonly together?: FileGroupScanner;
}

/** A scan of several files at once; its findings depend on all their paths and contents. */
export interface FileGroupScanner {
  /** If set, it runs in every scan, not only in deep ones. */
  readonly always?: true;
  /** Start of the message about files over the limits: `data flow from`. */
  readonly reads: string;
  /** Returns the groups of a path; files of one group are read together. A file may be in several groups or none. */
  groupsOf(path: string): readonly string[];
  /** Calls `begin` with the path of each file when work on it begins. */
  scan(
    files: readonly ScannedFile[],
    options: ScanOptions,
    begin: (path: string) => void,
  ): Promise<FileGroupFindings>;
}

export interface FileGroupFindings {
  readonly findings: readonly FileFinding[];
  /** Findings that the program refutes, by rule, path and line. Without `always`, only those with data flow are dropped. */
  readonly refuted?: readonly RawFinding[];
  /** Number of files from which no data flow was followed because a limit was reached. */
  readonly left: number;
  /** Names of classes into which no outside data was followed because too many files or classes have them. */
  readonly cut?: readonly string[];
}

export interface TreeScanContext {
  readonly tree: Tree;
  readonly options: ScanOptions;
  readonly signal: AbortSignal;
  progress(message: string): void;
  /** Adds packages to the bill of materials; may be called several times. */
  uses(components: readonly Component[]): void;
  /** Reports a gap in words: `a.lock: 3 packages over the first 100,000`. `fix` replaces the general advice for its kind. */
  miss(kind: GapKind, what: string, fix?: string): void;
  /** Reports something that no scanner would have read. */
  leave(what: string): void;
  /** Reports the scanner as failed, in public words; its findings still count. */
  fail(reason: string): void;
}

export interface TreeScanner {
  readonly name: string;
  /** If set, it runs only in scans with `dependencies`. */
  readonly dependencies?: true;
  /** True if it reads files of this name; links and too large files with such a name are reported as gaps. */
  names?(path: string): boolean;
  scan(scan: TreeScanContext): Promise<readonly RawFinding[]>;
}
