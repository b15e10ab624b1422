/** The room as tools, flows, commands and the server know it: types alone. */

import type { Assessment, AssessmentName } from './assessing/assessment.ts';
import type { StandardName } from './assessing/catalogue.ts';
import type { Comparison } from './assessing/comparison.ts';
import type { Evidence, Practice, RepositoryView } from './assessing/evidence.ts';
import type { Job } from './assessing/job.ts';
import type { Attestation, GivenAttestation } from './attesting/attestation.ts';
import type { ReadAttestations } from './attesting/attestations-file.ts';
import type { TechnologyView } from './evidence/read-technologies.ts';
import type { Technology } from './evidence/technologies.ts';
import type { Format, Report, Verdict } from './reports/report.ts';

export type {
  Assessment,
  AssessmentName,
  ControlResult,
  StandardResult,
  Status,
  StatusCounts,
} from './assessing/assessment.ts';
export type { StandardName } from './assessing/catalogue.ts';
export type { Comparison, ControlChange } from './assessing/comparison.ts';
export type {
  Evidence,
  EvidenceFinding,
  EvidencePart,
  Practice,
  Probe,
  RepositoryView,
  Subject,
} from './assessing/evidence.ts';
export type { Job } from './assessing/job.ts';
export type {
  AttachedFile,
  Attestation,
  GivenAttestation,
  Judgement,
  UsedAttestation,
} from './attesting/attestation.ts';
export type { ReadAttestations } from './attesting/attestations-file.ts';
export type { Technology } from './evidence/technologies.ts';
export type { Format, Report, Verdict } from './reports/report.ts';

/** Assesses evidence against standards and keeps the results. Every user sees their own checks only. */
export interface Compliance {
  listStandards(): readonly StandardName[];
  /** Ids of the standards that are named. AppError `bad_request` for an unknown one. */
  resolveStandards(names: readonly string[]): readonly string[];
  /** What a repository shows of each practice, at a time in milliseconds. */
  readPractices(view: RepositoryView, subject: string, at: number): Promise<Practice[]>;
  /** Whether a repository uses each technology that some controls are about alone. */
  readTechnologies(view: TechnologyView, signal: AbortSignal): Promise<readonly Technology[]>;
  /**
   * The judgements in the file of a repository, if it has one. `content` gives the bytes of a file by its path, undefined where there
   * is none. What is wrong with the file comes in words.
   */
  readAttestations(
    subject: string,
    content: (path: string) => Promise<Uint8Array | undefined>,
    signal: AbortSignal,
  ): Promise<ReadAttestations | undefined>;
  /** Judgements for one check alone. AppError `bad_request` names the wrong value. */
  checkAttestations(
    given: readonly GivenAttestation[],
    scope: string,
    source: string,
  ): Promise<readonly Attestation[]>;
  /**
   * Keeps a judgement, in place of an earlier one of the same control and scope. AppError `bad_request` names the wrong value, and for
   * an unknown control the nearest ones.
   */
  attest(owner: string, given: GivenAttestation, scope: string, source: string): Promise<Attestation>;
  /** By standard and control. */
  listAttestations(owner: string): Promise<readonly Attestation[]>;
  /** AppError `not_found` for an unknown one. */
  retractAttestation(owner: string, id: string): Promise<void>;
  /** Assesses the evidence, with the judgements that the owner keeps, and keeps the results. AppError `bad_request` for an unknown standard. */
  assessEvidence(owner: string, standards: readonly string[], evidence: Evidence): Promise<Assessment>;
  /**
   * The same in the background: the evidence is gathered after this has resolved. AppError `bad_request` for an unknown
   * standard, `rate_limited` when too many checks are running.
   */
  startCheck(
    owner: string,
    standards: readonly string[],
    scope: string,
    gather: Gather,
    /** What another process needs to gather the same; undefined where only this one can. */
    terms?: string,
  ): Promise<Job>;
  /** How this process gathers the evidence of checks that any process may make. */
  handleChecks(gather: GatherStored): void;
  /** The state of a check that has no results; undefined where there is none, or where it has them. */
  readJob(owner: string, id: string): Promise<Job | undefined>;
  /** Checks that have no results: those that are running, and those that have failed. Newest first. */
  listJobs(owner: string): Promise<readonly Job[]>;
  /** AppError `not_found` for an unknown check; `bad_request` for one that has no results. */
  readCheck(owner: string, id: string): Promise<Assessment>;
  /** Newest first. */
  listChecks(owner: string): Promise<readonly AssessmentName[]>;
  /**
   * What changed since the check `since`, or since the previous one of the same scope; undefined where there is none. A
   * standard that it did not have is compared with the newest earlier check that had it.
   */
  compareChecks(owner: string, id: string, since?: string): Promise<Comparison | undefined>;
  writeReport(owner: string, id: string, format: Format): Promise<Report>;
  /** The key that reports are signed with: SubjectPublicKeyInfo as PEM. */
  publicKey(): string;
  /**
   * What a report file and its signature prove by a public key in PEM, or by this installation's own. AppError
   * `bad_request` for a key or a signature that is none.
   */
  verifyReport(report: Uint8Array, signature: Uint8Array, key?: string): Verdict;
  /** Stops the check if it is running, and deletes it. AppError `not_found` for an unknown check. */
  removeCheck(owner: string, id: string): Promise<void>;
  /** Checks that are running fail, saying that Magpie was ended. */
  close(): Promise<void>;
}

/** Gathers the evidence of a check in the background. */
export type Gather = (signal: AbortSignal, progress: (message: string) => void) => Promise<Evidence>;
/** The same for a check that another process may have accepted. */
export type GatherStored = (
  check: { readonly owner: string; readonly scope: string; readonly terms: string },
  ...how: Parameters<Gather>
) => Promise<Evidence>;
