import type { Fault } from '../probing/probing.ts';
import { type JsonJob, judgeJson } from './json-condition.ts';

export function answer(job: JsonJob): readonly Fault[] {
  return judgeJson(job);
}
