import { randomBytes } from 'node:crypto';
import { AppError, badRequestError, notFoundError } from '../errors.ts';
import {
  type ComplianceReportFormat,
  REPORT_FILES,
  reportFileName,
} from '../lib/compliance/report-formats.ts';
import type { JobQueue } from '../lib/concurrency/job-queue.ts';
import type { Logger } from '../log.ts';
import { assessControls } from './assessing/assess.ts';
import type { Assessment } from './assessing/assessment.ts';
import type { AssessmentStore } from './assessing/assessment-store.ts';
import { type BackgroundJobs, createBackgroundJobs } from './assessing/background-jobs.ts';
import type { ControlCatalogue } from './assessing/catalogue.ts';
import { compareAssessments } from './assessing/compare.ts';
import type { Evidence } from './assessing/evidence.ts';
import type { ComplianceJobStore } from './assessing/job.ts';
import { findStandards } from './assessing/standards.ts';
import { applyAttestations } from './attesting/apply-attestations.ts';
import { ATTESTATIONS_FILE, type AttestationStore, type GivenAttestation } from './attesting/attestation.ts';
import { readAttestationsFile } from './attesting/attestations-file.ts';
import { createAttestation } from './attesting/create-attestation.ts';
import { readPractices } from './evidence/practices.ts';
import { readTechnologies } from './evidence/read-technologies.ts';
import { addRelatedControls, applyRelations } from './relations/control-relations.ts';
import { findReportSealKey, type ReportWriter, type VerificationResult } from './reports/report.ts';
import { type PublicKey, type ReportSigner, readPublicKey, requireSignatureLength } from './reports/seal.ts';

export interface ComplianceOptions extends AttestationOptions {
  readonly writers: Readonly<Record<ComplianceReportFormat, ReportWriter>>;
  readonly store: AssessmentStore;
  readonly jobs: ComplianceJobStore;
  readonly shared?: JobQueue | undefined;
  readonly log: Logger;
  readonly sealer: ReportSigner;
  readonly version: string;
  readonly keptChecks: number;
}

export type Compliance = ReturnType<typeof createCompliance>;

type GatherEvidence = (signal: AbortSignal, progress: (message: string) => void) => Promise<Evidence>;
type GatherSharedEvidence = (
  check: { readonly owner: string; readonly scope: string; readonly terms: string },
  ...how: Parameters<GatherEvidence>
) => Promise<Evidence>;

interface StoredCheck {
  readonly standards: readonly string[];
  readonly terms: string;
}

