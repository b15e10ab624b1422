import type { Severity } from '../../lib/severity.ts';
import type { Attestation } from '../attesting/attestation.ts';
import type { Technology } from '../evidence/technologies.ts';

/** A problem that was found, whichever room found it. */
export interface EvidenceFinding {
  /** Id of the rule (`secrets/password`, `certificate/expired`); `dependencies/vulnerability` for any advisory. */
  readonly rule: string;
  /** As the finding itself is named: the rule's id, or the advisory's. */
  readonly id: string;
  readonly severity: Severity;
  /** `CWE-89`. */
  readonly cwe: readonly string[];
  readonly title: string;
  readonly fix: string;
  /** `path:line`, `package@version in path`, or the target's name. */
  readonly location: string;
  readonly fingerprint: string;
  /** Name of the subject that it was found in. */
  readonly subject: string;
  /** Why it is accepted and does not count. */
  readonly accepted?: string;
}

/** One run of a kind of check against a subject. */
export interface Probe {
  /** First part of the ids of its findings: `secrets`, `source`, `certificate`. */
  readonly what: string;
  readonly subject: string;
  /** When, in milliseconds. */
  readonly at: number;
  /** False where it did not run to its end. */
  readonly ok: boolean;
  /** It ran to its end, but not everywhere: no control passes by it. */
  readonly partly?: boolean;
  /** Why it failed, or what it left out. */
  readonly why?: string;
  /** It went as deep as a deep scan: the history, or data flows between functions. Left out where depth makes no difference. */
  readonly deep?: boolean;
  /** How many files or targets it checked. 0 where there was nothing for it. */
  readonly items?: number;
}

export const PRACTICE_STATES = ['kept', 'missing', 'not_applicable'] as const;

/** What a repository shows of how it is worked on. */
export interface Practice {
  /** `security-policy`, one of practices.ts. */
  readonly name: string;
  readonly state: (typeof PRACTICE_STATES)[number];
  /** What was seen, in plain words. */
  readonly detail: string;
  readonly subject: string;
  /** When, in milliseconds. */
  readonly at: number;
}

/** A repository as its practices are read from it. */
export interface RepositoryView {
  /** Paths from the root, with `/`. */
  readonly files: readonly string[];
  /** Its text; undefined where it cannot be read as such. */
  read(path: string): Promise<string | undefined>;
  /** The newest commits, and how many of them are signed; left out for a folder without git. */
  readonly commits?: { readonly seen: number; readonly signed: number };
}

/** What was checked. */
export interface Subject {
  readonly name: string;
  readonly kind: 'repository' | 'infrastructure';
  readonly commit?: string;
  /** Scan or monitor that the evidence comes from. */
  readonly from?: string;
  /** Why nothing can be checked there. */
  readonly trouble?: string;
}

/** All the evidence of a compliance check. The caller gathers it: this room imports no scanner. */
export interface Evidence {
  /** As the caller named it. */
  readonly scope: string;
  readonly subjects: readonly Subject[];
  readonly findings: readonly EvidenceFinding[];
  /** Called `looks` in the stored form and in reports. */
  readonly looks: readonly Probe[];
  readonly practices: readonly Practice[];
  /** What repositories use of what some controls are about; left out where it was not read. */
  readonly technologies?: readonly Technology[];
  /** Judgements that came with the evidence: of files in repositories, and of the caller for this check alone. */
  readonly judgements?: readonly Attestation[];
}

/** Evidence of one subject or several. */
export type EvidencePart = Omit<Evidence, 'scope'>;
