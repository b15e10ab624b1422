import { randomBytes } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { assess } from './assess.ts';
import type { Assessment, AssessmentName } from './assessment.ts';
import type { AssessmentStore } from './assessment-store.ts';
import { createBackground } from './background.ts';
import type { Catalogue, StandardName } from './catalogue.ts';
import { type Comparison, compare } from './compare.ts';
import type { Evidence } from './evidence.ts';
import type { Job, JobStore } from './job.ts';
import { type Practices, practicesOf } from './practices.ts';
import type { Format, ReportForm } from './report.ts';
import type { Sealer } from './seal.ts';
import { standardsNamed } from './standards.ts';
import { type Verdict, verifyReport } from './verify.ts';

/** The room: holds evidence against standards, and keeps what came of it. Others' checks are not there. */
export interface Compliance {
  standards(): readonly StandardName[];
  /** Ids of those named. AppError `bad_request` for an unknown one. */
  idsOf(names: readonly string[]): readonly string[];
  /** What a repository shows of how it is worked on. */
  readonly practices: Practices;
  /** Checks, signs nothing yet, and keeps. AppError `bad_request` for an unknown standard. */
  check(owner: string, standards: readonly string[], evidence: Evidence): Promise<Assessment>;
  /**
   * The same in the background: evidence is gathered and judged when nobody waits any more. AppError `bad_request` for
   * an unknown standard, `rate_limited` when too many are under way.
   */
  start(owner: string, standards: readonly string[], scope: string, gather: Gather): Job;
  /** How a check stands that has no results; undefined where there is none, or it has them. */
  standing(owner: string, id: string): Job | undefined;
  /** AppError `not_found`, as below; `bad_request` for one that has no results. */
  get(owner: string, id: string): Assessment;
  /** Newest first. */
  list(owner: string): readonly AssessmentName[];
  /**
   * What changed since that check, or since the one before of the same scope; undefined where there is none. A standard
   * that it did not have is held against the newest check before that had it.
   */
  changes(owner: string, id: string, since?: string): Comparison | undefined;
  /** The report with its media type and a name for a file. */
  report(owner: string, id: string, format: Format): Promise<Report>;
  /** What a report file proves. AppError `bad_request` for one that is no report. */
  verify(owner: string, file: string | Uint8Array): Promise<Verdict>;
  /** Ends it if it is under way, and forgets it. */
  remove(owner: string, id: string): void;
  /** Checks under way fail, saying that Magpie was ended. */
  close(): Promise<void>;
}

/** Gathers the evidence of a check in the background. */
export type Gather = (signal: AbortSignal, progress: (message: string) => void) => Promise<Evidence>;

export interface Report {
  readonly content: string | Uint8Array;
  readonly type: string;
  readonly fileName: string;
}

export interface ComplianceOptions {
  readonly catalogues: readonly Catalogue[];
  readonly forms: readonly ReportForm[];
  readonly store: AssessmentStore;
  readonly jobs: JobStore;
  readonly log: Logger;
  readonly sealer: Sealer;
  /** Magpie's. */
  readonly version: string;
  /** Checks kept for one owner. */
  readonly keep: number;
}

export function createCompliance(options: ComplianceOptions): Compliance {
  const { catalogues, forms, store, sealer, version, keep } = options;
  const background = createBackground(options.jobs, options.log);

  function find(owner: string, id: string): Assessment {
    const found = store.get(owner, id);
    if (found) return found;
    const job = background.get(owner, id);
    if (job) {
      const why =
        job.state === 'failed' ? `has failed: ${job.reason}` : 'is under way: come back a little later';
      throw new AppError('bad_request', `the check ${id} ${why}`);
    }
    throw new AppError(
      'not_found',
      `there is no compliance check ${JSON.stringify(id.slice(0, 80))}: it takes the check_id that checkCompliance gave; the oldest are dropped`,
    );
  }

  async function make(
    owner: string,
    id: string,
    named: readonly Catalogue[],
    evidence: Evidence,
  ): Promise<Assessment> {
    const standards = await assess(named, evidence);
    const { scope, subjects, findings, looks, practices } = evidence;
    const assessment: Assessment = {
      id,
      createdAt: Date.now(),
      scope,
      subjects,
      standards,
      findings,
      looks,
      practices,
      version,
    };
    store.add(owner, assessment, keep);
    return assessment;
  }

  const room: Compliance = {
    practices: practicesOf,
    standards: () => catalogues.map(({ controls: _, ...name }) => name),
    idsOf: (names) => standardsNamed(names, catalogues).map(({ id }) => id),
    async check(owner, names, evidence) {
      return make(owner, newId(), standardsNamed(names, catalogues), evidence);
    },
    start(owner, names, scope, gather) {
      const named = standardsNamed(names, catalogues);
      const id = newId();
      return background.start(owner, id, scope, async (signal, progress) => {
        const evidence = await gather(signal, progress);
        signal.throwIfAborted();
        await make(owner, id, named, evidence);
      });
    },
    standing(owner, id) {
      const job = background.get(owner, id);
      return job && !store.get(owner, id) ? job : undefined;
    },
    get: find,
    list: (owner) => store.list(owner),
    changes(owner, id, since) {
      const now = find(owner, id);
      const earlier = store.before(owner, id);
      const named = since ?? earlier[0]?.id;
      if (named === undefined) return undefined;
      const before = find(owner, named);
      const had = new Set(before.standards.map(({ standard }) => standard.id));
      const lacked = now.standards.map(({ standard }) => standard.id).filter((one) => !had.has(one));
      const others = lacked.flatMap(
        (one) => earlier.find(({ standards }) => standards.includes(one))?.id ?? [],
      );
      const having = earlier.filter((one) => others.includes(one.id));
      return compare(
        before,
        now,
        having.map((one) => find(owner, one.id)),
      );
    },
    async report(owner, id, format) {
      const assessment = find(owner, id);
      const form = forms.find((one) => one.format === format);
      if (!form) throw new AppError('bad_request', `there is no report format ${JSON.stringify(format)}`);
      const comparison = room.changes(owner, id);
      const content = await form.write({
        assessment,
        seal: sealer.seal(assessment),
        comparison,
      });
      return { content, type: form.type, fileName: `compliance-${id}.${form.extension}` };
    },
    verify: (owner, file) => verifyReport(file, sealer, (id) => store.get(owner, id)),
    remove(owner, id) {
      if (background.remove(owner, id)) return;
      find(owner, id);
      store.remove(owner, id);
    },
    close: background.close,
  };
  return room;
}

function newId(): string {
  return randomBytes(12).toString('hex');
}