export function createCompliance(options: ComplianceOptions) {
  const { catalogues, writers, store, sealer } = options;
  const background = createBackgroundJobs(options.jobs, options.log, options.shared);

  /** Throws AppError `not_found` for an unknown check, `bad_request` for a check without results. */
  async function readCheck(owner: string, id: string): Promise<Assessment> {
    const found = await store.readAssessment(owner, id);
    if (found) return found;
    const job = await background.readJob(owner, id);
    if (!job) {
      const ended = await store.readAssessment(owner, id);
      if (ended) return ended;
      throw unknownCheck(id);
    }
    const state =
      job.state === 'failed' ? `has failed: ${job.reason}` : 'is under way: come back a little later';
    throw badRequestError(`the check ${id} ${state}`);
  }

  /** Compares a check with `since`. Default: the previous check of the same scope. */
  async function compareChecks(owner: string, id: string, since?: string) {
    const now = await readCheck(owner, id);
    const earlier = await store.listEarlier(owner, id);
    const named = since ?? earlier[0]?.id;
    if (named === undefined) return undefined;
    const before = await readCheck(owner, named);
    const had = new Set(before.standards.map(({ standard }) => standard.id));
    const lacked = now.standards.map(({ standard }) => standard.id).filter((one) => !had.has(one));
    const wanted = new Set(lacked.map((one) => earlier.find(({ standards }) => standards.includes(one))?.id));
    const others = earlier.filter((one) => wanted.has(one.id));
    return compareAssessments(before, now, await Promise.all(others.map((one) => readCheck(owner, one.id))));
  }

  return {
    readPractices,
    readTechnologies,
    ...createAttestations(options),
    listStandards: () => catalogues.map(({ controls: _, ...name }) => name),
    resolveStandards: (names: readonly string[]) => findStandards(names, catalogues).map(({ id }) => id),
    /** Assesses evidence and stored judgements. Throws AppError `bad_request` for unknown standards. */
    async assessEvidence(owner: string, names: readonly string[], evidence: Evidence) {
      const asked = findStandards(names, catalogues);
      const assessment = await assessmentOf(newId(), owner, asked, evidence, options);
      await store.insertAssessment(owner, assessment, options.keptChecks);
      return assessment;
    },
    ...createChecks(options, background),
    async readJob(owner: string, id: string) {
      const job = await background.readJob(owner, id);
      return job && !(await store.hasAssessment(owner, id)) ? job : undefined;
    },
    async listJobs(owner: string) {
      const jobs = await background.listJobs(owner);
      const ended = await Promise.all(jobs.map(({ id }) => store.hasAssessment(owner, id)));
      return jobs.filter((_, at) => !ended[at]);
    },
    readCheck,
    listChecks: (owner: string) => store.listAssessments(owner),
    compareChecks,
    async writeReport(owner: string, id: string, format: ComplianceReportFormat) {
      const assessment = await readCheck(owner, id);
      const comparison = await compareChecks(owner, id);
      const content = await writers[format]({ assessment, key: sealer.key.fingerprint, comparison });
      const fileName = reportFileName(id, format);
      return { content, signature: sealer.sign(content), type: REPORT_FILES[format].type, fileName };
    },
    publicKey: () => sealer.key.pem,
    /** `key` is a public key in PEM (default: this installation's). Throws `bad_request` if malformed. */
    verifyReport: (report: Uint8Array, signature: Uint8Array, key?: string) =>
      verifyReport(report, signature, key === undefined ? sealer.key : readPublicKey(key)),
    /** Stops a check and deletes its results. Throws AppError `not_found` for an unknown check. */
    async removeCheck(owner: string, id: string) {
      const stopped = await background.removeJob(owner, id);
      // Deletes results too, because the job may have stored them just before it was stopped.
      const deleted = await store.removeAssessment(owner, id);
      if (!stopped && !deleted) throw unknownCheck(id);
    },
    close: background.close,
  };
}

function createChecks(options: ComplianceOptions, background: BackgroundJobs) {
  const { catalogues, store } = options;

  /** Stores the results. Throws if another process now runs the job, or if the user deleted the check. */
  async function finish(
    id: string,
    owner: string,
    standards: readonly ControlCatalogue[],
    evidence: Evidence,
    signal: AbortSignal,
    runner: string,
  ): Promise<void> {
    signal.throwIfAborted();
    const assessment = await assessmentOf(id, owner, standards, evidence, options);
    signal.throwIfAborted();
    if (await store.insertAssessment(owner, assessment, options.keptChecks, runner)) return;
    throw new AppError('cancelled', 'the check was removed');
  }

  return {
    /** Starts a check in the background. Throws AppError `bad_request`, or `rate_limited` if too many checks run. */
    async startCheck(
      owner: string,
      names: readonly string[],
      scope: string,
      gather: GatherEvidence,
      /** Input with which any process can collect the evidence. Without `terms`, only this process can. */
      terms?: string,
    ) {
      const named = findStandards(names, catalogues);
      const id = newId();
      if (background.sendJob && terms !== undefined) {
        const stored: StoredCheck = { standards: named.map((one) => one.id), terms };
        return background.sendJob(owner, id, scope, JSON.stringify(stored));
      }
      return background.startJob(owner, id, scope, async (signal, progress, runner) =>
        finish(id, owner, named, await gather(signal, progress), signal, runner),
      );
    },
    handleChecks(gather: GatherSharedEvidence) {
      background.handleJobs(async ({ id, owner, scope, terms: text }, signal, progress, runner) => {
        const { standards, terms } = JSON.parse(text) as StoredCheck;
        const evidence = await gather({ owner, scope, terms }, signal, progress);
        await finish(id, owner, findStandards(standards, catalogues), evidence, signal, runner);
      });
    },
  };
}

