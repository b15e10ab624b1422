import type { Assessment, AssessmentSummary } from './assessment.ts';

export interface AssessmentStore {
  insertAssessment(owner: string, assessment: Assessment, kept: number, runner?: string): Promise<boolean>;
  readAssessment(owner: string, id: string): Promise<Assessment | undefined>;
  hasAssessment(owner: string, id: string): Promise<boolean>;
  listAssessments(owner: string): Promise<AssessmentSummary[]>;
  listEarlier(owner: string, id: string): Promise<AssessmentSummary[]>;
  removeAssessment(owner: string, id: string): Promise<boolean>;
}
