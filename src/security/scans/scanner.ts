import type { Component, RawFinding } from '../findings/finding.ts';
import type { FileFinding } from '../findings/hide.ts';
import type { OwnRules } from '../scanners/source/rules/own.ts';
import type { Tree } from '../trees/tree.ts';
import type { GapKind } from './omissions.ts';

/** What a scanner lacks, such as a language, with why. */
export type Lacks = ReadonlyMap<string, string>;

/** How thoroughly. */
export interface ScanOptions {
  /** Data flow and history. */
  readonly deep: boolean;
  /** Reports what of the file is not read, in words that go on from its name: `is over 1 MB`. */
  leave?(what: string): void;
  /** Rules that a user brought. */
  readonly rules?: OwnRules;
}

/** A file's content as scanners get it. */
export interface ScannedFile {
  readonly path: string;
  /** UTF-8, at most 2 MB or a piece of so many characters, no NUL. */
  readonly text: string;
}

/**
 * A scanner of single files: what it finds depends on the path and the content alone, so its findings are kept by
 * both, for as long as the code of the scanners is the same. Runs in a worker thread, where a file that takes longer than the limit is given up.
 */
export interface FileScanner {
  readonly name: string;
  /** A deep scan reads contents of the past too. */
  readonly past: boolean;
  /** It knows the secrets of a file: where it does not come to its end, no code of the file is shown. */
  readonly masks?: true;
  /** Files over 2 MB too, which it is given in pieces. */
  readonly large?: true;
  /** Cheap, by the path alone. */
  wants(path: string): boolean;
  /** Files whose content has to say whether it reads them; those over 2 MB are left. By the path alone. */
  mayWant?(path: string): boolean;
  /** What it lacks on this machine, with why in plain words: an optional package is missing. Asked in a worker, where it searches. */
  lacks?(): Promise<Lacks>;
  /** Messages about those of the paths it wants that it cannot read for what it lacks. */
  left?(paths: readonly string[], lacks: Lacks): readonly string[];
  scan(file: ScannedFile, options: ScanOptions): readonly FileFinding[] | Promise<readonly FileFinding[]>;
  /** What is found in several files that no one of them shows. */
  readonly together?: Together;
}

/** Files that a scanner reads together; what it finds depends on all of their paths and contents. */
export interface Together {
  /** In every scan, not in deep ones alone. */
  readonly always?: true;
  /** What is not read where the bounds are reached: `data flow from`. */
  readonly reads: string;
  /** Files of one group are read together; a file may be of several, or of none. By the path alone. */
  groupsOf(path: string): readonly string[];
  /** `begin` is called with the path of the file with which work begins. */
  scan(
    files: readonly ScannedFile[],
    options: ScanOptions,
    begin: (path: string) => void,
  ): Promise<FoundTogether>;
}

export interface FoundTogether {
  readonly findings: readonly FileFinding[];
  /**
   * What a file shows by itself and the program as a whole does not: rule, path and line count, and nothing else. With a data flow
   * alone, unless `always` is set.
   */
  readonly refuted?: readonly RawFinding[];
  /** Files from which nothing was followed, since the bounds were reached. */
  readonly left: number;
  /** Classes into which data from outside was not followed, since too many files or classes have them. */
  readonly cut?: readonly string[];
}

/** What a scanner of whole trees is given. */
export interface TreeScan {
  readonly tree: Tree;
  readonly options: ScanOptions;
  readonly signal: AbortSignal;
  progress(message: string): void;
  /** Packages that the tree uses, for the bill of materials; may be called several times. */
  uses(components: readonly Component[]): void;
  /**
   * What was not scanned, and why, in plain words: `a.lock: 3 packages over the first 100,000`; with what to do about
   * it where more can be said than its kind does.
   */
  miss(kind: GapKind, what: string, fix?: string): void;
  /** The same of what no scanner would have read. */
  leave(what: string): void;
  /** Something failed, in public words: the scanner is reported as failed, and what it finds nevertheless stands. */
  fail(reason: string): void;
}

/** A scanner that has to see the tree as a whole. */
export interface TreeScanner {
  readonly name: string;
  /** Runs only where dependencies are asked for. */
  readonly dependencies?: true;
  /** Files that it knows by their names: links and files that are too large are reported where they have such a name. */
  names?(path: string): boolean;
  scan(scan: TreeScan): Promise<readonly RawFinding[]>;
}
