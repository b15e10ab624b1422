import type { UnmetExpectation } from '../probing/probing.ts';
import { type JsonConditionJob, findUnmetConditions } from './json-condition.ts';

export function answer(job: JsonConditionJob): readonly UnmetExpectation[] {
  return findUnmetConditions(job);
}
