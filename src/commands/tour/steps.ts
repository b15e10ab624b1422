import type { TourSites } from './sites.ts';
import steps from './steps.json' with { type: 'json' };

export interface TourStep {
  readonly title?: string;
  readonly about?: string;
  readonly args: readonly string[];
  readonly lines?: number;
  readonly code?: number;
  readonly has: string;
  readonly input?: string;
  readonly waits?: boolean;
}

/** Returns the steps of the tour. In steps.json, `{site}` stands for the address of the tour's own site. */
export function tourSteps({ site }: TourSites): readonly TourStep[] {
  return steps.map((step) => ({ ...step, args: step.args.map((arg) => arg.replace('{site}', site)) }));
}
