import type { FlowStep } from '../flow/values/value.ts';

/** True if a data flow that ends in the file `path` passes through another file. */
export function isCrossFileFlow(flow: FlowStep, path: string): boolean {
  for (let at: FlowStep | undefined = flow; at; at = at.before) if (at.path !== path) return true;
  return false;
}
