import type { Severity } from '../../lib/severity.ts';
import type { Attestation } from '../attesting/attestation.ts';
import type { Technology } from '../evidence/technologies.ts';

export interface EvidenceFinding {
  /** Id of the rule, such as `secrets/password`. All advisories share the rule `dependencies/vulnerability`. */
  readonly rule: string;
  /** Id of the rule; for a vulnerability, id of the advisory. */
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
  /** Why a person accepted the finding. An accepted finding does not count against controls. */
  readonly accepted?: string;
}

export interface EvidenceProbe {
  /** Kind of the check, such as `secrets` or `certificate`: the part of its rules' ids before the slash. */
  readonly what: string;
  readonly subject: string;
  /** Time of the probe, in milliseconds since the epoch. */
  readonly at: number;
  readonly ok: boolean;
  /** True if the check finished without examining everything. A control with a partial check cannot pass. */
  readonly partly?: boolean;
  /** Why the check failed, or what it left out. */
  readonly why?: string;
  /** True if the scan included the git history or data flow between functions. Undefined for other checks. */
  readonly deep?: boolean;
  /** Number of files or targets checked; 0 if there was nothing to check. */
  readonly items?: number;
}

export const PRACTICE_STATES = ['kept', 'missing', 'not_applicable'] as const;

export interface Practice {
  /** Name of the practice as in practices.ts, such as `security-policy`. */
  readonly name: string;
  readonly state: (typeof PRACTICE_STATES)[number];
  readonly detail: string;
  readonly subject: string;
  /** Time at which the repository was read, in milliseconds since the epoch. */
  readonly at: number;
}

export interface RepositoryView {
  /** Paths of the repository's files, relative to its root, with `/` as separator. */
  readonly files: readonly string[];
  read(path: string): Promise<string | undefined>;
  /** Number of newest commits that were read, and how many of them are signed. Undefined for a folder without git. */
  readonly commits?: { readonly seen: number; readonly signed: number };
}

export interface EvidenceSubject {
  readonly name: string;
  readonly kind: 'repository' | 'infrastructure';
  readonly commit?: string;
  readonly from?: string;
  readonly trouble?: string;
}

/** Evidence of a compliance check. Flows collect it, because this module must not import scanners. */
export interface Evidence {
  readonly scope: string;
  readonly subjects: readonly EvidenceSubject[];
  readonly findings: readonly EvidenceFinding[];
  /** Probes of all checks. The field is called `looks` in stored data and reports. */
  readonly looks: readonly EvidenceProbe[];
  readonly practices: readonly Practice[];
  /** For each technology that concerns some controls, whether a repository uses it. Undefined if this was not determined. */
  readonly technologies?: readonly Technology[];
  /** People's judgements from files in the repositories, or given for this check only. */
  readonly judgements?: readonly Attestation[];
}

export type EvidencePart = Omit<Evidence, 'scope'>;
