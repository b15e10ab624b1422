import type { FlowStep } from '../flow/values/value.ts';

/** Whether a data flow that ends in a file leads through another one. */
export function crosses(flow: FlowStep, path: string): boolean {
  for (let at: FlowStep | undefined = flow; at; at = at.before) if (at.path !== path) return true;
  return false;
}
