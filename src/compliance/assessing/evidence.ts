import type { Severity } from '../../lib/severity.ts';
import type { Attestation } from '../attesting/attestation.ts';
import type { Technology } from '../evidence/technologies.ts';

export interface EvidenceFinding {
  readonly rule: string;
  readonly id: string;
  readonly severity: Severity;
  readonly cwe: readonly string[];
  readonly title: string;
  readonly fix: string;
  readonly location: string;
  readonly fingerprint: string;
  readonly subject: string;
  /** Why a person accepted the finding. Accepted findings do not count against controls. */
  readonly accepted?: string;
}

export interface EvidenceProbe {
  readonly what: string;
  readonly subject: string;
  readonly at: number;
  readonly ok: boolean;
  /** True if the check skipped something. A control then cannot pass. */
  readonly partly?: boolean;
  readonly why?: string;
  /** For a scan, true if it included the git history or data flow between functions. */
  readonly deep?: boolean;
  readonly items?: number;
}

export const PRACTICE_STATES = ['kept', 'missing', 'not_applicable'] as const;

export interface RepositoryPractice {
  /** Name of the practice, for example `security-policy`. practices.ts lists them. */
  readonly name: string;
  readonly state: (typeof PRACTICE_STATES)[number];
  readonly detail: string;
  readonly subject: string;
  readonly at: number;
}

export interface RepositoryView {
  readonly files: readonly string[];
  read(path: string): Promise<string | undefined>;
  /** `seen`: number of newest commits that were read. `signed`: how many of those commits are signed. */
  readonly commits?: { readonly seen: number; readonly signed: number };
}

export interface EvidenceSubject {
  readonly name: string;
  readonly kind: 'repository' | 'infrastructure';
  readonly commit?: string;
  readonly from?: string;
  readonly trouble?: string;
}

/** Input of an assessment. Flows collect the evidence, because this module must not import scanners. */
export interface Evidence {
  readonly scope: string;
  readonly subjects: readonly EvidenceSubject[];
  readonly findings: readonly EvidenceFinding[];
  /** Results of all checks. The field keeps its old name `looks`, because stored data uses that name. */
  readonly looks: readonly EvidenceProbe[];
  readonly practices: readonly RepositoryPractice[];
  readonly technologies?: readonly Technology[];
  /** Attestations that files in the repositories contain, or that were given for this check only. */
  readonly judgements?: readonly Attestation[];
}

export type EvidencePart = Omit<Evidence, 'scope'>;
