import type { Severity } from '../../lib/severity.ts';
import type { Component, Finding } from '../findings/finding.ts';
import { hideTokens } from '../findings/hide.ts';
import type { Gap } from './omissions.ts';

/** What is to be scanned. */
export interface ScanRequest {
  /** Git URL, or the path of a folder. */
  readonly repository: string;
  /** Branch, tag or commit. */
  readonly branch?: string;
  /** Data flow, and the history. */
  readonly deep: boolean;
  /** Lockfiles against advisories. */
  readonly dependencies: boolean;
}

export const SCAN_STATES = ['queued', 'running', 'completed', 'failed'] as const;
export type ScanState = (typeof SCAN_STATES)[number];

/** How far a running scan is. */
export interface Progress {
  /** In plain words: `searching 120 of 3400 files`. */
  readonly message: string;
  readonly done?: number;
  readonly total?: number;
}

/** How one scanner fared; what the others found stands whatever it is. */
export interface ScannerOutcome {
  readonly name: string;
  readonly ok: boolean;
  /** What went wrong. */
  readonly reason?: string;
  /** Milliseconds of its work, over all workers. */
  readonly ms: number;
  /** Before merging. */
  readonly findings: number;
  /** Files of the tree that it reads; left out for scanners of whole trees. */
  readonly files?: number;
}

/** Facts of a scan that came to its end. */
export interface ScanReport {
  /** The commit that was scanned. */
  readonly commit?: string;
  readonly files: number;
  readonly bytes: number;
  /** Files that did not have to be searched again. */
  readonly kept: number;
  /** What was left out, and why. */
  readonly left: readonly string[];
  /** What of it should have been scanned; scans of earlier versions lack it. */
  readonly gaps?: readonly Gap[];
  readonly scanners: readonly ScannerOutcome[];
}

/** Findings that count, by severity, and how many are suppressed. */
export type Counts = Readonly<Record<Severity, number>> & { readonly suppressed: number };

/** A scan as its owner sees it; times in milliseconds. `repository` is shown without credentials. */
export interface Scan {
  readonly id: string;
  readonly request: ScanRequest;
  readonly state: ScanState;
  readonly progress?: Progress;
  /** Why it failed. */
  readonly reason?: string;
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly counts?: Counts;
  readonly report?: ScanReport;
}

/** What a run brings. */
export interface ScanResult {
  readonly report: ScanReport;
  /** Worst first. */
  readonly findings: readonly Finding[];
  readonly components: readonly Component[];
}

/** What of the findings is wanted. */
export interface FindingQuery {
  /** This severity and worse. */
  readonly floor?: Severity;
  readonly offset?: number;
  readonly limit?: number;
}

/**
 * A repository as it may be shown and kept: without user, password and tokens, also where it is not a valid address, since a
 * slash is missing or it is `user:token@host:path`. The path of a folder stays as it is.
 */
export function withoutCredentials(repository: string): string {
  const text = repository.trim();
  if (/^(?:[/.~\\]|[a-z]:[\\/](?!\/))/i.test(text)) return hideTokens(text);
  const scheme = /^[a-z][a-z0-9+.-]*:\/\/+/i.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length);
  // Up to the last @ where a colon comes before it, since a password may hold a slash; a port is not a password.
  return hideTokens(
    scheme + rest.slice(loginEnd(rest) || (scheme ? (/^[^/?#]*@/.exec(rest)?.[0].length ?? 0) : 0)),
  );
}

/** Where the login ends that a location begins with, its @ included; 0 without one that has a password. */
function loginEnd(location: string): number {
  if (/^[^/:@]*:\d{1,5}\//.test(location)) return 0;
  const [place = ''] = /^[^?#]*/.exec(location) ?? [];
  const colon = place.indexOf(':');
  return colon >= 0 && colon < place.indexOf('@') ? place.lastIndexOf('@') + 1 : 0;
}

/** Findings that count, counted. */
export function countsOf(findings: readonly Finding[]): Counts {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0, suppressed: 0 };
  for (const { severity, suppressed } of findings) counts[suppressed ? 'suppressed' : severity]++;
  return counts;
}
