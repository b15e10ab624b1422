import type { Severity } from '../../lib/severity.ts';
import type { Attestation } from '../attesting/attestation.ts';
import type { Technology } from '../evidence/technologies.ts';

export interface EvidenceFinding {
  /** Id of the rule (`secrets/password`, `certificate/expired`). Every advisory has the rule `dependencies/vulnerability`. */
  readonly rule: string;
  /** Id of the finding's rule or advisory. */
  readonly id: string;
  readonly severity: Severity;
  /** CWE numbers, such as `CWE-89`. */
  readonly cwe: readonly string[];
  readonly title: string;
  readonly fix: string;
  /** Location as text: `path:line`, `package@version in path`, or a monitored target's name. */
  readonly location: string;
  readonly fingerprint: string;
  readonly subject: string;
  /** Reason why a person accepted the finding. An accepted finding does not count. */
  readonly accepted?: string;
}

export interface EvidenceProbe {
  /** Kind of the check, which is the first part of its rules' ids: `secrets`, `source`, `certificate`. */
  readonly what: string;
  readonly subject: string;
  /** Time of the probe, in milliseconds since the epoch. */
  readonly at: number;
  readonly ok: boolean;
  /** True if the check finished but did not examine everything. A control does not pass if one of its checks is partial. */
  readonly partly?: boolean;
  /** Reason why the check failed, or a description of what it left out. */
  readonly why?: string;
  /** True if the scan also read the git history, or followed data between functions. Undefined for other checks. */
  readonly deep?: boolean;
  /** Number of files or targets checked; 0 if there was nothing to check. */
  readonly items?: number;
}

export const PRACTICE_STATES = ['kept', 'missing', 'not_applicable'] as const;

export interface Practice {
  /** Name of the practice in practices.ts, such as `security-policy`. */
  readonly name: string;
  readonly state: (typeof PRACTICE_STATES)[number];
  readonly detail: string;
  readonly subject: string;
  /** Time of the inspection, in milliseconds since the epoch. */
  readonly at: number;
}

export interface RepositoryView {
  /** Paths of the repository's files, relative to its root, with `/` as separator. */
  readonly files: readonly string[];
  read(path: string): Promise<string | undefined>;
  /** Number of newest commits that were read, and number of signed ones. Undefined for a folder without git. */
  readonly commits?: { readonly seen: number; readonly signed: number };
}

export interface EvidenceSubject {
  readonly name: string;
  readonly kind: 'repository' | 'infrastructure';
  readonly commit?: string;
  readonly from?: string;
  readonly trouble?: string;
}

/** Evidence of a compliance check. The caller gathers it, because this module imports no scanner. */
export interface Evidence {
  readonly scope: string;
  readonly subjects: readonly EvidenceSubject[];
  readonly findings: readonly EvidenceFinding[];
  /** Probes of all checks. The field is named `looks` because stored data and reports have this name. */
  readonly looks: readonly EvidenceProbe[];
  readonly practices: readonly Practice[];
  /** Technologies that repositories use and some controls concern. Undefined if they were not determined. */
  readonly technologies?: readonly Technology[];
  /** People's judgements that are in files of the repositories or that were given for this check only. */
  readonly judgements?: readonly Attestation[];
}

export type EvidencePart = Omit<Evidence, 'scope'>;
