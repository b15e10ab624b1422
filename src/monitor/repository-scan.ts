import type { RepositoryTarget } from './targets/target.ts';

export interface ScanFinding {
  readonly id: string;
  readonly score: number;
  readonly title: string;
  readonly description: string;
  readonly fix: string;
  readonly fingerprint: string;
  readonly scanners: readonly string[];
  readonly cwe?: readonly string[];
}

export interface ScanResult {
  readonly findings: readonly ScanFinding[];
  readonly failed: readonly { readonly scanner: string; readonly why: string }[];
}

export type RepositoryScan = (
  owner: string,
  target: RepositoryTarget,
  signal: AbortSignal,
) => Promise<ScanResult>;
