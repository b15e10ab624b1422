import { z } from 'zod';
import type { ProbeOptionChanges } from '../../src/monitor/types.ts';

/** Options for the name and the group of a monitor. The API contract does not have them, so the tools do not list them. */

/** Label of a monitor. An empty label removes the current label. */
const label = z.string().trim().max(60).optional();

export const labelOptions = {
  group: label.describe('Group that it belongs to; empty: none'),
  name: label.describe('Its name on the status page; empty: none'),
};

const given = z.object(labelOptions);

/** Converts these options to the form that the monitor module takes. */
export function toMonitorLabels({
  group,
  name,
}: z.output<typeof given>): Pick<ProbeOptionChanges, 'group' | 'name'> {
  return { group: group === '' ? null : group, name: name === '' ? null : name };
}

/** Paths of these options for the `unlisted` property of an operation. */
export const UNLISTED_LABELS = Object.keys(labelOptions).map((name) => `monitoring_options.${name}`);
