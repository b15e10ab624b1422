import type { Assessment, AssessmentName } from './assessment.ts';

/** Checks that have results, each owner's apart. A write is durable when it resolves. */
export interface AssessmentStore {
  /**
   * Keeps a check. Of more than `kept` checks of the owner the oldest are removed in the same step. With `runner` the job of the
   * same id is removed too; nothing happens, and it resolves with false, where that one does not run it.
   */
  insertAssessment(owner: string, assessment: Assessment, kept: number, runner?: string): Promise<boolean>;
  readAssessment(owner: string, id: string): Promise<Assessment | undefined>;
  /** Whether the check is there, without reading its results. */
  hasAssessment(owner: string, id: string): Promise<boolean>;
  /** In the order in which they were inserted, newest first. */
  listAssessments(owner: string): Promise<AssessmentName[]>;
  /** Checks with the scope of this one that were inserted before it, whatever their standards, newest first. */
  listEarlier(owner: string, id: string): Promise<AssessmentName[]>;
  /** False where the owner has no such check. */
  removeAssessment(owner: string, id: string): Promise<boolean>;
}
