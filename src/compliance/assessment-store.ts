import type { Assessment, AssessmentName } from './assessment.ts';

/** Checks that were made, each owner's apart. Every write is durable before it returns. */
export interface AssessmentStore {
  /** Of more than `keep` checks of the owner the oldest are dropped. */
  add(owner: string, assessment: Assessment, keep: number): void;
  get(owner: string, id: string): Assessment | undefined;
  /** Newest first. */
  list(owner: string): AssessmentName[];
  /** Those before that one with the same scope, whatever their standards, newest first. */
  before(owner: string, id: string): AssessmentName[];
  remove(owner: string, id: string): boolean;
}
