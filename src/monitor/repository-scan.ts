import type { RepositoryTarget } from './targets/target.ts';

/** A finding of a scan of a repository. */
export interface ScanFinding {
  readonly id: string;
  readonly score: number;
  readonly title: string;
  readonly description: string;
  readonly fix: string;
  readonly fingerprint: string;
  /** Names of the scanners that found it. */
  readonly scanners: readonly string[];
  readonly cwe?: readonly string[];
}

export interface ScanResult {
  readonly findings: readonly ScanFinding[];
  /** Scanners that did not come to their end, and why. */
  readonly failed: readonly { readonly scanner: string; readonly why: string }[];
}

/** Scans a repository for an owner; the scan room's, handed in. */
export type RepositoryScan = (
  owner: string,
  target: RepositoryTarget,
  signal: AbortSignal,
) => Promise<ScanResult>;
