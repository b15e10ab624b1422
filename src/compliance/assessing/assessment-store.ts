import type { Assessment, AssessmentSummary } from './assessment.ts';

/** Stores compliance checks with results, separately per owner. A write is durable when its promise resolves. */
export interface AssessmentStore {
  /** Stores a check and deletes its job. Keeps only the newest `kept` checks. False if another process has taken the job. */
  insertAssessment(owner: string, assessment: Assessment, kept: number, runner?: string): Promise<boolean>;
  readAssessment(owner: string, id: string): Promise<Assessment | undefined>;
  hasAssessment(owner: string, id: string): Promise<boolean>;
  /** Lists an owner's checks in reverse order of insertion, the newest first. */
  listAssessments(owner: string): Promise<AssessmentSummary[]>;
  /** Lists the checks of the same scope that were inserted before check `id`, of any standards, newest first. */
  listEarlier(owner: string, id: string): Promise<AssessmentSummary[]>;
  removeAssessment(owner: string, id: string): Promise<boolean>;
}
