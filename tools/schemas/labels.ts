import { z } from 'zod';
import type { GivenProbing } from '../../src/monitor/types.ts';

/** What users call a monitor and its group: beyond the contract's options, and left out of the tools' list. */

/** An empty one takes it away. */
const label = z.string().trim().max(60).optional();

export const labelOptions = {
  group: label.describe('Group that it belongs to; empty: none'),
  name: label.describe('Its name on the status page; empty: none'),
};

const given = z.object(labelOptions);

/** As the room takes them. */
export function labelsOf({ group, name }: z.output<typeof given>): Pick<GivenProbing, 'group' | 'name'> {
  return { group: group === '' ? null : group, name: name === '' ? null : name };
}

/** Names of these options as an operation's `unlisted` has them. */
export const UNLISTED_LABELS = Object.keys(labelOptions).map((name) => `monitoring_options.${name}`);
