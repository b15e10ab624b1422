import type { Fault } from '../probing/probing.ts';
import { type JsonJob, judgeJson } from './json-condition.ts';

/** The module of a thread that reads long JSON answers. */
export function answer(job: JsonJob): readonly Fault[] {
  return judgeJson(job);
}
