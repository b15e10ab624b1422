import type { UnmetExpectation } from '../probing/probe-options.ts';
import { findUnmetConditions, type JsonConditionJob } from './json-condition.ts';

export function handleJob(job: JsonConditionJob): readonly UnmetExpectation[] {
  return findUnmetConditions(job);
}
