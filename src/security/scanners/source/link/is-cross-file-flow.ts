import type { FlowStep } from '../flow/values/value.ts';

export function isCrossFileFlow(flow: FlowStep, path: string): boolean {
  for (let at: FlowStep | undefined = flow; at; at = at.before) if (at.path !== path) return true;
  return false;
}