async function assessmentOf(
  id: string,
  owner: string,
  catalogues: readonly ControlCatalogue[],
  evidence: Evidence,
  { version, attestations: store, catalogues: all }: ComplianceOptions,
): Promise<Assessment> {
  const checked = await assessControls(addRelatedControls(catalogues, all), evidence);
  const { judgements = [], ...kept } = evidence;
  const createdAt = Date.now();
  const given = [...judgements, ...(await store.listAttestations(owner))];
  const judged = applyAttestations(checked, given, evidence, createdAt);
  const standards = applyRelations(judged.standards, catalogues.length);
  const asked = new Set(catalogues.map((one) => one.id));
  const attestations = judged.attestations.filter(({ standard }) => asked.has(standard));
  return { ...kept, id, createdAt, standards, attestations, version };
}

const unknownCheck = (id: string): AppError =>
  notFoundError(
    `there is no compliance check ${JSON.stringify(id.slice(0, 80))}: it takes the check_id that checkCompliance gave; the oldest are dropped`,
  );

const newId = (): string => randomBytes(12).toString('hex');

/** Throws AppError `bad_request` if the signature has the wrong length. */
export function verifyReport(report: Uint8Array, signature: Uint8Array, key: PublicKey): VerificationResult {
  requireSignatureLength(signature);
  const named = findReportSealKey(report);
  const state = key.isSigned(report, signature)
    ? 'genuine'
    : named !== undefined && named !== key.fingerprint
      ? 'unknown_key'
      : 'changed';
  return { state, key: key.fingerprint, named, reason: reasonOf(state, key.fingerprint, named) };
}

function reasonOf(state: VerificationResult['state'], key: string, named: string | undefined): string {
  if (state === 'genuine') return `every byte is as it was signed with the key ${key}`;
  if (state === 'unknown_key') {
    return (
      `it says that it is signed with the key ${named}, and was held against the key ${key}: ` +
      'only that key shows whether it was changed; ask who made it for the key, and give it by --key'
    );
  }
  const other = named === undefined ? 'is not a report of Magpie, or ' : '';
  return `it ${other}was changed after it was signed, or the signature belongs to another file`;
}

interface AttestationOptions {
  readonly attestations: AttestationStore;
  readonly catalogues: readonly ControlCatalogue[];
  readonly keptAttestations: number;
}

function createAttestations(options: AttestationOptions) {
  const { attestations: store, catalogues, keptAttestations } = options;
  return {
    async readAttestations(
      subject: string,
      content: (path: string) => Promise<Uint8Array | undefined>,
      signal: AbortSignal,
    ) {
      const file = await content(ATTESTATIONS_FILE);
      if (!file) return undefined;
      const text = new TextDecoder().decode(file);
      return readAttestationsFile({ text, subject, catalogues, now: Date.now(), read: content }, signal);
    },
    /** Validates judgements for a single check, without storing them. Throws AppError `bad_request`. */
    async checkAttestations(given: readonly GivenAttestation[], scope: string, source: string) {
      const origin = { scope, source, now: Date.now(), catalogues };
      return Promise.all(given.map((one) => createAttestation(one, origin)));
    },
    /** Stores a judgement in place of an earlier one. Throws AppError `bad_request` for an invalid value. */
    async attest(owner: string, given: GivenAttestation, scope: string, source: string) {
      const one = await createAttestation(given, { scope, source, now: Date.now(), catalogues });
      if (await store.putAttestation(owner, one, keptAttestations)) return one;
      throw badRequestError(
        `there are ${keptAttestations} judgements already: magpie compliance retract removes one`,
      );
    },
    listAttestations: (owner: string) => store.listAttestations(owner),
    /** Throws AppError `not_found` for an unknown id. */
    async retractAttestation(owner: string, id: string) {
      if (await store.removeAttestation(owner, id)) return;
      throw notFoundError(
        `there is no judgement ${JSON.stringify(id.slice(0, 80))}: magpie compliance attestations lists them`,
      );
    },
  };
}
