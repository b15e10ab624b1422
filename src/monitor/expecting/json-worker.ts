import type { Fault } from '../probing/probing.ts';
import { type JsonJob, judgeJson } from './json-condition.ts';

/** Entry point of the worker thread that judges long JSON answers. */
export function answer(job: JsonJob): readonly Fault[] {
  return judgeJson(job);
}
