import { z } from 'zod';
import type { ProbeOptionChanges } from '../../src/monitor/types.ts';

/** Options for a monitor's name and group. Tool listings omit them, because the API contract lacks them. */

/** '' removes the current label. */
const label = z.string().trim().max(60).optional();

export const labelOptions = {
  group: label.describe('Group that it belongs to; empty: none'),
  name: label.describe('Its name on the status page; empty: none'),
};

const given = z.object(labelOptions);

/** Converts '' to null, which removes the label. */
export function toMonitorLabels({
  group,
  name,
}: z.output<typeof given>): Pick<ProbeOptionChanges, 'group' | 'name'> {
  return { group: group === '' ? null : group, name: name === '' ? null : name };
}

export const UNLISTED_LABELS = Object.keys(labelOptions).map((name) => `monitoring_options.${name}`);
