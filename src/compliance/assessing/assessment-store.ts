import type { Assessment, AssessmentSummary } from './assessment.ts';

/** Stores compliance checks with their results, separately per owner. A write is durable when its promise resolves. */
export interface AssessmentStore {
  /** Stores a check, deletes its job, and keeps only the newest `kept` checks. False if `runner` no longer runs the job. */
  insertAssessment(owner: string, assessment: Assessment, kept: number, runner?: string): Promise<boolean>;
  readAssessment(owner: string, id: string): Promise<Assessment | undefined>;
  hasAssessment(owner: string, id: string): Promise<boolean>;
  /** Lists an owner's compliance checks, the last inserted first. */
  listAssessments(owner: string): Promise<AssessmentSummary[]>;
  /** Lists earlier compliance checks of the same scope as check `id`, newest first. Their standards may differ. */
  listEarlier(owner: string, id: string): Promise<AssessmentSummary[]>;
  removeAssessment(owner: string, id: string): Promise<boolean>;
}
