import type { Severity } from '../lib/severity.ts';

/** A fault that was found, whichever room found it. */
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

/** That something was looked for, and where. */
export interface Probe {
  /** First part of the ids of what it finds: `secrets`, `source`, `certificate`. */
  readonly what: string;
  readonly subject: string;
  /** When, in milliseconds. */
  readonly at: number;
  /** False where it was not looked for to the end. */
  readonly ok: boolean;
  /** Not everywhere, though it ran to its end: nothing passes by it. */
  readonly partly?: boolean;
  /** Why not, or what was left out. */
  readonly why?: string;
  /** As deep as a deep scan goes: the history, or the way of data through functions. Left out where that is no matter. */
  readonly deep?: boolean;
  /** How many things it looked at: files, targets. Nothing was there for it where 0. */
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
  /** The newest commits, and how many of them are signed; left out where there is no git to ask. */
  readonly commits?: { readonly seen: number; readonly signed: number };
}

/** What was looked at. */
export interface Subject {
  readonly name: string;
  readonly kind: 'repository' | 'infrastructure';
  readonly commit?: string;
  /** Scan or monitor that the evidence is from. */
  readonly from?: string;
  /** Why nothing can be looked at there. */
  readonly trouble?: string;
}

/** All that a check of compliance goes by. It is made by the caller: this room imports no scanner. */
export interface Evidence {
  /** As it was asked for. */
  readonly scope: string;
  readonly subjects: readonly Subject[];
  readonly findings: readonly EvidenceFinding[];
  readonly looks: readonly Probe[];
  readonly practices: readonly Practice[];
}

/** Evidence of one subject or several. */
export type EvidencePart = Omit<Evidence, 'scope'>;
