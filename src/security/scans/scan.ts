import type { Severity } from '../../lib/severity.ts';
import type { Component, Finding } from '../findings/finding.ts';
import { hideTokens } from '../findings/hide.ts';
import type { Gap } from './omissions.ts';

export interface ScanRequest {
  /** Git URL of the repository, or path of a folder. */
  readonly repository: string;
  /** Branch, tag or commit to scan. */
  readonly branch?: string;
  /** If true, the scan includes data flow and the history. */
  readonly deep: boolean;
  /** If true, the scan compares lockfiles with advisories. */
  readonly dependencies: boolean;
}

export const SCAN_STATES = ['queued', 'running', 'completed', 'failed'] as const;
export type ScanState = (typeof SCAN_STATES)[number];

export interface Progress {
  /** Progress in plain words: `searching 120 of 3400 files`. */
  readonly message: string;
  readonly done?: number;
  readonly total?: number;
}

export interface ScannerOutcome {
  readonly name: string;
  readonly ok: boolean;
  readonly reason?: string;
  /** Working time in milliseconds, summed over all workers. */
  readonly ms: number;
  /** Number of the scanner's findings before they are merged with others. */
  readonly findings: number;
  /** Number of files that the scanner reads; undefined for scanners of whole trees. */
  readonly files?: number;
}

export interface ScanReport {
  readonly commit?: string;
  readonly files: number;
  readonly bytes: number;
  /** Number of files whose findings came from the cache. */
  readonly kept: number;
  readonly left: readonly string[];
  /** Those entries of `left` that should have been scanned; undefined in scans by earlier versions. */
  readonly gaps?: readonly Gap[];
  readonly scanners: readonly ScannerOutcome[];
}

/** Number of unsuppressed findings by severity, and number of suppressed findings. */
export type Counts = Readonly<Record<Severity, number>> & { readonly suppressed: number };

/** A scan as its owner sees it. Times are in milliseconds, and `repository` has no credentials. */
export interface Scan {
  readonly id: string;
  readonly request: ScanRequest;
  readonly state: ScanState;
  readonly progress?: Progress;
  readonly reason?: string;
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly counts?: Counts;
  readonly report?: ScanReport;
}

export interface ScanResult {
  readonly report: ScanReport;
  /** Findings, worst first. */
  readonly findings: readonly Finding[];
  readonly components: readonly Component[];
}

export interface FindingQuery {
  /** Findings below this severity are not returned. */
  readonly floor?: Severity;
  readonly offset?: number;
  readonly limit?: number;
}

/** Removes user, password and tokens from a URL, even from an invalid URL. Paths of folders stay unchanged. */
export function withoutCredentials(repository: string): string {
  const text = repository.trim();
  if (/^(?:[/.~\\]|[a-z]:[\\/](?!\/))/i.test(text)) return hideTokens(text);
  const scheme = /^[a-z][a-z0-9+.-]*:\/\/+/i.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length);
  // If a colon precedes the first @, the login ends at the last @, since a password may contain a slash or an @.
  return hideTokens(
    scheme + rest.slice(loginEnd(rest) || (scheme ? (/^[^/?#]*@/.exec(rest)?.[0].length ?? 0) : 0)),
  );
}

/** Returns the index after the @ that ends a login with password at the start of a URL's host, or 0. */
function loginEnd(location: string): number {
  if (/^[^/:@]*:\d{1,5}\//.test(location)) return 0;
  const [place = ''] = /^[^?#]*/.exec(location) ?? [];
  const colon = place.indexOf(':');
  return colon >= 0 && colon < place.indexOf('@') ? place.lastIndexOf('@') + 1 : 0;
}

export function countFindings(findings: readonly Finding[]): Counts {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0, suppressed: 0 };
  for (const { severity, suppressed } of findings) counts[suppressed ? 'suppressed' : severity]++;
  return counts;
}
