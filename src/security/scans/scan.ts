import type { Severity } from '../../lib/severity.ts';
import type { Finding, SoftwareComponent } from '../findings/finding.ts';
import { hideTokens } from '../findings/hide.ts';
import type { InstalledAssistant } from '../trees/assistants/installed-assistant.ts';
import type { ScanGap } from './omissions.ts';

export interface ScanRequest {
  /** Git URL of a repository, or path of a folder. */
  readonly repository: string;
  readonly branch?: string;
  /** If true, the scan also follows data flows and reads the repository's history. */
  readonly deep: boolean;
  readonly dependencies: boolean;
}

export const SCAN_STATES = ['queued', 'running', 'completed', 'failed'] as const;
export type ScanState = (typeof SCAN_STATES)[number];

export interface ScanProgress {
  readonly message: string;
  readonly done?: number;
  readonly total?: number;
}

export interface ScanReport {
  readonly commit?: string;
  readonly files: number;
  readonly bytes: number;
  readonly kept: number;
  readonly left: readonly string[];
  /** Omitted content that scanners should have read. Scans by older versions of Magpie have no `gaps`. */
  readonly gaps?: readonly ScanGap[];
  readonly scanners: readonly {
    readonly name: string;
    readonly ok: boolean;
    readonly reason?: string;
    /** Working time in milliseconds, added up over all workers. */
    readonly ms: number;
    readonly findings: number;
    readonly files?: number;
  }[];
  readonly assistants?: readonly InstalledAssistant[] | undefined;
}

export type ScanCounts = Readonly<Record<Severity, number>> & { readonly suppressed: number };

export interface SecurityScan {
  readonly id: string;
  readonly request: ScanRequest;
  readonly state: ScanState;
  readonly progress?: ScanProgress;
  readonly reason?: string;
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly counts?: ScanCounts;
  readonly report?: ScanReport;
}

export interface ScanResult {
  readonly report: ScanReport;
  readonly findings: readonly Finding[];
  readonly components: readonly SoftwareComponent[];
}

export interface FindingQuery {
  readonly floor?: Severity;
  readonly offset?: number;
  readonly limit?: number;
}

/** Removes user name, password and tokens from a URL, even from an invalid one. Does not change paths of folders. */
export function withoutCredentials(repository: string): string {
  const text = repository.trim();
  if (/^(?:[/.~\\]|[a-z]:[\\/](?!\/))/i.test(text)) return hideTokens(text);
  const scheme = /^[a-z][a-z0-9+.-]*:\/\/+/i.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length);
  // A login `user:password@` ends at the last @ before the query, as a password may contain a slash or an @.
  return hideTokens(
    scheme + rest.slice(loginEnd(rest) || (scheme ? (/^[^/?#]*@/.exec(rest)?.[0].length ?? 0) : 0)),
  );
}

/** Returns the offset after a login `user:password@` at the start of a URL without scheme, otherwise 0. */
function loginEnd(location: string): number {
  if (/^[^/:@]*:\d{1,5}\//.test(location)) return 0;
  const [place = ''] = /^[^?#]*/.exec(location) ?? [];
  const colon = place.indexOf(':');
  return colon >= 0 && colon < place.indexOf('@') ? place.lastIndexOf('@') + 1 : 0;
}

export function countFindings(findings: readonly Finding[]): ScanCounts {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0, suppressed: 0 };
  for (const { severity, suppressed } of findings) counts[suppressed ? 'suppressed' : severity]++;
  return counts;
}
